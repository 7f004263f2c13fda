"""What the sandboxes of this process have on this machine: processes, control groups, mounts, shared memory.

Taken before and after a run, it shows what the run has left behind.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from interviewer.sandbox import Sandbox, cgroup
from interviewer.sandbox.limits import MIB, tree

_LOOK_EVERY = 0.02
_PROCESSES_OF_A_SLOT = 2  # process 1 of its namespace, and the runner
_SHARED_MEMORY_ALLOWED = 64 * MIB  # that may be somebody else's


@dataclass(frozen=True)
class Footprint:
    """What this process's sandbox has on this machine at a moment, but for the slots that wait for a submission.

    A slot that is being made or removed counts for a moment, so a footprint is at times too large, and never too small.
    """

    processes: int
    groups: int
    mounts: int
    segments: int
    shared_memory: int

    @classmethod
    def of(cls, sandbox: Sandbox) -> Footprint:
        ready = sandbox.ready
        return cls(
            processes=len(sandboxed(os.getpid())) - ready * _PROCESSES_OF_A_SLOT,
            groups=len(groups_of(os.getpid())) - ready * len(cgroup.folders()),
            mounts=mounts(),
            segments=len(Path("/proc/sysvipc/shm").read_text().splitlines()),
            shared_memory=_shared_memory(),
        )

    @classmethod
    def at_rest(cls, sandbox: Sandbox) -> Footprint:
        """The smallest of several that are taken within a moment."""
        taken = []
        for _ in range(10):
            taken.append(cls.of(sandbox))
            time.sleep(_LOOK_EVERY)
        return min(taken, key=lambda each: (each.processes, each.groups))

    def more_in(self, now: Footprint) -> str:
        """What is there now that was not there at this footprint; empty where nothing is."""
        if now.processes > self.processes:
            return f"{now.processes - self.processes} processes are left"
        if now.groups > self.groups:
            return f"{now.groups - self.groups} control groups are left"
        if now.mounts > self.mounts:
            return f"{now.mounts - self.mounts} mounts are left"
        if now.segments > self.segments:
            return f"{now.segments - self.segments} segments of shared memory are left"
        if now.shared_memory > self.shared_memory + _SHARED_MEMORY_ALLOWED:
            return f"{(now.shared_memory - self.shared_memory) // MIB} MiB of shared memory are still in use"
        return ""


def until(problem: Callable[[], str], seconds: float) -> str:
    """Asks until there is no problem any more, and says the last one where there still is after ``seconds``."""
    deadline = time.monotonic() + seconds
    while (said := problem()) and time.monotonic() < deadline:
        time.sleep(_LOOK_EVERY)
    return said


def sandboxed(pid: int, levels: int = 1) -> list[int]:
    """The processes below ``pid`` that live at least so many process namespaces further down than this one.

    A zygote lives one level down, a submission two.
    """
    own = _depth(os.getpid())
    return [each for each in tree(pid) if _depth(each) >= own + levels]


def groups_of(pid: int) -> list[Path]:
    return [group for folder in cgroup.folders() for group in folder.glob(f"{cgroup.name_of(pid)}*")]


def mounts() -> int:
    return len(Path("/proc/self/mountinfo").read_text().splitlines())


def alive(pid: int) -> bool:
    with contextlib.suppress(OSError, IndexError):
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    return False


def _depth(pid: int) -> int:
    """How many process namespaces a living process is in; 0 for one that has ended."""
    with contextlib.suppress(OSError, StopIteration):
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
        return len(next(line for line in lines if line.startswith("NSpid:")).split()) - 1 if alive(pid) else 0
    return 0


def _shared_memory() -> int:
    lines = Path("/proc/meminfo").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("Shmem:"))
