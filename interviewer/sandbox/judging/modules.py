"""The checks of an nn.Module's state, and of what it does when its mode changes."""

from __future__ import annotations

from interviewer.sandbox.compare import describe, wrong_values
from interviewer.sandbox.judging.answers import call, compare_answer
from interviewer.sandbox.judging.caller import Caller, Wrong
from interviewer.sandbox.judging.solving import Solved


def state(solved: Solved, caller: Caller) -> None:
    assert solved.state is not None
    caller.make(solved)
    caller.fetch_state(solved.state)
    caller.load(solved.state)
    compare_answer(solved, call(solved, caller))
    _compare_state(solved, caller)


def modes(solved: Solved, caller: Caller) -> None:
    caller.begin(solved)
    for at in range(len(solved.calls)):
        try:
            compare_answer(solved, call(solved, caller, at), at)
        except Wrong as wrong:
            step = solved.case.steps[at]
            call_of = describe(solved.case.exam.names_of(step.args), step.args)
            raise Wrong(f"call {at + 1} ({step.mode}, {call_of}): {wrong}") from wrong
    _compare_state(solved, caller)


def _compare_state(solved: Solved, caller: Caller) -> None:
    assert solved.state is not None and solved.after is not None
    got = caller.fetch_state(solved.state)
    for name, expected in solved.after.items():
        if problem := wrong_values(expected, got[name], solved.tolerance):
            raise Wrong(f"{name!r} in its state_dict() at the end: {problem}")
