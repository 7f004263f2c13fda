"""One run: a single-use process in the sandbox, spoken to in lock-step and killed at the end.

Promises that nothing is read that was not asked for, that no wait outlasts the budget, that output is bounded, and
that no process, control group or folder is left behind. Does not decide whether an answer is right.
"""

from __future__ import annotations

import contextlib
import os
import select
import selectors
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from pydantic import ValidationError

from interviewer.models import Outcome
from interviewer.sandbox.bubblewrap import Bubblewrap, environment, runner
from interviewer.sandbox.cgroup import Group
from interviewer.sandbox.inside.wire import PREFIX, FrameError, pack, unpack_header, unpack_prefix
from interviewer.sandbox.limits import MIB, STARTUP_SECONDS, Limits, MemoryWatch
from interviewer.sandbox.reply import Reply, plain, read_reply

_ENTER = 'n=$1; shift; while [ "$n" -gt 0 ]; do echo $$ >"$1" || exit 1; shift; n=$((n - 1)); done; exec "$@"'
_FORGED = "The program wrote to the channel between itself and its judge, so this run does not count."
_SECONDS_TO_END = 5.0


class Ended(Exception):
    """The run is over before its time; ``outcome`` and ``message`` say why."""

    def __init__(self, outcome: Outcome, message: str):
        self.outcome = outcome
        self.message = message
        super().__init__(message)


class Slot:
    """``wrap``: the walls, or None to run with this user's rights."""

    def __init__(self, wrap: Bubblewrap | None, limits: Limits):
        self.seconds = 0.0  # spent on the candidate's account
        self._limits = limits
        self._asked = 0
        self._answered = 0
        self._pending = b""
        self._ours = True
        self._output = bytearray()
        self._dropped = 0
        self._scratch = None if wrap else tempfile.mkdtemp(prefix="interviewer-run-")
        self._group = Group()
        try:
            self._group.make(limits)
            self._process = self._start(wrap)
        except OSError as error:
            self._group.close()
            self._remove_scratch()
            raise Ended(Outcome.INFRASTRUCTURE, f"The sandbox could not be started: {error}.") from error
        assert self._process.stdin and self._process.stdout and self._process.stderr
        self._in, self._out, self._err = (
            pipe.fileno() for pipe in (self._process.stdin, self._process.stdout, self._process.stderr)
        )
        self._selector = selectors.DefaultSelector()
        for file in (self._out, self._err):
            self._selector.register(file, selectors.EVENT_READ)
        for file in (self._in, self._out, self._err):
            os.set_blocking(file, False)
        self._watch = None if self._group.holds_memory else MemoryWatch(self._process.pid, limits.memory)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

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
        if select.select([self._out], [], [], 0)[0]:
            raise self._unasked()
        self._asked += 1
        self._ours = ours
        self._pending = pack({"id": self._asked, "op": op, **header}, body)
        self._began = time.monotonic()
        self._deadline = self._began + (STARTUP_SECONDS if ours else self._limits.seconds - self.seconds)
        self._selector.register(self._in, selectors.EVENT_WRITE)
        self._pump(lambda: not self._pending)

    def answer(self, *, answer_bytes: int = 0) -> tuple[Reply, bytes]:
        """The second half of ``ask``."""
        try:
            header, body = unpack_prefix(self._receive(PREFIX.size))
            reply = read_reply(unpack_header(self._receive(header)))
        except (FrameError, ValidationError) as error:
            raise Ended(Outcome.VIOLATION, _FORGED) from error
        if reply.id != self._asked or body != (0 if reply.failure else answer_bytes):
            raise Ended(Outcome.VIOLATION, _FORGED)
        data = self._receive(body)
        self._answered = self._asked
        self._read_output()
        if not self._ours:
            self.seconds += time.monotonic() - self._began
        return reply, data

    def close(self) -> None:
        """Ends every process of the run. What was printed until now is kept."""
        with contextlib.suppress(Ended):
            self._read_output()
        self._kill()
        self._group.close()
        with contextlib.suppress(subprocess.TimeoutExpired):  # killed, but stuck in the kernel until it lets go
            self._process.wait(_SECONDS_TO_END)
        if self._watch:
            self._watch.stop()
        self._selector.close()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            with contextlib.suppress(OSError):
                if pipe:
                    pipe.close()
        self._remove_scratch()

    def _start(self, wrap: Bubblewrap | None) -> subprocess.Popen[bytes]:
        limits = self._limits.for_each_process(count_processes=bool(wrap) and not self._group.holds_processes)
        arguments = os.memfd_create("arguments") if wrap else os.open(os.devnull, os.O_RDONLY)
        try:
            if wrap:
                os.write(arguments, wrap.arguments(self._limits))
                os.lseek(arguments, 0, os.SEEK_SET)
                command = wrap.command(arguments, limits)
            else:
                command = runner(Path(__file__).parent, limits, uid=None)
            entrances = [str(file) for file in self._group.entrances]
            return subprocess.Popen(
                ["/bin/sh", "-c", _ENTER, "sh", str(len(entrances)), *entrances, *command],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                cwd=self._scratch or "/",
                env=environment(self._scratch) if self._scratch else {},
                pass_fds=[arguments] if wrap else [],
                start_new_session=True,
            )
        finally:
            os.close(arguments)

    def _receive(self, size: int) -> bytes:
        data = bytearray()

        def more() -> bool:
            if len(data) < size:
                with contextlib.suppress(BlockingIOError):
                    chunk = os.read(self._out, min(size - len(data), 1 << 20))
                    if not chunk:
                        raise self._over()
                    data.extend(chunk)
            return len(data) == size

        self._pump(more)
        return bytes(data)

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
                elif self._pending:
                    raise self._unasked()

    def _write(self) -> None:
        try:
            self._pending = self._pending[os.write(self._in, self._pending[: 1 << 20]) :]
        except BlockingIOError:
            return
        except BrokenPipeError as error:
            raise self._over() from error
        if not self._pending:
            self._selector.unregister(self._in)

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
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1.0)
        self._read_output()
        out_of_memory = self._group.ran_out_of_memory() or bool(self._watch and self._watch.exceeded)
        self.seconds += 0 if self._ours else time.monotonic() - self._began
        if self._ours:
            why = "it ran out of memory" if out_of_memory else self.output.strip() or self._exit()
            return Ended(Outcome.INFRASTRUCTURE, f"The sandbox could not be started: {why}.")
        if out_of_memory:
            most = self._limits.memory // MIB
            return Ended(Outcome.OUT_OF_MEMORY, f"The program needed more than {most} MiB of memory and was stopped.")
        return Ended(Outcome.FAILED, f"The program ended by itself before it had answered ({self._exit()}).")

    def _exit(self) -> str:
        """How the process ended; a shell and bubblewrap report a signal as 128 and its number."""
        status = self._process.poll()
        if status is None:
            return "it closed its channel"
        number = -status if status < 0 else status - 128
        if number in set(signal.Signals):
            return signal.Signals(number).name
        return f"exit status {status}"

    def _kill(self) -> None:
        """Bubblewrap takes its process namespace with it; without walls the process group has to do."""
        if self._process.poll() is None or self._scratch:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def _remove_scratch(self) -> None:
        if self._scratch:
            shutil.rmtree(self._scratch, ignore_errors=True)
