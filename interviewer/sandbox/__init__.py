"""The door of the sandbox: a task and code in, what happened out.

Promises that a candidate's code never runs without the isolation that ``isolation`` names, unless the settings allow it,
and that a verdict rests on what the judge outside compared, never on what the code said of itself. Keeps nothing
between runs: every run has processes of its own.
"""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from interviewer.errors import SandboxUnavailable
from interviewer.models import CodeRun, OnProgress, Outcome, Progress, Task
from interviewer.sandbox import bubblewrap, gpu
from interviewer.sandbox.bubblewrap import Bubblewrap
from interviewer.sandbox.experiment import experiment
from interviewer.sandbox.gpu import Exclusive, NvidiaGpu, Quarantined
from interviewer.sandbox.isolation import Isolation, find_out
from interviewer.sandbox.judge import judge
from interviewer.sandbox.limits import MIB, Limits
from interviewer.sandbox.pool import Pool
from interviewer.sandbox.slot import Slot
from interviewer.settings import Settings

__all__ = ["Isolation", "Sandbox"]

OpenSlot = Callable[[], Slot]
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
        self._card: Card | None = None
        self._starting = threading.Lock()
        self._distrusted = ""
        self._closed = False
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
            self._started_pool()

    def distrust(self, reason: str) -> None:
        """From now on no code is run: the walls are there, but did not hold."""
        self._distrusted = reason

    @property
    def ready(self) -> int:
        """How many slots wait for a submission now."""
        return self._pool.ready if self._pool else 0

    def judge(
        self, task: Task, code: str, on_progress: OnProgress = lambda _: None, *, compare: bool = False
    ) -> CodeRun:
        """A submission against its task; ``on_progress`` hears of each step, and of each check before its first case.

        ``compare``: a submission that passes is also timed and weighed beside the task's solution.
        Raises SandboxUnavailable where the code was not run for want of isolation.
        """
        limits = self._limits(task.seconds, task.memory_mib, task.scratch_mib)

        def work(open_slot: OpenSlot) -> CodeRun:
            return judge(task, code, open_slot, on_progress, compare=compare)

        return self._run(limits, work, on_progress, on_gpu=task.device == "gpu")

    def experiment(self, code: str, seconds: float = 10, on_progress: OnProgress = lambda _: None) -> CodeRun:
        """Free code, run to its end or for ``seconds``; what it printed is in ``output``."""
        return self._run(self._limits(seconds), lambda open_slot: experiment(code, open_slot), on_progress)

    def close(self) -> None:
        """Ends everything that the sandbox has started. Also happens when the process ends, in whatever way."""
        with self._starting:
            self._closed = True
            pools = [self._pool, self._card.pool if self._card else None]
            self._pool = self._card = None
        for pool in pools:
            if pool:
                pool.close()

    def _run(
        self, limits: Limits, work: Callable[[OpenSlot], CodeRun], on_progress: OnProgress, on_gpu: bool = False
    ) -> CodeRun:
        isolation = self.isolation()
        if not isolation.available and not self._settings.run_code_without_isolation:
            raise SandboxUnavailable(
                f"The code was not run, because it cannot be isolated here: {isolation.reason} {isolation.mend} "
                "Or allow code to run with your own rights: INTERVIEWER_RUN_CODE_WITHOUT_ISOLATION=true."
            )
        if self._distrusted:
            raise SandboxUnavailable(
                f"The code was not run, because the sandbox cannot be trusted here: {self._distrusted}"
            )
        with self._turn(on_progress):
            run = self._attempt(limits, work, on_gpu)
            if run.outcome is Outcome.INFRASTRUCTURE and not self._closed:
                time.sleep(_PAUSE)  # what broke has time to end and to be replaced
                run = self._attempt(limits, work, on_gpu)
        return run.model_copy(update={"isolation": str(isolation.under(limits))})

    @contextmanager
    def _turn(self, on_progress: OnProgress) -> Iterator[None]:
        waited = not self._turns.acquire(blocking=False)
        if waited:
            on_progress(Progress(step="queued"))
            self._turns.acquire()
        try:
            if waited:  # whoever wants the run no more can say so before it begins
                on_progress(Progress(step="starting"))
            yield
        finally:
            self._turns.release()

    def _attempt(self, limits: Limits, work: Callable[[OpenSlot], CodeRun], on_gpu: bool) -> CodeRun:
        card = self._started_card() if on_gpu else None
        if card is None:
            pool = self._started_pool()
            return work(lambda: pool.take(limits))
        try:
            with card.exclusive.turn():
                return work(lambda: card.pool.take(limits))
        except Quarantined as error:
            return CodeRun(outcome=Outcome.INFRASTRUCTURE, message=str(error))

    def _started_pool(self) -> Pool:
        with self._starting:
            if self._pool is None:
                self._pool = self._start(self._settings.sandbox_slots)
                self._closed = False
            return self._pool

    def _started_card(self) -> Card | None:
        """None where there is no GPU: the task is then run on the CPU, and the run says so."""
        with self._starting:
            found, _ = gpu.find()
            if self._card is None and found:
                pool = self._start(1, found)
                self._card = Card(pool, Exclusive(found, lambda: pool.ready == 1))
            return self._card

    def _start(self, size: int, card: NvidiaGpu | None = None) -> Pool:
        walls = self._isolation is not None and self._isolation.available and self._binary
        wrap = Bubblewrap(walls, tuple(card.nodes()) if card else ()) if walls else None
        pool = Pool(wrap, self._limits(), size, card)
        weakref.finalize(self, pool.close)
        pool.start()
        return pool

    def _limits(self, seconds: float = 10, memory_mib: int | None = None, scratch_mib: int = 64) -> Limits:
        memory = (memory_mib or self._settings.sandbox_memory_mb) * MIB
        return Limits(memory=memory, seconds=seconds, scratch=scratch_mib * MIB)


@dataclass(frozen=True)
class Card:
    """A GPU: slots with a context on it, and the right to use it."""

    pool: Pool
    exclusive: Exclusive
