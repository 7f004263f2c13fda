"""Placeholders for what names a person or opens a door, before a model sees a text.

Promises that a piece of the redacted text can be found again in the original, word for word; that redacting twice changes
nothing; and that what is found depends on its own line alone (a key block and a sign-off may take several), so that a reply
reads the same by itself and inside a prompt. ``found`` and ``introductions`` say what is found and what is not. Never raises.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from interviewer.llm.found import Found, Kind, keys_in, mails_in, phones_in
from interviewer.llm.introductions import names_in

_SHORTEST_KEY = 8
_ROUNDS = 8  # a placeholder can make room for another find beside it; that this happens twice is rare already


@dataclass(frozen=True)
class Redacted:
    """``source`` with a placeholder for each piece, in the order of the text; with no pieces, ``source`` as it is."""

    source: str
    pieces: tuple[Found, ...] = ()

    @cached_property
    def text(self) -> str:
        made, position = [], 0
        for piece in self.pieces:
            made += [self.source[position : piece.start], f"[{piece.kind}]"]
            position = piece.end
        return "".join([*made, self.source[position:]])

    def original(self, quote: str) -> str:
        """The words of the source that ``quote``, a piece of ``text``, stands for; empty where it is no piece. A quote that
        cuts a placeholder stands for all of it, and one that occurs twice for its first occurrence that cuts none."""
        places = [found.start() for found in re.finditer(f"(?={re.escape(quote)})", self.text)] if quote else []
        spans = [self._span(start, start + len(quote)) for start in places]
        start, end, _ = next((span for span in spans if not span[2]), spans[0] if spans else (0, 0, False))
        return self.source[start:end]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where in the source a piece of ``text`` stands, placeholders being whole."""
        return self._span(start, end)[:2]

    def _span(self, start: int, end: int) -> tuple[int, int, bool]:
        first, cut_first = self._place(start, at_end=False)
        last, cut_last = self._place(end, at_end=True)
        return first, last, cut_first or cut_last

    def _place(self, position: int, *, at_end: bool) -> tuple[int, bool]:
        """The place in the source of one in ``text``, and whether that is inside a placeholder."""
        shift = 0  # what the source has more than the text, up to here
        for piece in self.pieces:
            start, end = piece.start - shift, piece.start - shift + len(piece.kind) + 2
            if position <= start:
                break
            if position < end:
                return (piece.end if at_end else piece.start), True
            shift = piece.end - end
        return position + shift, False


def redacted(text: str) -> Redacted:
    """``text`` with [name], [mail], [phone] and [key] for what is found."""
    made = Redacted(text)
    for _ in range(_ROUNDS):
        seen = made.text
        found = [*keys_in(seen), *mails_in(seen), *phones_in(seen), *names_in(seen)]
        if not found:
            break
        new = [Found(kind, *made.span(start, end)) for kind, start, end in found]
        made = Redacted(text, _merged([*made.pieces, *new]))
    return made


def without_keys(text: str, *known: str | None) -> str:
    """``text`` with [key] for every key that is found, and for those that are ``known``: for logs and errors. What is shorter
    than eight characters is no key but a word such as "none", which servers without keys are given."""
    for key in sorted((key for key in known if key and len(key) >= _SHORTEST_KEY), key=len, reverse=True):
        text = text.replace(key, f"[{Kind.KEY}]")
    return Redacted(text, _merged(keys_in(text))).text


def _merged(found: Iterable[Found]) -> tuple[Found, ...]:
    """In order, what overlaps being one: of the kind that begins first, of two that begin together the longer one's."""
    merged: list[Found] = []
    for each in sorted(found, key=lambda piece: (piece.start, -piece.end)):
        if merged and each.start < merged[-1].end:
            merged[-1] = merged[-1]._replace(end=max(each.end, merged[-1].end))
        else:
            merged.append(each)
    return tuple(merged)
