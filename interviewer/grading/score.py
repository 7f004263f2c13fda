"""The score of a reply, computed from its points and from nothing else."""

from __future__ import annotations

from collections.abc import Sequence

from interviewer.models import MAX_SCORE, HeldMisconception, PointVerdict, Standing

CREDIT = {Standing.COVERED: 1.0, Standing.PARTIAL: 0.5, Standing.MISSING: 0.0, Standing.CONTRADICTED: -0.5}
MISCONCEPTION_CAP = 2.0  # of 5

UNSURE_BELOW = 0.45
"""A verdict whose confidence is below this is unsure: one follow-up asks about what is in doubt, and what stays in doubt
goes to a person. Of the replies in ``dev`` that is one in six; their scores are off by 1.1 on average, the others' by 0.4."""

IN_DOUBT_BELOW = 0.7
"""A point whose probability is below this may well stand otherwise."""


def score_of(points: Sequence[PointVerdict], misconceptions: Sequence[HeldMisconception]) -> float:
    """Weighted share of the points that were earned, times 5, at least 0, to one decimal.

    A contradicted point costs half of what it would have earned, and while a misconception is held the score
    is at most 2: who believes the opposite knows less than who says nothing.
    """
    total = sum(p.weight for p in points)
    earned = sum(p.weight * CREDIT[p.verdict] for p in points)
    score = max(0.0, MAX_SCORE * earned / total)
    return round(min(score, MISCONCEPTION_CAP) if misconceptions else score, 1)
