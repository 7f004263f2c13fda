"""Which point a follow-up asks about: one that the grader is unsure of, or the one that is most worth asking for."""

from __future__ import annotations

from interviewer.grading.score import CREDIT
from interviewer.interview.doubt import in_doubt, is_unsure
from interviewer.interview.state import Current
from interviewer.models import PointVerdict, Standing


def to_clarify(now: Current) -> str:
    """The point that the one clarifying follow-up of an unsure question asks about; empty where the grade is sure, or it
    was asked already, or nothing in doubt is left to ask about. What a run decides, words can't make clearer."""
    if now.verdict is None or now.clarified or not is_unsure(now.verdict):
        return ""
    return next(
        (
            p.point
            for p in in_doubt(now.verdict)
            if p.point not in now.probed and not now.question.point(p.point).proven_by
        ),
        "",
    )


def most_valuable(now: Current) -> str | None:
    """The point that is most worth a follow-up: the most weight still to be earned, contradicted ones first
    among equals. None when nothing is open that was not probed already."""
    if now.verdict is None:
        return None
    wanted = [p for p in now.verdict.points if p.point not in now.probed and p.verdict is not Standing.COVERED]
    order = [p.id for p in now.question.points]

    def value(p: PointVerdict) -> tuple[float, bool, int]:
        return (p.weight * (1 - CREDIT[p.verdict]), p.verdict is Standing.CONTRADICTED, -order.index(p.point))

    return max(wanted, key=value).point if wanted else None
