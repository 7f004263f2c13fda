"""What the grader thought of each message as it came, read from the checkpoints that are kept anyway.

Promises that nothing is told of a question that is still open, nor of an exam before its report.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from interviewer.models import Verdict

if TYPE_CHECKING:
    from interviewer.interview.session import Interviews, Session


def thoughts(interviews: Interviews, session: Session) -> dict[int, Verdict]:
    """For each graded message, by the ``seq`` of its turn, the verdict on that message alone."""
    if session.withholds_grades:
        return {}
    found: dict[int, Verdict] = {}
    told = False  # whether the question of the turns that come now has been closed: the newest turn comes first
    for snapshot in interviews.graph.get_state_history({"configurable": {"thread_id": session.id}}):
        state = snapshot.values
        if snapshot.next or "turn" not in state:
            continue
        told = told or bool(state.get("closed") or state.get("done"))
        if told and state.get("graded"):
            found.setdefault(state["turn"], Verdict.model_validate(state["graded"]))
    return found
