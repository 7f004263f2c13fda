"""Readable, unique ids out of titles and sentences."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container


def slug(text: str, limit: int, empty: str = "x") -> str:
    """``text`` in lower-case ASCII words joined by hyphens, cut at a word's end to ``limit`` characters."""
    ascii_text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    words = re.findall(r"[a-z0-9]+", re.sub(r"['’`]", "", ascii_text))
    kept = words[0][:limit] if words else empty
    for word in words[1:]:
        if len(kept) + 1 + len(word) > limit:
            break
        kept += f"-{word}"
    return kept


def unique(wanted: str, taken: Container[str], limit: int) -> str:
    """``wanted``, or with -2, -3 … at its end where it is taken; never longer than ``limit``."""
    number, candidate = 2, wanted
    while candidate in taken:
        ending = f"-{number}"
        candidate = wanted[: limit - len(ending)].rstrip("-") + ending
        number += 1
    return candidate
