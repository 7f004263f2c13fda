"""Dotted names of PyTorch in a text, looked up in the PyTorch that is installed.

Promises that a name is called unknown only after the modules on its way were imported and it was in none of them, and
that only modules of torch itself are imported. Says nothing about names of packages that are not installed, about
attributes of variables, or about names that a page's scraper glued to the next word.
"""

from __future__ import annotations

import difflib
import importlib
import importlib.util
import re
from dataclasses import dataclass
from functools import cache
from typing import Any

_ALIASES = {"nn": "torch.nn", "F": "torch.nn.functional", "optim": "torch.optim", "dist": "torch.distributed"}
_DOTTED = re.compile(r"(?<![\w.\"'/])(torch|nn|F|optim|dist)((?:\.[A-Za-z_]\w*)+)(?!\w*[\"'/])")
_FROM = re.compile(r"^\s*from[ \t]+(torch(?:\.\w+)*)[ \t]+import[ \t]+\(?([\w, \t]+)", re.MULTILINE)
_FILES = re.compile(r"\.(?:pth?|py|nn)$")
_TAIL = re.compile(r"[a-z]+$|(?:and|or|to|vs|with)[A-Z]")
_GLUED_FROM = 3  # letters of a known name that a longer word may begin with


@dataclass(frozen=True)
class Unknown:
    """``name`` as the text has it; ``missing`` is its first part that isn't there; ``near``: a name that is, or ""."""

    name: str
    missing: str
    near: str = ""


def unknown_names(text: str) -> tuple[Unknown, ...]:
    """The names below ``torch`` in ``text``, prose or code, that the installed torch doesn't have; each once."""
    found: dict[str, Unknown] = {}
    for name in dotted_names(text):
        unknown = _look_up(_in_full(name))
        if unknown:
            found.setdefault(name, Unknown(name, unknown.missing, unknown.near))
    return tuple(u for name, u in found.items() if not any(other.startswith(f"{name}.") for other in found))


def dotted_names(text: str) -> list[str]:
    """Names as they stand, in their order; those of a ``from … import …`` with their module before them."""
    names = [match[0] for match in _DOTTED.finditer(text) if not _FILES.search(match[0])]
    for match in _FROM.finditer(text):
        names += [f"{match[1]}.{part.split(' as ')[0].strip()}" for part in match[2].split(",") if part.strip()]
    return names


def deprecation(name: str) -> str:
    """What the installed torch itself says against ``name`` by way of ``typing_extensions.deprecated``, or ""."""
    value: Any = _value(_in_full(name))
    return " ".join(str(getattr(value, "__deprecated__", "") or "").split())


def _in_full(name: str) -> str:
    first, _, rest = name.partition(".")
    return f"{_ALIASES.get(first, first)}.{rest}"


@cache
def _look_up(name: str) -> Unknown | None:
    value, parts = _walk(name)
    if not parts:
        return None
    known = dir(value)
    if any(parts[0].startswith(k) and len(k) >= _GLUED_FROM and _TAIL.match(parts[0][len(k) :]) for k in known):
        return None
    near = difflib.get_close_matches(parts[0], known, n=1, cutoff=0.8)
    return Unknown(name, parts[0], near[0] if near else "")


def _value(name: str) -> Any:
    value, parts = _walk(name)
    return None if parts else value


def _walk(name: str) -> tuple[Any, list[str]]:
    """The last value on the way to ``name``, and the parts that could not be found below it. A module that needs
    something which isn't installed counts as found, with all below it."""
    import torch

    value: Any = torch
    path = "torch"
    parts = name.split(".")[1:]
    while parts:
        path = f"{path}.{parts[0]}"
        if hasattr(value, parts[0]):
            value = getattr(value, parts[0])
        elif hasattr(value, "__path__") and not parts[0].startswith("__") and importlib.util.find_spec(path):
            try:
                value = importlib.import_module(path)
            except ImportError:
                return value, []
        else:
            return value, parts
        parts = parts[1:]
    return value, parts
