"""What a document's answer says that is wrong or old, as far as reading alone can tell.

Promises: nobody is graded by a claim that is doubted here. A claim is held against the bank only where it says what an
authored misconception says, and is nearer to it than to what the bank holds to be true. Runs no code.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from interviewer.bank.claims import claims
from interviewer.bank.names import deprecation, dotted_names, unknown_names
from interviewer.bank.outdated import of_the_past, outdated
from interviewer.bank.terms import overlap, subject
from interviewer.embedding import Matrix
from interviewer.models import Doubt, Fault, Misconception, Question

# Cosines. They are high on purpose: similarity sees no negation, so anything lower accuses claims that are right.
_SAYS_THE_SAME = 0.88
_NEARER_BY = 0.08
_SHARED = 0.4  # of their content words, before two texts are embedded to be compared


Encode = Callable[[Sequence[str]], Matrix]


def doubts_in_names(text: str) -> list[Doubt]:
    """Names that the installed torch doesn't have, and what is out of date. What ``text`` itself calls a thing of the
    past is not held against it."""
    if of_the_past(text):
        return []
    found = [Doubt(fault=Fault.UNKNOWN_NAME, text=u.name, why=_no_such(u.missing, u.near)) for u in unknown_names(text)]
    old = outdated(text)
    found += [Doubt(fault=Fault.OUTDATED, text=words, why=entry.today) for words, entry in old]
    for name in dict.fromkeys(dotted_names(text)):
        if (why := deprecation(name)) and not any(entry.looks.search(name) for _, entry in old):
            found.append(Doubt(fault=Fault.OUTDATED, text=name, why=f"PyTorch itself says: {why}"))
    return found


def _no_such(missing: str, near: str) -> str:
    hint = f" There is `{near}`." if near else ""
    return f"There is no `{missing}` there in the installed PyTorch.{hint}"


class Contradictions:
    """What the bank holds to be so and not to be so, ready to be compared with somebody's claims."""

    def __init__(self, bank: Sequence[Question], encode: Encode):
        self._encode = encode
        self._wrong = [(q, m, text) for q in bank for m in q.misconceptions for text in (m.claim, *m.also)]

    def among(self, said: Sequence[str]) -> list[Doubt]:
        """Those of ``said`` that hold one of the bank's misconceptions."""
        found = []
        for text in said:
            terms = subject(text).terms
            near = [each for each in self._wrong if overlap(terms, subject(each[2]).terms) >= _SHARED]
            if near and (held := self._held(text, near)):
                found.append(held)
        return found

    def _held(self, text: str, near: Sequence[tuple[Question, Misconception, str]]) -> Doubt | None:
        [said, *wrong] = self._encode([text, *(words for _, _, words in near)])
        likeness = [float(said @ each) for each in wrong]
        best = int(np.argmax(likeness))
        question, misconception, _ = near[best]
        if likeness[best] < _SAYS_THE_SAME:
            return None
        so = [words for p in question.points for words in (p.claim, *p.also)] + [misconception.correction]
        return (
            _contradicted(text, question, misconception)
            if likeness[best] >= float((self._encode(so) @ said).max()) + _NEARER_BY
            else None
        )


def _contradicted(text: str, question: Question, misconception: Misconception) -> Doubt:
    shown_by = misconception.shown_by or next(
        (s for p in misconception.contradicts if (s := question.point(p).shown_by)), ""
    )
    return Doubt(
        fault=Fault.CONTRADICTED,
        text=text,
        why=misconception.correction,
        question=question.id,
        experiment=shown_by,
    )


def doubted_claims(question: str, answer: str, contradictions: Contradictions) -> tuple[Doubt, ...]:
    """The claims of a reference answer that nobody should be graded by, each with its first fault."""
    said = claims(question, answer)
    by_text = {d.text: d for d in contradictions.among(said)}
    found = []
    for claim in said:
        if faults := doubts_in_names(claim):
            found.append(faults[0].model_copy(update={"text": claim}))
        elif claim in by_text:
            found.append(by_text[claim])
    return tuple(found)
