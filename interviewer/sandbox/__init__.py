"""The door of the sandbox: a task and code in, what happened out.

Promises that a candidate's code never runs without the isolation that ``isolation`` names, unless the settings allow it,
and that a verdict rests on what the judge outside compared, never on what the code said of itself. Keeps nothing
between runs: every run has processes of its own.
"""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Callable
from pathlib import Path

from interviewer.errors import SandboxUnavailable
from interviewer.models import CodeRun, Outcome, Task
from interviewer.sandbox import bubblewrap
from interviewer.sandbox.bubblewrap import Bubblewrap
from interviewer.sandbox.experiment import experiment
from interviewer.sandbox.isolation import Isolation, find_out
from interviewer.sandbox.judge import judge
from interviewer.sandbox.limits import MIB, Limits
from interviewer.sandbox.pool import Pool
from interviewer.sandbox.slot import Ended, Slot
from interviewer.settings import Settings

__all__ = ["Isolation", "Sandbox"]

OnCheck = Callable[[str], None]


_PAUSE = 0.3


class Sandbox:
    """Safe to use from several threads. ``binary``: another bubblewrap than the one that is found.

    At most ``settings.sandbox_runs`` submissions run at a time; the others wait for their turn.
    """

    def __init__(self, settings: Settings, *, binary: Path | None = None):
        self._settings = settings
        self._binary = binary or bubblewrap.find()
        self._isolation: Isolation | None = None
        self._pool: Pool | None = None
        self._starting = threading.Lock()
        self._turns = threading.BoundedSemaphore(settings.sandbox_runs)

    def isolation(self) -> Isolation:
        """Found out at the first call, by starting the sandbox once; remembered afterwards."""
        with self._starting:
            if self._isolation is None:
                self._isolation = find_out(self._binary, self._limits())
            return self._isolation

    def warm(self) -> None:
        """Begins to make slots ready, so that the first run doesn't wait for torch. Does nothing without isolation."""
        if self.isolation().available:
            self._started_pool().start()

    def judge(self, task: Task, code: str, on_check: OnCheck | None = None) -> CodeRun:
        """A submission against its task; ``on_check`` hears each check's name before its first case.

        Raises SandboxUnavailable where the code was not run for want of isolation.
        """
        return self._run(
            self._limits(task.seconds), lambda open_slot: judge(task, code, open_slot(), on_check or (lambda _: None))
        )

    def experiment(self, code: str, seconds: float = 10) -> CodeRun:
        """Free code, run to its end or for ``seconds``; what it printed is in ``output``."""
        return self._run(self._limits(seconds), lambda open_slot: experiment(code, open_slot()))

    def close(self) -> None:
        """Ends everything that the sandbox has started. Also happens when the process ends, in whatever way."""
        with self._starting:
            if self._pool:
                self._pool.close()
                self._pool = None

    def _run(self, limits: Limits, work: Callable[[Callable[[], Slot]], CodeRun]) -> CodeRun:
        isolation = self.isolation()
        if not isolation.available and not self._settings.run_code_without_isolation:
            raise SandboxUnavailable(
                f"The code was not run, because it cannot be isolated here: {isolation.reason} {isolation.mend} "
                "Or allow code to run with your own rights: INTERVIEWER_RUN_CODE_WITHOUT_ISOLATION=true."
            )
        with self._turns:
            run = self._attempt(limits, work)
            if (
                run.outcome is Outcome.INFRASTRUCTURE
            ):  # once more, when what broke has had time to end and to be replaced
                time.sleep(_PAUSE)
                run = self._attempt(limits, work)
        return run.model_copy(update={"isolation": str(isolation)})

    def _attempt(self, limits: Limits, work: Callable[[Callable[[], Slot]], CodeRun]) -> CodeRun:
        pool = self._started_pool()
        try:
            with pool.take(limits) as slot:
                run = work(lambda: slot)
        except Ended as end:  # nothing was started, so there is nothing to show but the reason
            return CodeRun(outcome=end.outcome, message=end.message)
        return run.model_copy(update={"output": slot.output, "seconds": slot.seconds})

    def _started_pool(self) -> Pool:
        with self._starting:
            if self._pool is None:
                walls = self._isolation is not None and self._isolation.available
                wrap = Bubblewrap(self._binary) if walls and self._binary else None
                self._pool = Pool(wrap, self._limits(), self._settings.sandbox_slots)
                weakref.finalize(self, self._pool.close)
            return self._pool

    def _limits(self, seconds: float = 10) -> Limits:
        return Limits(memory=self._settings.sandbox_memory_mb * MIB, seconds=seconds)
