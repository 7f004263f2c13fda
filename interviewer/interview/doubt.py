"""What the grader is unsure of: which verdicts, which of their points, and why, in words for a person."""

from __future__ import annotations

from interviewer.grading.score import IN_DOUBT_BELOW, UNSURE_BELOW
from interviewer.models import PointVerdict, Standing, Verdict

_TAKEN_AS = {
    Standing.COVERED: "said",
    Standing.PARTIAL: "half said",
    Standing.MISSING: "not said",
    Standing.CONTRADICTED: "wrong",
}


def is_unsure(verdict: Verdict) -> bool:
    """Also where two judges still differ on a point."""
    return verdict.confidence < UNSURE_BELOW or bool(verdict.disagreed)


def in_doubt(verdict: Verdict) -> list[PointVerdict]:
    """The points whose standing may well be another, or on which two judges differ, those with the most at stake first: the weight of a point times the
    probability that its standing is wrong."""
    doubtful = [p for p in verdict.points if p.probability < IN_DOUBT_BELOW or p.point in verdict.disagreed]
    return sorted(doubtful, key=lambda p: p.weight * (1 - p.probability), reverse=True)


def why_unsure(verdict: Verdict) -> str:
    """A reason in plain words that names the points in doubt; empty where the verdict is sure."""
    if not is_unsure(verdict):
        return ""
    named = "; ".join(f"“{p.claim}” (taken as {_TAKEN_AS[p.verdict]})" for p in in_doubt(verdict))
    differ = "Two judges differ on it." if verdict.disagreed else ""
    doubts = f"In doubt: {named}." if named else "No single point is in doubt, but the grade as a whole is."
    return " ".join(
        filter(None, [f"The grader is {verdict.confidence:.0%} sure of this grade.", differ, doubts, verdict.unscored])
    )
