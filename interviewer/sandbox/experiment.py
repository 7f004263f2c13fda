"""Free code without a task: run it and show what it printed.

``passed`` says that it ran to its end and nothing more; whether it showed what the candidate claims is for others.
"""

from __future__ import annotations

from interviewer.models import CodeRun, Outcome
from interviewer.sandbox.slot import Ended, Slot
from interviewer.sandbox.start import finish, run, start, started


def experiment(code: str, slot: Slot) -> CodeRun:
    try:
        start(code, slot, ["torch"] if "torch" in code else [])
        started(slot)
        run(slot, entry="")
        finish(slot)
    except Ended as end:
        return CodeRun(outcome=end.outcome, message=end.message)
    return CodeRun(outcome=Outcome.PASSED, message="The code ran to its end.")
