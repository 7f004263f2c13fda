"""Code that is tried before it is handed in: not a turn, not evidence, and nothing of it is remembered here.

Promises that a trial shows what an interviewer would let somebody see who types at their keyboard: what the program itself
prints and, in a practice, how the plainest check of the task went. What the other checks are called, which inputs they have,
and what the code prints on those, stays hidden. In an exam no check is run at all.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from interviewer.interview.exam import in_exam
from interviewer.interview.session import Interviews
from interviewer.interview.state import Sandbox, State, current
from interviewer.interview.tools import call, experiment_tool, verify_tool
from interviewer.models import Check, CheckKind, CodeRun, Outcome, Task, Value


class Trial(Value):
    """``run``: of the program by itself. ``check``: the plainest one, where it was run to its end; ``ended``: why it wasn't, in a
    sentence; ``hidden``: how many more look at the code once it is handed in."""

    run: CodeRun
    check: Check | None = None
    ended: str = ""
    hidden: int = 0


def try_code(interviews: Interviews, session_id: str, code: str, progress: Callable[[str], None]) -> Trial:
    """Runs ``code`` for the question on the table. What ``progress`` raises ends it between two of its steps.
    Where the sandbox can't be had the run says so."""
    kept = interviews.graph.get_state({"configurable": {"thread_id": session_id}})
    state = cast(State, kept.values)
    sandbox = interviews.rooms(progress, lambda _: None, None).sandbox
    progress("Running your code")
    run = call(experiment_tool(sandbox, progress), code)
    now = current(state)
    task = now.question.task if now and not in_exam(state) else None
    if task is None or run.outcome is not Outcome.PASSED:
        return Trial(run=run)
    return _checked(task, code, run, sandbox, progress)


def _checked(task: Task, code: str, run: CodeRun, sandbox: Sandbox, progress: Callable[[str], None]) -> Trial:
    judged = call(verify_tool(sandbox, task, lambda _: progress("Trying the first check")), code)
    hidden = len(task.checks) - 1
    if judged.outcome not in (Outcome.PASSED, Outcome.FAILED) or _none_was_run(judged):
        return Trial(run=run, ended=judged.message, hidden=hidden)
    return Trial(run=run, check=next(c for c in judged.checks if c.name == _plainest(task)), hidden=hidden)


def _none_was_run(judged: CodeRun) -> bool:
    """Whether all its checks failed for one reason that has nothing to do with them: nothing is defined that they could call."""
    return len(judged.checks) > 1 and len({check.detail or check.name for check in judged.checks}) == 1


def _plainest(task: Task) -> str:
    """The name of the first check that compares values."""
    return next((check for check in task.checks if check.kind is CheckKind.VALUES), task.checks[0]).name
