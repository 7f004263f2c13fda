"""A candidate's replies in pieces, those marked by which a point was judged.

The pieces of a reply are what they wrote, whole and in order, but for the lines that fence code. Where a quote stands in several
replies, its first place is marked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from interviewer.markdown import fence_lines
from interviewer.models import Standing, Verdict

STANDINGS = {
    Standing.COVERED: "said",
    Standing.PARTIAL: "half said",
    Standing.MISSING: "not said",
    Standing.CONTRADICTED: "wrong",
}
_LINE_ENDS = re.compile(r"\r\n?|\n")


class Mark(NamedTuple):
    """What words show: ``says`` is the claim of the point, or the correction where none of the points was denied by them."""

    quote: str
    standing: Standing
    says: str


class Piece(NamedTuple):
    """Words, and what they show; nothing, for most."""

    text: str
    marks: tuple[Mark, ...]


class Block(NamedTuple):
    """Prose, or one fenced block of code."""

    code: bool
    pieces: tuple[Piece, ...]


def marks_of(verdict: Verdict) -> tuple[Mark, ...]:
    """One for each point and each misconception that was found in words."""
    marks = [Mark(p.quote, p.verdict, p.claim) for p in verdict.points if p.quote]
    quoted = {mark.quote for mark in marks if mark.standing is Standing.CONTRADICTED}
    held = [Mark(m.quote, Standing.CONTRADICTED, m.correction) for m in verdict.misconceptions if m.quote]
    return (*marks, *(mark for mark in held if mark.quote not in quoted))


def marked(replies: Sequence[str], verdict: Verdict) -> list[list[Block]]:
    """The blocks of each reply. Quotes may overlap, and may run from prose into code."""
    left = list(marks_of(verdict))
    found = []
    for reply in replies:
        here = [mark for mark in left if mark.quote in reply]
        left = [mark for mark in left if mark not in here]
        spans = [(start := reply.index(mark.quote), start + len(mark.quote), mark) for mark in here]
        found.append([Block(code, _cut(reply, start, end, spans)) for code, start, end in _blocks(reply)])
    return found


def words_and_code(reply: str) -> list[tuple[bool, str]]:
    """Its prose and its blocks of code, in order, and of each whether it is code."""
    return [(code, reply[start:end]) for code, start, end in _blocks(reply)]


def _cut(reply: str, start: int, end: int, spans: Sequence[tuple[int, int, Mark]]) -> tuple[Piece, ...]:
    """From ``start`` to ``end``, cut wherever a quote begins or ends."""
    inside = {at for a, b, _ in spans for at in (a, b) if start < at < end}
    edges = [start, *sorted(inside), end]
    return tuple(
        Piece(reply[a:b], tuple(mark for first, last, mark in spans if first <= a and b <= last))
        for a, b in pairwise(edges)
    )


def _blocks(reply: str) -> list[tuple[bool, int, int]]:
    """Whether it is code, and from where to where, without white space around."""
    starts = [0, *(end.end() for end in _LINE_ENDS.finditer(reply)), len(reply)]
    found: list[tuple[bool, int, int]] = []
    position = 0
    for first, last, body_last in fence_lines(reply):
        found.append((False, position, starts[first]))
        found.append((True, starts[min(first + 1, len(starts) - 1)], starts[body_last]))
        position = starts[last]
    found.append((False, position, len(reply)))
    return [block for block in (_stripped(reply, *each) for each in found) if block[1] < block[2]]


def _stripped(reply: str, code: bool, start: int, end: int) -> tuple[bool, int, int]:
    text = reply[start:end]
    lead = 0 if code else len(text) - len(text.lstrip())  # indentation of code is code
    return code, start + lead, max(start + lead, start + len(text.rstrip()))
