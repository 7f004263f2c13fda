"""How sure a verdict is: the chance that its score is within half a point of a person's.

The points' probabilities give the spread that the score would have if every point were drawn anew; a logistic curve,
fitted on labelled replies to questions that the reader never saw, turns spread into that chance.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from interviewer.grading.score import CREDIT
from interviewer.models import MAX_SCORE, Point, Standing

CLOSE = 0.5  # of MAX_SCORE


def spread(points: Sequence[Point], chances: Mapping[str, Mapping[Standing, float]]) -> float:
    """The standard deviation of the score, in points of 5, with every point drawn for itself by its ``chances``; a point
    that a run decided has none."""
    total = sum(p.weight for p in points)
    variance = sum(p.weight**2 * _variance(chances[p.id]) for p in points if p.id in chances)
    return MAX_SCORE * math.sqrt(variance) / total if total else 0.0


def confidence_of(spread: float, at_none: float, fall: float) -> float:
    """Between 0 and 1. ``at_none``, ``fall``: of the fitted curve, its height at no spread and how fast it falls."""
    return round(1 / (1 + math.exp(-(at_none - fall * spread))), 3)


def _variance(chances: Mapping[Standing, float]) -> float:
    mean = sum(chance * CREDIT[standing] for standing, chance in chances.items())
    return sum(chance * (CREDIT[standing] - mean) ** 2 for standing, chance in chances.items())
