"""Classes of replies, for the sets whose people gave a class and not only a score.

The grader says ``contradictory`` where a point is contradicted or a misconception is held, else ``correct`` from half of
the score on, else ``partially_correct_incomplete`` where anything was earned, else ``irrelevant``; it has no word for
``non_domain``. The five classes of SemEval-2013 Task 7 fold into three and two as its organisers fold them: partially
correct, irrelevant and out of the domain are ``incorrect``. Other sets' classes are held against two or three likewise;
where half of the score is not what a set calls correct (SAF wants all of it), its scores say more than its classes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from eval.metrics import classification
from interviewer.models import MAX_SCORE, Standing, Verdict

CORRECT, INCORRECT, CONTRADICTORY = "correct", "incorrect", "contradictory"
PARTIAL, IRRELEVANT, NON_DOMAIN = "partially_correct_incomplete", "irrelevant", "non_domain"
_CORRECT_FROM = MAX_SCORE / 2


def class_of(verdict: Verdict) -> str:
    """The class that a verdict amounts to, of the five; ``irrelevant`` where it has no score."""
    if verdict.misconceptions or any(p.verdict is Standing.CONTRADICTED for p in verdict.points):
        return CONTRADICTORY
    if (verdict.score or 0.0) >= _CORRECT_FROM:
        return CORRECT
    return PARTIAL if verdict.score else IRRELEVANT


def fold(label: str) -> str:
    """A class as one of the three."""
    name = _name(label)
    return name if name in (CORRECT, CONTRADICTORY) else INCORRECT


def classes(pairs: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """``pairs`` of (a person's class, the grader's): figures in two ways, in three where a person ever said
    ``contradictory``, and in five where a person ever said one of those that are ``incorrect`` in three. Each with macro
    and weighted F1, over the classes that people used. Empty without pairs."""
    if not pairs:
        return {}
    named = [(_name(a), _name(b)) for a, b in pairs]
    person, given = [fold(a) for a, _ in named], [fold(b) for _, b in named]
    in_two = [[name if name == CORRECT else INCORRECT for name in side] for side in (given, person)]
    figures = {"2-way": classification(in_two[0], in_two[1], [CORRECT, INCORRECT])}
    if CONTRADICTORY in person:
        figures["3-way"] = classification(given, person, [CORRECT, CONTRADICTORY, INCORRECT])
    finest = [CORRECT, PARTIAL, CONTRADICTORY, IRRELEVANT, NON_DOMAIN]
    if not {PARTIAL, IRRELEVANT, NON_DOMAIN}.isdisjoint(a for a, _ in named):
        figures["5-way"] = classification([b for _, b in named], [a for a, _ in named], finest)
    return figures


def _name(label: str) -> str:
    return label.strip().lower().replace(" ", "_").replace("-", "_")
