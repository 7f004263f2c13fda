"""What a run may use, and the watch over memory where no control group can hold the limit.

Limits of the watch: it looks twenty times a second, so a run can pass its limit for that long, and it does not see
files in /tmp and /dev/shm, which have a quota of their own, nor System V memory, which the sandbox does not allow.
"""

from __future__ import annotations

import contextlib
import math
import os
import signal
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

MIB = 1024 * 1024
STARTUP_SECONDS = 60.0  # for Python and torch to load; never on the candidate's account
MOST_SECONDS = 120.0  # of any task
_LOOK_EVERY = 0.05


@dataclass(frozen=True)
class Limits:
    memory: int = 1024 * MIB
    seconds: float = 10.0
    processes: int = 64
    scratch: int = 64 * MIB
    inodes: int = 20_000  # files and folders in each of the two scratch file systems
    files: int = 256
    output_kept: int = 64 * 1024
    output_most: int = 8 * MIB

    def for_each_process(self, *, count_processes: bool) -> dict[str, int]:
        """The limits that the kernel holds for each process. ``count_processes``: nothing else counts them."""
        limits = {
            "RLIMIT_CORE": 0,
            "RLIMIT_FSIZE": self.scratch,
            "RLIMIT_NOFILE": self.files,
            "RLIMIT_CPU": math.ceil((STARTUP_SECONDS + MOST_SECONDS) * (os.cpu_count() or 1)),
        }
        return limits | ({"RLIMIT_NPROC": self.processes} if count_processes else {})


class MemoryWatch:
    """Kills a tree of processes as soon as it holds more than ``limit`` bytes."""

    def __init__(self, root: int, limit: int):
        self.exceeded = False
        self.most = 0
        self._root = root
        self._limit = limit
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="sandbox-memory", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._over.set()
        self._thread.join()

    def look(self) -> int:
        """Bytes in use now: in memory that is mapped, and in files without a name that are open."""
        pids = list(tree(self._root))
        files = {file: size for pid in pids for file, size in _nameless_files_of(pid)}
        return sum(map(_memory_of, pids)) + sum(files.values())

    def _watch(self) -> None:
        while not self._over.wait(_LOOK_EVERY):
            now = self.look()
            self.most = max(self.most, now)
            if now > self._limit:
                self.exceeded = True
                with contextlib.suppress(ProcessLookupError):
                    os.kill(self._root, signal.SIGKILL)
                return


def reset_peak_of(pid: int) -> None:
    """Raises OSError where that isn't allowed."""
    Path(f"/proc/{pid}/clear_refs").write_text("5")


def peak_of(pid: int) -> int:
    """Bytes of memory that one process held at most since its peak was reset, shared pages included. Raises OSError."""
    lines = (line.split() for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    return next(int(line[1]) * 1024 for line in lines if line[0] == "VmHWM:")


def tree(root: int) -> Iterator[int]:
    """``root`` and everything below it that is alive now."""
    waiting = [root]
    while waiting:
        pid = waiting.pop()
        yield pid
        with contextlib.suppress(OSError):
            for thread in Path(f"/proc/{pid}/task").iterdir():
                waiting += [int(child) for child in (thread / "children").read_text().split()]


def _nameless_files_of(pid: int) -> Iterator[tuple[tuple[int, int], int]]:
    """What identifies each and how many bytes of memory it holds; a mapped part counts twice, which is the safe side."""
    with contextlib.suppress(OSError):
        for link in Path(f"/proc/{pid}/fd").iterdir():
            with contextlib.suppress(OSError):
                if str(link.readlink()).startswith("/memfd:"):
                    status = link.stat()
                    yield (status.st_dev, status.st_ino), status.st_blocks * 512


def _memory_of(pid: int) -> int:
    """Bytes in use, pages that several processes share divided among them; 0 for one that has ended."""
    for name, fields in (("smaps_rollup", {"Pss_Anon:", "Pss_Shmem:"}), ("status", {"RssAnon:", "RssShmem:"})):
        with contextlib.suppress(OSError):
            lines = [line.split() for line in Path(f"/proc/{pid}/{name}").read_text().splitlines()]
            return sum(int(line[1]) * 1024 for line in lines if line[0] in fields)
    return 0
