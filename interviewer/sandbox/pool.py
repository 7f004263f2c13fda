"""Slots that are ready before anybody asks: forked from a zygote that has the libraries loaded, used once, replaced.

One thread owns the zygote and keeps ``size`` slots ready; another tidies up after those that were used. Promises that a
slot is handed out once, that a zygote that dies is replaced, and that after ``close``, or after this process was killed,
no process, control group or folder is left.
"""

from __future__ import annotations

import contextlib
import queue
import shutil
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from interviewer.models import Outcome
from interviewer.sandbox import cgroup
from interviewer.sandbox.bubblewrap import Bubblewrap
from interviewer.sandbox.gpu import Accelerator
from interviewer.sandbox.janitor import Janitor
from interviewer.sandbox.limits import STARTUP_SECONDS, Limits
from interviewer.sandbox.slot import Ended, Slot
from interviewer.sandbox.zygote import Zygote, ZygoteFailure

# Beside torch, what parts of it import at their first call.
MODULES = [
    "torch",
    "inside.tensors",
    "torch.fx.experimental.symbolic_shapes",  # autograd, in 0.3 s
    # Checkpointing, torch.func and torch.compile import these at their first call: 100 MiB and seconds that would count
    # against the candidate.
    "torch._dynamo",
    "torch._decomp.decompositions_for_jvp",
]
_LOOK_EVERY = 1.0
_GRACE = 0.1
_FAILURES_TO_GIVE_UP = 3


class Pool:
    """``wrap``: the walls, or None to run with this user's rights. Starts nothing before ``start`` or ``take``."""

    def __init__(self, wrap: Bubblewrap | None, limits: Limits, size: int, accelerator: Accelerator | None = None):
        self._wrap = wrap
        self._limits = limits
        self._size = size
        self._accelerator = accelerator
        self._ready: deque[Slot] = deque()
        self._zygote: Zygote | None = None
        self._failures = 0
        self._failures_in_a_row = 0
        self._reason = ""
        self._wanted = True
        self._closed = False
        self._cleaned = False
        self._changed = threading.Condition()
        self._keeper = threading.Thread(target=self._keep, name="sandbox-pool", daemon=True)
        self._used: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._scratch: Path | None = None

    def start(self) -> None:
        """Begins to fill the pool in the background."""
        with self._changed:
            if not self._keeper.ident and not self._closed:
                self._scratch = None if self._wrap else Path(tempfile.mkdtemp(prefix="interviewer-run-"))
                self._keeper.start()

    @property
    def ready(self) -> int:
        """How many slots are waiting now."""
        return len(self._ready)

    def take(self, limits: Limits) -> Slot:
        """A slot that nobody has used, made on the spot where none is ready or fits. Raises Ended."""
        self.start()
        same = replace(self._limits, memory=limits.memory, seconds=limits.seconds) == limits
        while same and (slot := self._next()):
            if slot.fit(limits):
                return slot
            slot.close()
        return self._open(self._loaded(), limits)

    def close(self) -> None:
        """Ends what is running as well."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        if self._keeper.ident:
            self._keeper.join()

    def _next(self) -> Slot | None:
        with self._changed:
            alive = self._zygote is not None and self._zygote.alive()
            slot = self._ready.popleft() if self._ready and alive else None
            self._changed.notify_all()
            return slot

    def _loaded(self) -> Zygote:
        """The zygote, waited for while it loads. Raises Ended where a new one could not be started either."""
        until = time.monotonic() + STARTUP_SECONDS
        with self._changed:
            failures = self._failures
            self._wanted = True
            self._changed.notify_all()
            while self._zygote is None or not self._zygote.alive():
                self._changed.wait(min(_LOOK_EVERY, until - time.monotonic()))
                if self._failures > failures or self._closed or time.monotonic() > until:
                    reason = self._reason or "it did not get ready in time"
                    raise Ended(Outcome.INFRASTRUCTURE, f"The sandbox could not be started: {reason}.")
            return self._zygote

    def _open(self, zygote: Zygote, limits: Limits) -> Slot:
        try:
            slot = Slot(zygote, limits, accelerator=self._accelerator, scratch=self._scratch, cleaner=self._clean_later)
        except OSError as error:
            raise Ended(Outcome.INFRASTRUCTURE, f"The sandbox could not be started: {error}.") from error
        try:
            reply, _ = slot.ask("hello", ours=True)
        except Ended:
            slot.close()
            raise
        if reply.failure:
            slot.close()
            raise Ended(Outcome.INFRASTRUCTURE, f"The sandbox is not fit to run code: {reply.failure}")
        return slot

    def _clean_later(self, remove: Callable[[], None]) -> None:
        if self._cleaned:  # nobody is left to do it
            remove()
        else:
            self._used.put(remove)

    def _clean(self) -> None:
        while remove := self._used.get():
            if self._used.empty() and not self._closed:  # no hurry: the verdict goes out first
                time.sleep(_GRACE)
            with contextlib.suppress(OSError):  # the next sweep finds what is left of this one
                remove()

    def _keep(self) -> None:
        cgroup.sweep()
        cleaner = threading.Thread(target=self._clean, name="sandbox-cleaner", daemon=True)
        cleaner.start()
        with Janitor(self._scratch):
            while not self._closed:
                try:
                    self._look_after_the_zygote()
                    self._fill()
                except Exception as error:  # of descriptors, memory or processes there may be none left for now
                    self._failed(f"{type(error).__name__}: {error}")
                    time.sleep(_GRACE)
                with self._changed:
                    self._changed.wait_for(self._something_to_do, _LOOK_EVERY)
                if self._ready:  # no hurry: the run that took a slot goes first, on the interpreter and on the cores
                    time.sleep(_GRACE)
            while self._ready:
                self._ready.popleft().close()
            zygote, self._zygote = self._zygote, None
            if zygote:
                zygote.close()
            self._cleaned = True
            self._used.put(None)
            cleaner.join()
        if self._scratch:
            shutil.rmtree(self._scratch, ignore_errors=True)

    def _something_to_do(self) -> bool:
        alive = self._zygote is not None and self._zygote.alive()
        return self._closed or (self._wanted and not alive) or (alive and len(self._ready) < self._size)

    def _look_after_the_zygote(self) -> None:
        """After a failure nothing is tried until somebody wants a slot."""
        if self._zygote and not self._zygote.alive():
            self._drop_zygote()
        if self._zygote or not self._wanted:
            return
        self._wanted = False
        try:
            zygote = Zygote(self._wrap, MODULES)
        except ZygoteFailure as failure:
            self._failed(str(failure))
            return
        with self._changed:
            self._zygote = zygote
            self._changed.notify_all()

    def _drop_zygote(self) -> None:
        """Its cells have ended with it."""
        with self._changed:
            zygote, self._zygote = self._zygote, None
            self._wanted = True
            dead = list(self._ready)
            self._ready.clear()
        for slot in dead:
            slot.close()
        if zygote:
            zygote.close()

    def _failed(self, reason: str) -> None:
        with self._changed:
            self._failures += 1
            self._reason = reason
            self._changed.notify_all()

    def _fill_failed(self, reason: str) -> None:
        """A zygote that can't fork any more is given up, but not at once: runs that go on would end with it."""
        self._failures_in_a_row += 1
        time.sleep(_GRACE)
        if self._failures_in_a_row >= _FAILURES_TO_GIVE_UP:
            self._failures_in_a_row = 0
            self._failed(reason)
            self._drop_zygote()
            self._wanted = False

    def _fill(self) -> None:
        while self._zygote and len(self._ready) < self._size and not self._closed:
            try:
                slot = self._open(self._zygote, self._limits)
            except Ended as end:
                if self._zygote.alive():  # else it is replaced, and that may succeed
                    self._fill_failed(end.message)
                return
            self._failures_in_a_row = 0
            with self._changed:
                self._ready.append(slot)
                self._changed.notify_all()
