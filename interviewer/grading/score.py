"""The score of a reply, computed from its points and from nothing else."""

from __future__ import annotations

from collections.abc import Sequence

from interviewer.models import MAX_SCORE, HeldMisconception, PointVerdict, Standing

CREDIT = {Standing.COVERED: 1.0, Standing.PARTIAL: 0.5, Standing.MISSING: 0.0, Standing.CONTRADICTED: 0.0}
MISCONCEPTION_CAP = 2.0


def score_of(points: Sequence[PointVerdict], misconceptions: Sequence[HeldMisconception]) -> float:
    """Weighted share of the points that were earned, times 5, to one decimal; at most 2 while a
    misconception is held: who believes the opposite of a point doesn't understand the subject."""
    total = sum(p.weight for p in points)
    earned = sum(p.weight * CREDIT[p.verdict] for p in points)
    score = MAX_SCORE * earned / total
    return round(min(score, MISCONCEPTION_CAP) if misconceptions else score, 1)
