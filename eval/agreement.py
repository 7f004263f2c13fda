"""How far grader and reviewers agree, over time: from the reviews that people have decided.

The figures are about the replies that reach a person, disputed ones and those that the grader was unsure of. They are the
hard ones, and a reviewer sees the grader's verdict before deciding: they say where the grader drifts, not how good it is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from eval.metrics import agreement
from interviewer.models import Judgement, Verdict
from interviewer.store import Review


@dataclass(frozen=True)
class Decided:
    """A review with the two verdicts to compare."""

    review: Review
    grader: Verdict
    person: Verdict


def agreement_over_time(reviews: Sequence[Review]) -> dict[str, Any]:
    """``overall``, and ``by_month`` of the decision ("2026-11"), each with ``by_kind`` and ``by_judge`` inside; and how
    many reviews are ``waiting``.

    Of each: how many ``reviews``; ``upheld``, the share that stood; ``points``, the share of points on which both
    verdicts agree; ``qwk`` and ``mean_absolute_difference`` of the scores, of 5. None where there is nothing to say: no
    point, no score, or a kappa of whole scores that are all the same.
    """
    decided = [
        Decided(r, r.evidence.answered.verdict, r.verdict) for r in reviews if r.judgement and r.evidence and r.verdict
    ]
    return {
        "waiting": sum(r.judgement is None for r in reviews),
        "overall": _with_slices(decided),
        "by_month": {month: _with_slices(rows) for month, rows in _by(decided, lambda d: d.review.decided[:7]).items()},
    }


def _with_slices(rows: Sequence[Decided]) -> dict[str, Any]:
    return _figures(rows) | {
        "by_kind": {kind: _figures(some) for kind, some in _by(rows, lambda d: d.review.kind.value).items()},
        "by_judge": {judge: _figures(some) for judge, some in _by(rows, lambda d: d.grader.judge).items()},
    }


def _figures(rows: Sequence[Decided]) -> dict[str, Any]:
    same = [point for row in rows for point in _points(row)]
    scores = [
        (d.grader.score, d.person.score) for d in rows if d.grader.score is not None and d.person.score is not None
    ]
    differences = [abs(a - b) for a, b in scores]
    return {
        "reviews": len(rows),
        "upheld": _mean([d.review.judgement is Judgement.UPHELD for d in rows]),
        "points": _mean(same),
        "qwk": _kappa(scores),
        "mean_absolute_difference": _mean(differences),
    }


def _points(row: Decided) -> list[bool]:
    """For each point that both verdicts hold, whether it stands the same in them."""
    graded = {p.point: p.verdict for p in row.grader.points}
    return [graded[p.point] is p.verdict for p in row.person.points if p.point in graded]


def _kappa(scores: Sequence[tuple[float, float]]) -> float | None:
    if len(scores) < 2 or len({round(score) for pair in scores for score in pair}) < 2:
        return None
    return round(agreement([a for a, _ in scores], [b for _, b in scores])["qwk"], 3)


def _mean(values: Sequence[float]) -> float | None:
    return round(sum(values) / len(values), 3) if values else None


def _by(rows: Sequence[Decided], key: Callable[[Decided], str]) -> dict[str, list[Decided]]:
    groups: dict[str, list[Decided]] = defaultdict(list)
    for row in rows:
        groups[key(row)].append(row)
    return dict(sorted(groups.items()))
