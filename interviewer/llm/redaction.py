"""Placeholders for what names a person or opens a door, before a model sees a text.

Promises that a piece of the redacted text can be found again in the original. Finds mail addresses only, so far.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_MAIL = re.compile(r"[\w.+-]+@[\w-]+\.[\w.-]+")


@dataclass(frozen=True)
class Redacted:
    """``text`` with placeholders; ``pieces``: (start, end, original) of each, in the redacted text."""

    text: str
    pieces: tuple[tuple[int, int, str], ...] = ()

    def original(self, quote: str) -> str:
        """The words of the original that ``quote``, a piece of ``text``, stands for; empty where it is no piece."""
        start = self.text.find(quote)
        if start < 0:
            return ""
        end, made, position = start + len(quote), "", start
        for a, b, text in self.pieces:
            if b <= start or a >= end:
                continue
            made += self.text[position : max(a, position)] + text
            position = b
        return made + self.text[position:end] if position < end else made


def redacted(text: str) -> Redacted:
    made, pieces, position = "", [], 0
    for found in _MAIL.finditer(text):
        made += text[position : found.start()]
        pieces.append((len(made), len(made) + len("[mail]"), found[0]))
        made += "[mail]"
        position = found.end()
    return Redacted(made + text[position:], tuple(pieces))
