"""Step 3: run what the candidate wrote, where there is any.

A question with a task has the code judged against it; code given to any other question is run and shown.
Where the sandbox can't be had the turn goes on: the run says so and nobody loses points for it.
"""

from __future__ import annotations

from interviewer.errors import SandboxUnavailable
from interviewer.interview.state import Heard, Rooms, State, current
from interviewer.models import CodeRun, Outcome


def run_code(state: State, rooms: Rooms) -> State:
    heard = Heard.model_validate(state["heard"])
    now = current(state)
    if now is None or not heard.code.strip():
        return {"run": None}
    task = now.question.task
    rooms.progress("Running your code")
    try:
        if task:
            run = rooms.sandbox.judge(task, heard.code, lambda check: rooms.progress(f"Running your code: {check}"))
        else:
            run = rooms.sandbox.experiment(heard.code)
    except SandboxUnavailable as error:
        run = CodeRun(outcome=Outcome.INFRASTRUCTURE, message=str(error))
    return {"run": run.model_dump(mode="json")}
