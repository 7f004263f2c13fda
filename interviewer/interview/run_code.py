"""Step 3: run what the candidate wrote, where there is any.

A question with a task has the code judged against it; code given to any other question is run and shown.
Where the sandbox can't be had the turn goes on: the run says so and nobody loses points for it.
"""

from __future__ import annotations

from interviewer.interview.state import Heard, Rooms, State, current
from interviewer.interview.tools import call, experiment_tool, verify_tool


def run_code(state: State, rooms: Rooms) -> State:
    heard = Heard.model_validate(state["heard"])
    now = current(state)
    if now is None or not heard.code.strip():
        return {"run": None}
    task = now.question.task
    rooms.progress("Running your code")
    say = rooms.progress
    tool = verify_tool(rooms.sandbox, task, say) if task else experiment_tool(rooms.sandbox, say)
    return {"run": call(tool, heard.code).model_dump(mode="json")}
