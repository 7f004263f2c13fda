"""Prompts: files with front matter and Jinja into what a model is sent.

A file of ``prompts/`` has front matter (name, version, inputs, output) and two sections, ``# System`` and ``# User``.
Promises that a missing or an unknown value is an error and never an empty string; that text in a ``fenced`` block can't
close its fence, whatever it holds; and that what a prompt produced can be kept with the hash of its file. Does not decide
what a model does with it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml
from jinja2 import StrictUndefined, TemplateError
from jinja2.sandbox import ImmutableSandboxedEnvironment
from pydantic import Field, ValidationError

from interviewer.bundled import bundled
from interviewer.errors import UsageError
from interviewer.models import Value

_FILE = re.compile(r"\A---\n(?P<front>.*?)\n---\n+# System\n(?P<system>.*?)\n# User\n(?P<user>.*)\Z", re.DOTALL)
_REPEATED = re.compile(r"^\{(\w+)\}$")
# Controls, fillers, marks of direction, and the blocks of tags and selectors that whole sentences are hidden in; and halves of
# surrogate pairs, which no request can carry. Emoji keep the two selectors that they are drawn by.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb\ud800-\udfff\U000e0000-\U000e0fff]"
)


class Prompt(Value):
    """One file. ``output``: a JSON Schema of the answer, or None for text; a property named ``{input}`` stands for one of
    each item of that input. ``digest``: twelve hexadecimal digits that change with the file."""

    name: str
    version: int = Field(ge=1)
    inputs: tuple[str, ...]
    output: dict[str, Any] | None = None
    system: str
    user: str
    digest: str


class Rendered(Value):
    """What is sent, and what it was made of. ``schema_``: of the answer, None for text."""

    name: str
    version: int
    digest: str
    system: str
    user: str
    schema_: dict[str, Any] | None = None


def render(name: str, **values: Any) -> Rendered:
    """The prompt ``name`` with exactly its inputs. Raises UsageError where one is missing, unknown or undefined inside."""
    prompt = load(name)
    if set(values) != set(prompt.inputs):
        odd = sorted(set(values) ^ set(prompt.inputs))
        raise UsageError(f"The prompt {name} takes {', '.join(prompt.inputs)}; missing or unknown: {', '.join(odd)}.")
    try:
        system, user = (
            _environment().from_string(text).render(values).strip() for text in (prompt.system, prompt.user)
        )
    except (TemplateError, TypeError) as error:
        raise UsageError(f"The prompt {name} can't be filled in: {error}.") from error
    schema = _expanded(prompt.output, values) if prompt.output else None
    return Rendered(name=name, version=prompt.version, digest=prompt.digest, system=system, user=user, schema_=schema)


def load(name: str) -> Prompt:
    """Raises UsageError where there is no such prompt, or its file is no prompt."""
    path = bundled("prompts") / f"{name}.md"
    if not re.fullmatch(r"[a-z][a-z0-9-]*", name) or not path.is_file():
        raise UsageError(f"There is no prompt {name!r}; there are {', '.join(names())}.")
    return _read(path, path.stat().st_mtime_ns)


def names() -> list[str]:
    return sorted(path.stem for path in bundled("prompts").glob("*.md"))


@lru_cache(maxsize=64)
def _read(path: Path, _changed: int) -> Prompt:
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is no prompt: it is not written in UTF-8.") from error
    found = _FILE.match(text)
    if not found:
        raise UsageError(f"{path} is no prompt: it needs front matter, then # System, then # User.")
    try:
        front = yaml.safe_load(found["front"])
        digest = hashlib.sha256(text.encode()).hexdigest()[:12]
        prompt = Prompt.model_validate({**front, "system": found["system"], "user": found["user"], "digest": digest})
        _expanded(prompt.output or {}, {name: ["one"] for name in prompt.inputs})
    except (yaml.YAMLError, TypeError, ValidationError) as error:
        raise UsageError(f"{path} is no prompt: {error}") from error
    except (AttributeError, KeyError, ValueError) as error:
        raise UsageError(f"{path} is no prompt: its output is no schema of its inputs ({error}).") from error
    if prompt.name != path.stem:
        raise UsageError(f"{path} names itself {prompt.name!r}; a prompt is named as its file.")
    return prompt


@lru_cache(maxsize=1)
def _environment() -> ImmutableSandboxedEnvironment:
    environment = ImmutableSandboxedEnvironment(
        undefined=StrictUndefined, autoescape=False, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=False
    )
    environment.filters["fenced"] = fenced
    return environment


def fenced(text: str, label: str) -> str:
    """``text`` between two marks that it can't hold: they carry a hash of it. Characters that nobody sees are dropped."""
    text = _INVISIBLE.sub("", text.replace("\r\n", "\n"))
    mark = hashlib.sha256(f"{label}/{text}".encode("utf-8", "replace")).hexdigest()[:16]
    return f"<{label} {mark}>\n{text.replace(mark, '')}\n</{label} {mark}>"


def _expanded(schema: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """``schema`` with every ``{input}`` property repeated, all properties of every object required and no others let in.
    A property whose object would be empty is left out."""
    made = dict(schema)
    if schema.get("type") == "object":
        properties: dict[str, Any] = {}
        for key, inner in schema.get("properties", {}).items():
            repeated = _REPEATED.match(key)
            for name in _ids(values[repeated[1]]) if repeated else [key]:
                properties[name] = _expanded(inner, values)
        kept = {k: v for k, v in properties.items() if v.get("type") != "object" or v["properties"]}
        made |= {"properties": kept, "required": list(kept), "additionalProperties": False}
    if "items" in schema:
        made["items"] = _expanded(schema["items"], values)
    return made


def _ids(items: Iterable[Any]) -> list[str]:
    return [item if isinstance(item, str) else item.id for item in items]
