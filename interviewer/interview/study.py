"""What to study next: the points that were missed or said wrongly, those first that are worth most.

Goes by evidence alone: each is a point of a question that was asked, as the verdict that counts says it stands. Knows nothing
of what was not asked.
"""

from __future__ import annotations

from collections.abc import Sequence

from interviewer.grading.score import CREDIT
from interviewer.interview.doubt import in_doubt
from interviewer.models import Answered, Level, PointVerdict, Standing, Study, Topic, TopicEstimate

MOST = 8


def to_study(answered: Sequence[Answered], topics: Sequence[TopicEstimate], level: Level) -> tuple[Study, ...]:
    """At most eight. ``level``: the one that the interview was planned for; topics further below it come earlier."""
    behind = {t.topic: max(0.0, level.rank - t.ability) for t in topics}
    lacking = [(a, p) for a in answered for p in a.verdict.points if p.verdict is not Standing.COVERED]
    ranked = sorted(lacking, key=lambda each: _worth(each[0], each[1], behind), reverse=True)
    missed = {a.question for a, p in lacking if p.verdict is not Standing.PARTIAL}
    return tuple(_study(a, p, missed) for a, p in ranked[:MOST])


def _worth(answered: Answered, point: PointVerdict, behind: dict[Topic, float]) -> float:
    """The share of its question's credit that the point cost, once more for each level that its topic is behind."""
    share = point.weight / sum(p.weight for p in answered.verdict.points)
    return share * (1 - CREDIT[point.verdict]) * (1 + behind.get(answered.topic, 0.0))


def _study(answered: Answered, point: PointVerdict, missed: set[str]) -> Study:
    held = next((m for m in answered.verdict.misconceptions if m.id == point.misconception), None)
    return Study(
        question=answered.question,
        point=point.point,
        topic=answered.topic,
        claim=point.claim,
        standing=point.verdict,
        correction=held.correction if held and point.verdict is Standing.CONTRADICTED else "",
        experiment=answered.shown_by.get(point.point, ""),
        prerequisites=tuple(name for name in answered.prerequisites if name in missed),
        unsure=_unsure(answered, point),
    )


def _unsure(answered: Answered, point: PointVerdict) -> bool:
    """What nothing was said on is surely missing, and what a person looked at is settled."""
    return bool(answered.replies) and not answered.rulings and point in in_doubt(answered.verdict)
