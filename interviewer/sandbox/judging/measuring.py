"""One call, timed and weighed from outside.

The clock is ours: it runs from the moment the arguments leave until the last byte of the result is here. Memory is what
the control group had in use at most, so that freed memory, children and files in /tmp count.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from interviewer.models import Outcome
from interviewer.sandbox.judging.answers import call, compare
from interviewer.sandbox.judging.caller import Caller, Wrong
from interviewer.sandbox.judging.solving import Solved
from interviewer.sandbox.judging.trial import fault_of_solution
from interviewer.sandbox.limits import MIB
from interviewer.sandbox.slot import Ended, Slot

_MAY_HOLD = 8 * MIB  # before the call, more than the solution does: two processes are never quite alike


@dataclass(frozen=True)
class Need:
    """In bytes. ``giving``: at the peak while the arguments came; ``before``: in use before the call; ``call``: what that
    needed on top at its peak."""

    giving: int
    before: int
    call: int

    def beside(self, solution: Need) -> int:
        """What the call needed, with what the submission had put by for it, or had done before it was called."""
        put_by = _excess(self.before, solution.before)
        return max(self.call + put_by, _excess(self.giving, solution.giving))


def _excess(theirs: int, ours: int) -> int:
    return theirs - ours if theirs - ours > _MAY_HOLD else 0


def timed(caller: Caller, solved: Solved) -> float:
    """Seconds. Raises Wrong where the values are not right."""
    try:
        caller.begin(solved)
        began = time.perf_counter()
        answer = call(solved, caller, inputs=False)
        seconds = time.perf_counter() - began
    except (Wrong, Ended) as error:
        raise (fault_of_solution(error) if caller.ours else error) from error
    if not caller.ours:
        compare(solved, solved.answers[0], answer.tensors())
    return seconds


def weighed(caller: Caller, solved: Solved) -> Need:
    """Raises Wrong where the values are not right."""
    try:
        caller.begin(solved)
        start = _usage(caller.slot)
        caller.give(solved.calls[0])
        giving = caller.slot.peak() - start
        before = _usage(caller.slot)
        answer = caller.answer(solved.answers[0], None, mode=solved.case.steps[0].mode, inputs=False)
        need = Need(giving, before, caller.slot.peak() - before)
    except (Wrong, Ended) as error:
        raise (fault_of_solution(error) if caller.ours else error) from error
    if not caller.ours:
        compare(solved, solved.answers[0], answer.tensors())
    return need


def _usage(slot: Slot) -> int:
    """Bytes in use in the slot at this moment. Raises Ended where that can't be known."""
    if not slot.reset_peak():
        message = "This task measures memory, which this machine can't do, so your code was not judged."
        raise Ended(Outcome.INFRASTRUCTURE, message)
    return slot.peak()
