"""Which stored question a question of a document that is read again is.

A question is the same when its text is, letter for letter and digit for digit. One whose text was edited is the same
where it stands between the same neighbours and either its answer was left alone or its words say that it asks the
same; otherwise the old one is retired and the new one added.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from interviewer.bank.documents import DocumentQuestion
from interviewer.bank.terms import can_be_same, normalised, overlap, subject

_EDITED = 0.6  # an edited question keeps so much of its terms


@dataclass(frozen=True)
class Stored:
    """A question as the library keeps it. ``position`` counts from 0 in the document as last read."""

    id: str
    position: int
    live: bool
    digest: str
    topic: str
    body: DocumentQuestion


def match(stored: Sequence[Stored], read: Sequence[DocumentQuestion]) -> list[Stored | None]:
    """For each question of ``read`` the stored one that it is, or None for a new one. Each is given once."""
    found = _by_text(stored, read)
    left = [s for s in stored if s.live and not any(s is f for f in found)]
    for i, question in enumerate(read):
        if found[i] is None:
            low, high = _gap(found, i)
            found[i] = next((s for s in left if low < s.position < high and _is_edited(s.body, question)), None)
            left = [s for s in left if s is not found[i]]
    return found


def _by_text(stored: Sequence[Stored], read: Sequence[DocumentQuestion]) -> list[Stored | None]:
    """By the same text, in order; live ones before retired ones."""
    waiting: dict[str, list[Stored]] = {}
    for s in sorted(stored, key=lambda s: (not s.live, s.position)):
        waiting.setdefault(normalised(s.body.question), []).append(s)
    found: list[Stored | None] = []
    for question in read:
        same = waiting.get(normalised(question.question))
        found.append(same.pop(0) if same else None)
    return found


def _gap(found: Sequence[Stored | None], i: int) -> tuple[float, float]:
    """The stored positions between which the question that is read at ``i`` stands."""
    before = next((f.position for f in reversed(found[:i]) if f and f.live), -1)
    after = next((f.position for f in found[i + 1 :] if f and f.live), float("inf"))
    return before, after


def _is_edited(old: DocumentQuestion, new: DocumentQuestion) -> bool:
    if old.answer.strip() and normalised(old.answer) == normalised(new.answer):
        return True
    similar = overlap(subject(old.question).terms, subject(new.question).terms) >= _EDITED
    return similar and can_be_same(old.question, new.question)
