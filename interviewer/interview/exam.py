"""How an exam differs from a practice: what was right, what was wrong and what is so is told in the report alone.

Promises that nothing said in an exam before its report depends on how an answer was graded, but for which question or follow-up
comes next. That code ran is told; what the checks of a task showed is not.
"""

from __future__ import annotations

from collections.abc import Callable

from interviewer.interview.state import Decision, State, current
from interviewer.markdown import escape, one_line
from interviewer.models import Answered, CodeRun, Evidence, Outcome, Part, PartKind, Plan, Question

NO_HINTS = "This is an exam, so I give no hints. Say what you can, or `skip`."
NO_GRADES_YET = (
    "In an exam the grades come with the report; once you have it, say `dispute` and why, and a person will look."
)
_WORKING = "Taking in your answer"
_BY = "how its checks went stands in the report at the end."


def in_exam(state: State) -> bool:
    return Plan.model_validate(state.get("plan", {})).exam


def discreet(progress: Callable[[str], None]) -> Callable[[str], None]:
    """``progress`` that says only that something is going on: which check runs, or that a claim is being tested, would tell."""
    return lambda _: progress(_WORKING)


def what_happened(state: State, decision: Decision) -> list[Part]:
    """That code was run, and that a question was left unanswered."""
    run = CodeRun.model_validate(state["run"]) if state.get("run") else None
    parts = [_ran(run, _answered(state, decision))] if run else []
    left = _left_open(Answered.model_validate(state["answered"][-1]), decision) if decision.closed else ""
    return [*parts, Part(kind=PartKind.SAY, text=left)] if left else parts


def _answered(state: State, decision: Decision) -> Question | None:
    """The question that this message was about."""
    if decision.closed:
        return Evidence.model_validate(state["closed"]).question
    now = current(state)
    return now.question if now else None


def _ran(run: CodeRun, question: Question | None) -> Part:
    """A program that nothing is expected of is shown with what it printed: that is the candidate's own."""
    if question is None or question.task is None:
        return Part(kind=PartKind.RUN, text=f"I ran your code. {escape(one_line(run.message))}".strip(), run=run)
    return Part(kind=PartKind.SAY, text=_sentence(run))


def _sentence(run: CodeRun) -> str:
    match run.outcome:
        case Outcome.PASSED | Outcome.FAILED:
            return f"I ran your code; {_BY}"
        case Outcome.TIMEOUT:
            return f"I ran your code and stopped it, since it took too long; {_BY}"
        case Outcome.OUT_OF_MEMORY:
            return f"I ran your code and stopped it, since it needed too much memory; {_BY}"
        case Outcome.VIOLATION:
            return "I stopped your code: it did something a submission may not do."
        case Outcome.INFRASTRUCTURE:
            return "I could not run your code; that is my fault and costs you nothing."


def _left_open(answered: Answered, decision: Decision) -> str:
    if answered.skipped:
        return "Skipped. It will stand in the report as not answered."
    if decision.reason == "silence":
        return "I heard nothing more, so I go on."
    return "Fair enough; saying so beats guessing." if decision.reason == "gave up" else ""
