"""One run: a single-use process in the sandbox, spoken to in lock-step and killed at the end.

Promises that nothing is read that was not asked for, that no wait outlasts the budget, that output is bounded, and
that no process, control group or folder is left behind. Does not decide whether an answer is right.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import selectors
import shutil
import signal
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from pydantic import ValidationError

from interviewer.models import Outcome
from interviewer.sandbox import bubblewrap
from interviewer.sandbox.cgroup import Group
from interviewer.sandbox.gpu import Accelerator, Meter
from interviewer.sandbox.inside.wire import PREFIX, FrameError, pack, unpack_header, unpack_prefix
from interviewer.sandbox.limits import MIB, STARTUP_SECONDS, Limits, MemoryWatch, peak_of, reset_peak_of, tree
from interviewer.sandbox.reply import Reply, plain, read_reply
from interviewer.sandbox.waiting import readable
from interviewer.sandbox.zygote import Cell, Zygote, ZygoteFailure

_PIPE_BYTES = 1 << 20
_AHEAD = 1 << 12
_FORGED = "The program wrote to the channel between itself and its judge, so this run does not count."
_SECONDS_TO_END = 5.0
Cleaner = Callable[[Callable[[], None]], None]


class Ended(Exception):
    """The run is over before its time; ``outcome`` and ``message`` say why."""

    def __init__(self, outcome: Outcome, message: str):
        self.outcome = outcome
        self.message = message
        super().__init__(message)


class Slot:
    """``scratch``: a folder to make one's own in where there are no walls, None within them. ``cleaner`` is given the
    work of tidying up once the run is over, so that nobody waits for it."""

    def __init__(
        self,
        zygote: Zygote,
        limits: Limits,
        *,
        accelerator: Accelerator | None = None,
        scratch: Path | None = None,
        cleaner: Cleaner | None = None,
    ):
        self.seconds = 0.0  # spent on the candidate's account
        self.device = accelerator.torch_device if accelerator else "cpu"
        self._accelerator = accelerator
        self._meter: Meter | None = None
        self._limits = limits
        self._cleaner = cleaner or (lambda work: work())
        self._asked = 0
        self._answered = 0
        self._pending = memoryview(b"")
        self._received = bytearray()
        self._missing = 0
        self._ours = True
        self._output = bytearray()
        self._dropped = 0
        self._group = Group()
        self._scratch = scratch / os.urandom(8).hex() if scratch else None
        self._files: list[int] = []
        self._cell: Cell | None = None
        self._watch: MemoryWatch | None = None
        self._err = -1
        self._selector = selectors.DefaultSelector()
        try:
            self._start(zygote)
            self._runner = list(tree(self._own_cell.pid))[1]  # known while it is the only child of process 1
        except (OSError, IndexError, ZygoteFailure) as error:
            if self._err >= 0:
                self._read_output()
            said = self.output.strip()
            self._remove()
            raise Ended(Outcome.INFRASTRUCTURE, f"The sandbox could not be started: {said or error}.") from error
        for file in (self._out, self._err):
            self._selector.register(file, selectors.EVENT_READ)
        if not self._group.holds_memory:
            self._watch = MemoryWatch(self._own_cell.pid, limits.memory)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def walls(self) -> dict[str, Any]:
        """What the cell said of itself before anybody's code was in it: ``landlock`` (its version, 0: none)."""
        return self._own_cell.walls

    @property
    def limits(self) -> Limits:
        return self._limits

    def fit(self, limits: Limits) -> bool:
        """Takes on other limits, where they differ only in what can still be changed. Says whether it could."""
        changed = replace(self._limits, memory=limits.memory, seconds=limits.seconds)
        if changed != limits or (self._watch and limits.memory != self._limits.memory) or not self._own_cell.alive():
            return False
        if limits.memory != self._limits.memory:
            self._group.limit(limits)
        self._limits = limits
        return True

    def reset_peak(self) -> bool:
        """From now on ``peak`` counts from what is in use at this moment. False where it can't be measured."""
        with contextlib.suppress(OSError):
            if self._accelerator:
                self._stop_meter()
                self._meter = Meter(self._accelerator)
                return True
            if self._group.holds_memory:
                return self._group.reset_peak()
            reset_peak_of(self._runner)
            if self._watch:
                self._watch.most = 0
            return True
        return False

    def peak(self) -> int:
        """Bytes in use at most since ``reset_peak``, read from outside: of the device, where there is one, else of the run.
        Without a control group, other processes than the runner are seen only while the watch looks."""
        if self._meter:
            return self._meter.most()
        if self._group.holds_memory:
            return self._group.peak()
        try:
            return max(peak_of(self._runner), self._watch.most if self._watch else 0)
        except (OSError, StopIteration) as error:  # it has ended
            raise self._over() from error

    @property
    def output(self) -> str:
        """What the program printed: untrusted text, its beginning where it was too much."""
        text = plain(self._output.decode(errors="replace"))
        return text + (f"\n[{self._dropped} more bytes were left out]" if self._dropped else "")

    def ask(
        self, op: str, body: bytes = b"", *, answer_bytes: int = 0, ours: bool = False, **header: Any
    ) -> tuple[Reply, bytes]:
        """One request and its answer, whose body has exactly ``answer_bytes``. Raises Ended.

        ``ours``: none of the candidate's code runs meanwhile, so neither time nor a failure is theirs.
        """
        self.post(op, body, ours=ours, **header)
        return self.answer(answer_bytes=answer_bytes)

    def post(self, op: str, body: bytes = b"", *, ours: bool = False, **header: Any) -> None:
        """The first half of ``ask``; the program works on it while the caller does something else."""
        if self._asked != self._answered:
            raise RuntimeError("a request is still unanswered")
        if readable(self._out):
            raise self._unasked()
        self._asked += 1
        self._ours = ours
        self._pending = memoryview(pack({"id": self._asked, "op": op, **header}, body))
        self._began = time.monotonic()
        self._deadline = self._began + (STARTUP_SECONDS if ours else self._limits.seconds - self.seconds)
        self._write()
        if self._pending:
            self._selector.register(self._in, selectors.EVENT_WRITE)
            self._pump(lambda: not self._pending)
            self._selector.unregister(self._in)
        self._posted = time.monotonic()

    def answer(self, *, answer_bytes: int = 0) -> tuple[Reply, bytes]:
        """The second half of ``ask``."""
        self._forgive_own_time()
        try:
            header, body = unpack_prefix(self._receive(PREFIX.size))
            reply = read_reply(unpack_header(self._receive(header)))
        except (FrameError, ValidationError) as error:
            raise Ended(Outcome.VIOLATION, _FORGED) from error
        if reply.id != self._asked or body != (0 if reply.failure else answer_bytes):
            raise Ended(Outcome.VIOLATION, _FORGED)
        data = self._receive(body)
        if self._received:
            raise Ended(Outcome.VIOLATION, _FORGED)
        self._answered = self._asked
        self._read_output()
        if not self._ours:
            self.seconds += time.monotonic() - self._began
        return reply, data

    def _forgive_own_time(self) -> None:
        """Where the answer is there already, what passed since the request was ours."""
        if readable(self._out):
            ours = time.monotonic() - self._posted
            self._began += ours
            self._deadline += ours

    def close(self) -> None:
        """Ends every process of the run. What was printed until now is kept."""
        with contextlib.suppress(Ended):
            self._read_output()
        self._own_cell.kill()
        self._stop_meter()
        self._cleaner(self._remove)

    @property
    def _own_cell(self) -> Cell:
        assert self._cell is not None
        return self._cell

    def _start(self, zygote: Zygote) -> None:
        theirs: list[int] = []
        try:
            self._in = self._pipe(theirs, ours_writes=True)
            self._out = self._pipe(theirs, ours_writes=False)
            self._err = self._pipe(theirs, ours_writes=False)
            self._group.make(self._limits)
            self._cell = zygote.fork(self._config(), (theirs[0], theirs[1], theirs[2]), self._group.entrances)
        finally:
            for file in theirs:
                os.close(file)

    def _pipe(self, theirs: list[int], *, ours_writes: bool) -> int:
        """Our end; the other one is added to ``theirs``."""
        read, write = os.pipe()
        ours, other = (write, read) if ours_writes else (read, write)
        self._files.append(ours)
        theirs.append(other)
        os.set_blocking(ours, False)
        with contextlib.suppress(OSError):  # a user may have only so much of them
            fcntl.fcntl(write, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
        return ours

    def _config(self) -> dict[str, Any]:
        walls = self._scratch is None
        home = bubblewrap.SCRATCH if self._scratch is None else str(self._scratch)
        if self._scratch:
            self._scratch.mkdir()
        return {
            "walls": walls,
            "uid": bubblewrap.throw_away_uid() if walls else None,
            "device": self.device,
            "environment": bubblewrap.environment(home)
            | (self._accelerator.environment() if self._accelerator else {}),
            "limits": self._limits.for_each_process(count_processes=walls and not self._group.holds_processes),
            "scratch": self._limits.scratch,
            "inodes": self._limits.inodes,
            "covered": bubblewrap.covered(),
            "readable": bubblewrap.readable(),
            "writable": bubblewrap.writable() + (self._accelerator.nodes() if self._accelerator else []),
        }

    def _receive(self, size: int) -> bytes:
        """So many bytes of the answer, which may be followed by others."""
        self._missing = size - len(self._received)
        self._pump(lambda: self._missing <= 0)
        data = bytes(memoryview(self._received)[:size])
        del self._received[:size]
        return data

    def _take(self) -> None:
        """What has come of the answer. It is read a little ahead: a frame takes one turn and not three."""
        if self._pending:
            raise self._unasked()
        chunk = os.read(self._out, min(self._missing + _AHEAD, _PIPE_BYTES))
        if not chunk:
            raise self._over()
        self._received += chunk
        self._missing -= len(chunk)

    def _pump(self, done: Callable[[], bool]) -> None:
        """Writes what is pending and takes output, until ``done``. Raises Ended at the deadline."""
        while not done():
            left = self._deadline - time.monotonic()
            if left <= 0:
                raise self._too_late()
            for key, _ in self._selector.select(left):
                if key.fd == self._in:
                    self._write()
                elif key.fd == self._err:
                    self._read_output()
                else:
                    self._take()

    def _write(self) -> None:
        try:
            self._pending = self._pending[os.write(self._in, self._pending) :]
        except BlockingIOError:
            return
        except BrokenPipeError as error:
            raise self._over() from error

    def _read_output(self) -> None:
        """Takes what was printed, without waiting for more."""
        while True:
            try:
                chunk = os.read(self._err, 1 << 16)
            except BlockingIOError:
                return
            if not chunk:
                with contextlib.suppress(KeyError):
                    self._selector.unregister(self._err)
                return
            kept = chunk[: self._limits.output_kept - len(self._output)]
            self._output += kept
            self._dropped += len(chunk) - len(kept)
            if self._dropped + len(self._output) > self._limits.output_most:
                most = self._limits.output_most // MIB
                raise Ended(Outcome.FAILED, f"The program printed more than {most} MiB and was stopped.")

    def _too_late(self) -> Ended:
        self.seconds += 0 if self._ours else time.monotonic() - self._began
        if self._ours:
            return Ended(Outcome.INFRASTRUCTURE, f"Python did not start within {STARTUP_SECONDS:g} s in the sandbox.")
        return Ended(Outcome.TIMEOUT, f"The program had not finished after {self._limits.seconds:g} s and was stopped.")

    def _unasked(self) -> Ended:
        """The channel is readable though nothing was asked: forged bytes, or the end."""
        return Ended(Outcome.VIOLATION, _FORGED) if os.read(self._out, 1) else self._over()

    def _over(self) -> Ended:
        """Why there is nobody left to answer."""
        ended = self._own_cell.wait(1.0)
        self._read_output()
        status = self._own_cell.status()
        out_of_memory = self._group.ran_out_of_memory() or bool(self._watch and self._watch.exceeded)
        self.seconds += 0 if self._ours else time.monotonic() - self._began
        if self._ours:
            why = "it ran out of memory" if out_of_memory else self.output.strip() or _how(status)
            return Ended(Outcome.INFRASTRUCTURE, f"The sandbox could not be started: {why}.")
        if out_of_memory:
            most = self._limits.memory // MIB
            return Ended(Outcome.OUT_OF_MEMORY, f"The program needed more than {most} MiB of memory and was stopped.")
        if ended and status is None:  # process 1, which the candidate can't end, was gone before it could report
            return Ended(Outcome.INFRASTRUCTURE, "The sandbox was stopped from outside while the program ran.")
        if not ended:
            return Ended(Outcome.VIOLATION, "The program closed the channel between itself and its judge.")
        return Ended(Outcome.FAILED, f"The program ended by itself before it had answered ({_how(status)}).")

    def _stop_meter(self) -> None:
        if self._meter:
            self._meter.stop()
            self._meter = None

    def _remove(self) -> None:
        """Everything that the run had; its processes are dead or dying."""
        if self._cell:
            self._cell.wait(_SECONDS_TO_END)  # killed, but perhaps stuck in the kernel until it lets go
        self._group.close()
        if self._cell:
            if self._watch:
                self._watch.stop()
            self._cell.close()
        self._selector.close()
        for file in self._files:
            os.close(file)
        if self._scratch:
            shutil.rmtree(self._scratch, ignore_errors=True)


def _how(status: int | None) -> str:
    if status is None:
        return "nobody knows how"
    if -status in set(signal.Signals):
        return signal.Signals(-status).name
    return f"exit status {status}"
