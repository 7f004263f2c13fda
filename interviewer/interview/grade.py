"""Step 4: grade this message, and what the question's verdict is with it.

Each message is graded for itself, with the point that was probed; ``merge`` joins the verdicts, so that
what was said once stays said, and what was corrected counts as corrected.
"""

from __future__ import annotations

from interviewer.grading.score import score_of
from interviewer.interview.state import Heard, Rooms, State, current
from interviewer.models import CodeRun, PointVerdict, Reference, Standing, Verdict

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
    joined = merge(now.verdict, verdict) if now.verdict else verdict
    updated = now.model_copy(
        update={"replies": (*now.replies, heard.text), "verdict": joined, "run": shown, "silences": 0}
    )
    return {"graded": verdict.model_dump(mode="json"), "current": updated.model_dump(mode="json")}


def merge(before: Verdict, after: Verdict) -> Verdict:
    """The verdict on everything said so far. A later contradiction or correction replaces what stood; points
    that the later verdict leaves out, since a run that could prove them was not to be had, are left out."""
    earlier = {p.point: p for p in before.points}
    points = tuple(_later(earlier.get(p.point), p) for p in after.points)
    held = {m.id: m for m in (*before.misconceptions, *after.misconceptions)}
    standing_misconceptions = {p.misconception for p in points if p.verdict is Standing.CONTRADICTED}
    still_held = tuple(m for m in held.values() if m.id in standing_misconceptions)
    return after.model_copy(
        update={
            "points": points,
            "misconceptions": still_held,
            "score": score_of(points, still_held) if points else None,
            "confidence": min(before.confidence, after.confidence),
        }
    )


def _later(before: PointVerdict | None, after: PointVerdict) -> PointVerdict:
    if before is None:  # the run that could prove it was not to be had the first time
        return after
    if after.verdict is Standing.MISSING:
        return before
    if Standing.CONTRADICTED in (before.verdict, after.verdict):
        return after
    return max(before, after, key=lambda p: _CREDIT_ORDER.index(p.verdict))
