"""The supervisor's end of a zygote: starts it within the walls and has cells forked from it.

Promises that a cell is in its control group before it does anything, and that no answer of the zygote or of a cell is waited
for without end. The process ends with the thread that started it, which is how nothing outlives a killed supervisor: so
that thread must live as long as the zygote is wanted.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import struct
import subprocess
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from interviewer.sandbox import bubblewrap
from interviewer.sandbox.bubblewrap import Bubblewrap
from interviewer.sandbox.limits import STARTUP_SECONDS
from interviewer.sandbox.waiting import readable

_PACKAGE = Path(__file__).parent
_CREDENTIALS = struct.Struct("=iII")  # pid, uid and gid, as the kernel fills them in
_MESSAGE = 1 << 16
_SECONDS_FOR_A_CELL = 20.0
_SECONDS_TO_END = 3.0


class ZygoteFailure(Exception):
    """It could not be started, or no cell could be forked; the message says what it said itself."""


@dataclass
class Cell:
    """A forked process and all that it starts. ``first``: a pidfd of process 1 of its namespace; ``pid``: its number here."""

    first: int
    pid: int
    report: socket.socket
    walls: dict[str, Any]

    def alive(self) -> bool:
        return not readable(self.first)

    def status(self) -> int | None:
        """How the runner ended (negative: by this signal), None where nobody reported it."""
        with contextlib.suppress(OSError):
            data = self.report.recv(4, socket.MSG_DONTWAIT)
            if len(data) == 4:
                return int(struct.unpack("=i", data)[0])
        return None

    def kill(self) -> None:
        """Process 1 takes its namespace with it; without walls its process group has to do."""
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self.first, signal.SIGKILL)
            os.killpg(self.pid, signal.SIGKILL)

    def wait(self, seconds: float) -> bool:
        """Whether every process of the cell has ended."""
        return readable(self.first, seconds)

    def close(self) -> None:
        self.report.close()
        os.close(self.first)


class Zygote:
    """``wrap``: the walls, or None to run with this user's rights. ``modules``: what the cells have loaded.

    Raises ZygoteFailure where it does not get ready.
    """

    def __init__(self, wrap: Bubblewrap | None, modules: list[str]):
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes]
        self._itself = -1
        self._errors = os.memfd_create("zygote-errors")
        self._channel, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        arguments = os.memfd_create("arguments")
        try:
            command = bubblewrap.zygote(_PACKAGE, modules)
            if wrap:
                os.write(arguments, wrap.arguments())
                os.lseek(arguments, 0, os.SEEK_SET)
                command = wrap.command(arguments, modules)
            self._process = subprocess.Popen(
                command,
                stdin=theirs.fileno(),
                stdout=self._errors,
                stderr=self._errors,
                cwd="/",
                env=bubblewrap.environment("/"),
                pass_fds=[arguments],
                start_new_session=True,
            )
        except OSError as error:
            self._channel.close()
            os.close(self._errors)
            raise ZygoteFailure(str(error)) from error
        finally:
            theirs.close()
            os.close(arguments)
        try:
            self._wait_until_loaded()
        except ZygoteFailure:
            self.close()
            raise

    def alive(self) -> bool:
        """Known at once when it ends, before the cells that end with it."""
        return not readable(self._itself)

    def fork(self, config: dict[str, Any], files: tuple[int, int, int], entrances: list[Path]) -> Cell:
        """A cell whose standard files are ``files``, held by the control groups of ``entrances``. Raises ZygoteFailure."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        ours.settimeout(_SECONDS_FOR_A_CELL)
        try:
            with self._lock:
                socket.send_fds(self._channel, [json.dumps(config).encode()], [*files, theirs.fileno()])
            theirs.close()
            return self._receive(ours, entrances)
        except (OSError, struct.error, ValueError, IndexError, ZygoteFailure) as error:
            ours.close()
            raise ZygoteFailure(f"no process could be forked: {self._last_words() or error}") from error
        finally:
            theirs.close()

    def close(self) -> None:
        """It ends by itself when its channel closes, so that each of its processes is waited for by its parent."""
        self._channel.close()
        try:
            self._process.wait(_SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._errors)
        if self._itself >= 0:
            os.close(self._itself)

    def _wait_until_loaded(self) -> None:
        self._channel.settimeout(STARTUP_SECONDS)
        try:
            said, files, _, _ = socket.recv_fds(self._channel, _MESSAGE, 1)
        except TimeoutError as error:
            raise ZygoteFailure(f"it was not ready after {STARTUP_SECONDS:g} s") from error
        except OSError as error:
            raise ZygoteFailure(self._last_words() or str(error)) from error
        self._channel.settimeout(None)
        if failure := json.loads(said)["failure"] if said else self._last_words() or "it ended at once":
            raise ZygoteFailure(failure)
        self._itself = files[0]

    def _receive(self, ours: socket.socket, entrances: list[Path]) -> Cell:
        _, told, _, _ = ours.recvmsg(16, socket.CMSG_SPACE(_CREDENTIALS.size))
        pid, _, _ = _CREDENTIALS.unpack(told[0][2][: _CREDENTIALS.size])
        for entrance in entrances:
            entrance.write_text(str(pid))
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 0)
        ours.send(b"g")
        first, walls = None, None
        try:
            while first is None or walls is None:  # two processes send them, in either order
                said, files, _, _ = socket.recv_fds(ours, _MESSAGE, 1)
                if not said:
                    raise ZygoteFailure("the process ended before it was ready")
                first, walls = (files[0], walls) if files else (first, json.loads(said))
            ours.setblocking(False)  # Python would wait for a report in spite of MSG_DONTWAIT
            return Cell(first, _pid_of(first), ours, walls)
        except BaseException:
            if first is not None:
                with contextlib.suppress(ProcessLookupError):
                    signal.pidfd_send_signal(first, signal.SIGKILL)
                os.close(first)
            raise

    def _last_words(self) -> str:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(0.5)
        size = os.fstat(self._errors).st_size
        return os.pread(self._errors, 2000, max(0, size - 2000)).decode(errors="replace").strip()


def _pid_of(pidfd: int) -> int:
    fields = dict(line.split(":", 1) for line in Path(f"/proc/self/fdinfo/{pidfd}").read_text().splitlines())
    return int(fields["Pid"])
