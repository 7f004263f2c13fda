"""Free code without a task: run it and show what it printed.

``passed`` says that it ran to its end and nothing more; whether it showed what the candidate claims is for others.
"""

from __future__ import annotations

from collections.abc import Callable

from interviewer.models import CodeRun, Outcome
from interviewer.sandbox.slot import Ended, Slot
from interviewer.sandbox.start import compile_in, finish, run


def experiment(code: str, open_slot: Callable[[], Slot]) -> CodeRun:
    outcome, message = Outcome.PASSED, "The code ran to its end."
    try:
        with open_slot() as slot:
            try:
                compile_in(slot, code)
                run(slot, entry="")
                finish(slot)
            except Ended as end:
                outcome, message = end.outcome, end.message
    except Ended as end:  # no slot could be had
        return CodeRun(outcome=end.outcome, message=end.message)
    return CodeRun(outcome=outcome, message=message, output=slot.output, seconds=slot.seconds, device=slot.device)
