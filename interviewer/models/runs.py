"""What happened to code that was run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from interviewer.models.bank import Outcome
from interviewer.models.base import Value


class Check(Value):
    """One check of a task; ``detail`` says what was expected and what came, for a person."""

    name: str
    passed: bool
    detail: str = ""


class CodeRun(Value):
    """What happened to one submission. ``output`` is the program's own text: untrusted, bounded.

    An ``infrastructure`` outcome is never the candidate's fault and never counts against them. ``peak_memory`` is what
    the call that needed most had in use above what was in use before it. The four last are known where memory or speed
    was measured; those of the reference are the solution's, on the same inputs.
    """

    outcome: Outcome
    checks: tuple[Check, ...] = ()
    message: str = ""
    output: str = ""
    seconds: float = 0.0
    isolation: str = ""
    device: str = "cpu"
    submission_seconds: float | None = None
    reference_seconds: float | None = None
    peak_memory: int | None = None
    reference_memory: int | None = None

    def proves(self, names: tuple[str, ...]) -> bool:
        passed = {c.name for c in self.checks if c.passed}
        return bool(names) and set(names) <= passed


class Progress(Value):
    """Where a run is: waiting for its turn, being prepared, or at a check."""

    step: Literal["queued", "starting", "check"]
    check: str = ""
    number: int = 0
    of: int = 0

    def __str__(self) -> str:
        return f"running check {self.number} of {self.of}: {self.check}" if self.step == "check" else self.step


OnProgress = Callable[[Progress], None]
