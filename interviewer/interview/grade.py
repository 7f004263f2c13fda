"""Step 4: grade this message, and what the question's verdict is with it.

Each message is graded for itself, with the point that was probed; ``merge`` joins the verdicts, so that
what was said once stays said, what was corrected counts as corrected, and a doubt that was settled is one no more.
"""

from __future__ import annotations

from collections.abc import Sequence

from interviewer.grading.score import score_of
from interviewer.interview.doubt import in_doubt, is_unsure
from interviewer.interview.state import Heard, Rooms, State, current
from interviewer.models import CodeRun, HeldMisconception, PointVerdict, Reference, Standing, Verdict

_CREDIT_ORDER = (Standing.MISSING, Standing.CONTRADICTED, Standing.PARTIAL, Standing.COVERED)


def grade(state: State, rooms: Rooms) -> State:
    now = current(state)
    if now is None:
        return {"graded": None}
    heard = Heard.model_validate(state["heard"])
    rooms.progress("Weighing your answer")
    run = CodeRun.model_validate(state["run"]) if state.get("run") else None
    references = tuple(Reference.model_validate(r) for r in state["retrieved"]["references"])
    shown = run or now.run
    verdict = rooms.judge.grade(now.question, heard.text, probing=now.probing, run=shown, references=references)
    joined = merge(now.verdict, verdict, now.probing) if now.verdict else verdict
    updated = now.model_copy(
        update={"replies": (*now.replies, heard.text), "verdict": joined, "run": shown, "silences": 0}
    )
    return {
        "graded": verdict.model_dump(mode="json"),
        "claim": verdict.testable,
        "current": updated.model_dump(mode="json"),
    }


def merge(before: Verdict, after: Verdict, probing: str = "") -> Verdict:
    """The verdict on everything said so far. A later contradiction or correction replaces what stood; points
    that the later verdict leaves out, since a run that could prove them was not to be had, are left out.
    ``probing``: the point that the later message had been asked about."""
    earlier = {p.point: p for p in before.points}
    points = tuple(_later(earlier.get(p.point), p, asked=p.point == probing) for p in after.points)
    still_held = _still_held(before, after, points)
    return after.model_copy(
        update={
            "points": points,
            "misconceptions": still_held,
            "score": score_of(points, still_held) if points else None,
            "confidence": _confidence(before, after, points),
            "disagreed": _still_disagreed(before, after, points),
            "notes": tuple(dict.fromkeys((*before.notes, *after.notes))),
        }
    )


def _still_held(before: Verdict, after: Verdict, points: Sequence[PointVerdict]) -> tuple[HeldMisconception, ...]:
    """What was said now, and what was said before unless the points that it denied have been put right. One that denies
    only what a run decides can't be put right by words."""
    denying = {p.misconception for p in points if p.verdict is Standing.CONTRADICTED}
    denied_before = {p.misconception for p in before.points}
    kept = [m for m in before.misconceptions if m.id in denying or m.id not in denied_before]
    return tuple({m.id: m for m in (*kept, *after.misconceptions)}.values())


def _later(before: PointVerdict | None, after: PointVerdict, *, asked: bool) -> PointVerdict:
    """Silence on a point says nothing about what was said of it before, unless the message had been ``asked`` about it:
    then it confirms that the point is missing."""
    if before is None:  # the run that could prove it was not to be had the first time
        return after
    if after.verdict is Standing.MISSING:
        return (
            max(before, after, key=lambda p: p.probability) if asked and before.verdict is Standing.MISSING else before
        )
    if Standing.CONTRADICTED in (before.verdict, after.verdict):
        return after
    return max(before, after, key=lambda p: (_CREDIT_ORDER.index(p.verdict), p.probability))


def _confidence(before: Verdict, after: Verdict, points: Sequence[PointVerdict]) -> float:
    """That of the verdict before, in proportion to how much surer or less sure its points have become.

    The later verdict's own confidence is about one message, mostly about points that it never meant to speak of. It
    counts only where the doubt was about the message before as a whole and about no point of it.
    """
    sureness = _sureness(before.points)
    if not sureness or (is_unsure(before) and not in_doubt(before)):
        return max(before.confidence, after.confidence)
    return round(min(1.0, before.confidence * _sureness(points) / sureness), 3)


def _still_disagreed(before: Verdict, after: Verdict, points: Sequence[PointVerdict]) -> tuple[str, ...]:
    """The points that stand as a message left them on which two judges differed."""
    stands = {p.point: p for p in points}
    return tuple(
        dict.fromkeys(
            p.point
            for one in (before, after)
            for p in one.points
            if p.point in one.disagreed and stands.get(p.point) == p
        )
    )


def _sureness(points: Sequence[PointVerdict]) -> float:
    """The points' probabilities, averaged by weight."""
    total = sum(p.weight for p in points)
    return sum(p.weight * p.probability for p in points) / total if total else 0.0
