"""The door of the sandbox: a task and code in, what happened out.

Promises that a candidate's code never runs without the isolation that ``isolation`` names, unless the settings allow it,
and that a verdict rests on what the judge outside compared, never on what the code said of itself. Keeps nothing
between runs: every run has a process of its own.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from interviewer.errors import SandboxUnavailable
from interviewer.models import CodeRun, Task
from interviewer.sandbox import bubblewrap
from interviewer.sandbox.bubblewrap import Bubblewrap
from interviewer.sandbox.experiment import experiment
from interviewer.sandbox.isolation import Isolation, find_out
from interviewer.sandbox.judge import judge
from interviewer.sandbox.limits import MIB, Limits
from interviewer.sandbox.slot import Ended, Slot
from interviewer.settings import Settings

__all__ = ["Isolation", "Sandbox"]

OnCheck = Callable[[str], None]


class Sandbox:
    """Safe to use from several threads. ``binary``: another bubblewrap than the one that is found."""

    def __init__(self, settings: Settings, *, binary: Path | None = None):
        self._settings = settings
        self._binary = binary or bubblewrap.find()
        self._isolation: Isolation | None = None
        self._finding_out = threading.Lock()

    def isolation(self) -> Isolation:
        """Found out at the first call, by starting the sandbox once; remembered afterwards."""
        with self._finding_out:
            if self._isolation is None:
                self._isolation = find_out(self._binary, self._limits())
            return self._isolation

    def judge(self, task: Task, code: str, on_check: OnCheck | None = None) -> CodeRun:
        """A submission against its task; ``on_check`` hears each check's name before its first case.

        Raises SandboxUnavailable where the code was not run for want of isolation.
        """
        return self._run(task.seconds, lambda slot: judge(task, code, slot, on_check or (lambda _: None)))

    def experiment(self, code: str, seconds: float = 10) -> CodeRun:
        """Free code, run to its end or for ``seconds``; what it printed is in ``output``."""
        return self._run(seconds, lambda slot: experiment(code, slot))

    def _run(self, seconds: float, work: Callable[[Slot], CodeRun]) -> CodeRun:
        isolation = self.isolation()
        if not isolation.available and not self._settings.run_code_without_isolation:
            raise SandboxUnavailable(
                f"The code was not run, because it cannot be isolated here: {isolation.reason} {isolation.mend} "
                "Or allow code to run with your own rights: INTERVIEWER_RUN_CODE_WITHOUT_ISOLATION=true."
            )
        wrap = Bubblewrap(self._binary) if isolation.available and self._binary else None
        try:
            with Slot(wrap, self._limits(seconds)) as slot:
                run = work(slot)
        except Ended as end:  # nothing was started, so there is nothing to show but the reason
            return CodeRun(outcome=end.outcome, message=end.message, isolation=str(isolation))
        return run.model_copy(update={"output": slot.output, "seconds": slot.seconds, "isolation": str(isolation)})

    def _limits(self, seconds: float = 10) -> Limits:
        return Limits(memory=self._settings.sandbox_memory_mb * MIB, seconds=seconds)
