"""What the checks of one run share: the task's exam, slots with the submission or the solution in them, the account.

Promises that the candidate's time is one account over all slots, and that a solution of ours that fails is our fault.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from interviewer.models import Outcome, Task
from interviewer.sandbox.judging.caller import Caller
from interviewer.sandbox.judging.exam import Exam, JudgeFault
from interviewer.sandbox.slot import Ended, Slot
from interviewer.sandbox.start import compile_in, finish, run


@dataclass
class Figures:
    """What was measured; see CodeRun."""

    submission_seconds: float | None = None
    reference_seconds: float | None = None
    peak_memory: int | None = None
    reference_memory: int | None = None


class Trial:
    """``open_slot``: each slot is used once. ``output`` and ``device`` are those of the submission's first one."""

    def __init__(self, task: Task, code: str, open_slot: Callable[[], Slot], exam: Exam | None = None):
        self.task = task
        self.seconds = 0.0  # on the candidate's account
        self.output: str | None = None
        self.device = "cpu"
        self.figures = Figures()
        self._code = code
        self._open_slot = open_slot
        self._exam = exam

    @property
    def exam(self) -> Exam:
        """Made when it is first wanted. Raises JudgeFault."""
        if self._exam is None:
            self._exam = Exam(self.task)
        return self._exam

    @contextmanager
    def submission(self, meanwhile: Callable[[], None] = lambda: None) -> Iterator[Caller]:
        """A slot with the submission loaded. Raises Ended."""
        with self._open_slot() as slot:
            try:
                compile_in(slot, self._code, self.task.forbids, meanwhile)
                self._load(slot)
                yield Caller(slot, meanwhile=meanwhile)
                finish(slot)
            finally:
                self._account(slot)
        if self.seconds > self.task.seconds:
            raise Ended(Outcome.TIMEOUT, f"The program took more than {self.task.seconds:g} s in all and was stopped.")

    @contextmanager
    def solution(self) -> Iterator[Caller]:
        """The same with the task's own solution. Raises JudgeFault where that doesn't load."""
        with self._open_slot() as slot:
            try:
                compile_in(slot, self.task.solution)
                self._load(slot)
            except Ended as end:
                raise fault_of_solution(end) from end
            yield Caller(slot, ours=True)

    def _load(self, slot: Slot) -> None:
        if not run(slot, self.task.entry).callable:
            what = "class" if self.exam.is_module else "function"
            raise Ended(
                Outcome.FAILED, f"The code does not define a {what} {self.task.entry}, which the task asks for."
            )

    def _account(self, slot: Slot) -> None:
        self.seconds += slot.seconds
        if self.output is None:
            self.output = slot.output
            wanted = self.task.device == "gpu" and slot.device == "cpu"
            self.device = "cpu, because this machine has no GPU" if wanted else slot.device


def fault_of_solution(error: Exception) -> Exception:
    """What an error in a slot with our own solution amounts to."""
    if isinstance(error, Ended) and error.outcome is Outcome.INFRASTRUCTURE:
        return error
    message = error.message if isinstance(error, Ended) else str(error)
    return JudgeFault(f"its own solution fails: {message}")
