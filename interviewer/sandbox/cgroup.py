"""Control groups: the kernel's own limit on the memory and the number of processes of a run.

Supports version 1 and version 2 where this process may make a group below its own (or, for version 2, beside it).
Changes nothing about groups that exist, so where none may be made there is none, and the caller must say so.
"""

from __future__ import annotations

import contextlib
import functools
import os
import secrets
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from interviewer.sandbox.limits import Limits

_PREFIX = "interviewer-"
_SECONDS_TO_EMPTY = 5.0
_CONTROLLERS: tuple[str, ...] = ("memory", "pids")
_FAIR = "cpu"  # without any limit set: being in groups, runs get equal shares, however many processes one has


@dataclass(frozen=True)
class Place:
    """Where groups for one controller can be made."""

    controller: str
    version: int
    folder: Path

    @property
    def limit(self) -> str:
        """The file that holds the limit, or the share."""
        if self.controller == _FAIR:
            return "cpu.shares" if self.version == 1 else "cpu.weight"
        return "memory.limit_in_bytes" if (self.controller, self.version) == ("memory", 1) else f"{self.controller}.max"


@functools.cache
def places() -> dict[str, Place]:
    """By controller (memory, pids, cpu), as far as groups can be made here. Found out once, by making one."""
    with contextlib.suppress(OSError):
        mounts = [line.split() for line in Path("/proc/self/mountinfo").read_text().splitlines()]
        own = [line.split(":", 2) for line in Path("/proc/self/cgroup").read_text().splitlines()]
        found = _unified(mounts, own) or _by_controller(mounts, own)
        return {name: place for name, place in found.items() if _takes_a_process(place)}
    return {}


def _takes_a_process(place: Place) -> bool:
    """Some set-ups show folders that look writable and refuse the process."""
    folder = place.folder / f"{name_of(os.getpid())}trial"
    enter = ["/bin/sh", "-c", 'echo $$ >"$1"', "sh", str(folder / "cgroup.procs")]
    try:
        folder.mkdir(exist_ok=True)
        return (folder / place.limit).exists() and subprocess.run(enter, capture_output=True).returncode == 0
    except OSError:
        return False
    finally:
        _empty_and_remove(folder)


def _unified(mounts: list[list[str]], own: list[list[str]]) -> dict[str, Place]:
    for mount in mounts:
        path = next((path for number, _, path in own if number == "0"), None)
        if _kind(mount) != "cgroup2" or path is None:
            continue
        top, here = Path(mount[4]), _folder(mount, path)
        for folder in (here, here.parent):
            if folder.is_relative_to(top) and _writable(folder):
                enabled = (folder / "cgroup.subtree_control").read_text().split()
                if set(_CONTROLLERS) <= set(enabled):
                    return {name: Place(name, 2, folder) for name in (*_CONTROLLERS, _FAIR) if name in enabled}
    return {}


def _by_controller(mounts: list[list[str]], own: list[list[str]]) -> dict[str, Place]:
    found: dict[str, Place] = {}
    for name in (*_CONTROLLERS, _FAIR):
        for mount in mounts:
            path = next((path for _, names, path in own if name in names.split(",")), None)
            if _kind(mount) == "cgroup" and name in mount[-1].split(",") and path is not None:
                folder = _folder(mount, path)
                if _writable(folder):
                    found[name] = Place(name, 1, folder)
    return found


def _kind(mount: list[str]) -> str:
    return mount[mount.index("-") + 1]


def _folder(mount: list[str], path: str) -> Path:
    """Where the group ``path`` is seen through this mount, which may show only a part of the hierarchy."""
    root, point = mount[3], Path(mount[4])
    inside = path.removeprefix(root) if root != "/" else path
    return point / inside.lstrip("/")


def _writable(folder: Path) -> bool:
    return os.access(folder, os.W_OK | os.X_OK) and os.access(folder / "cgroup.procs", os.W_OK)


class Group:
    """One run's control group. ``entrances``: files that a process writes its id to in order to be held."""

    def __init__(self) -> None:
        self._folders: dict[str, tuple[Place, Path]] = {}
        self._peak_file: int | None = None

    def make(self, limits: Limits) -> None:
        name = name_of(os.getpid()) + secrets.token_hex(4)
        for place in places().values():
            folder = place.folder / name
            folder.mkdir(exist_ok=True)
            self._folders[place.controller] = (place, folder)
        self.limit(limits)

    @property
    def entrances(self) -> list[Path]:
        return [folder / "cgroup.procs" for folder in self._each()]

    @property
    def holds_memory(self) -> bool:
        return "memory" in self._folders

    @property
    def holds_processes(self) -> bool:
        return "pids" in self._folders

    def ran_out_of_memory(self) -> bool:
        if not self.holds_memory:
            return False
        place, folder = self._folders["memory"]
        events = (folder / ("memory.oom_control" if place.version == 1 else "memory.events")).read_text()
        return any(line.split()[0] == "oom_kill" and line.split()[1] != "0" for line in events.splitlines())

    def reset_peak(self) -> bool:
        """From now on ``peak`` counts from what is in use at this moment. False where the kernel can't do that."""
        if not self.holds_memory:
            return False
        place, folder = self._folders["memory"]
        try:
            if place.version == 1:
                (folder / "memory.max_usage_in_bytes").write_text("0")
                return True
            if self._peak_file is None:  # version 2 counts for each open file by itself, from Linux 6.12 on
                self._peak_file = os.open(folder / "memory.peak", os.O_RDWR)
            os.write(self._peak_file, b"0")
        except OSError:
            return False
        return True

    def peak(self) -> int:
        """Bytes in use at most since ``reset_peak``, which must have succeeded."""
        place, folder = self._folders["memory"]
        if place.version == 1:
            return int((folder / "memory.max_usage_in_bytes").read_text())
        assert self._peak_file is not None
        return int(os.pread(self._peak_file, 32, 0))

    def close(self) -> None:
        """Kills what is still inside and removes the group."""
        if self._peak_file is not None:
            os.close(self._peak_file)
        for folder in self._each():
            _empty_and_remove(folder)

    def _each(self) -> list[Path]:
        return list(dict.fromkeys(folder for _, folder in self._folders.values()))

    def limit(self, limits: Limits) -> None:
        """May be called again, to allow more or less than before."""
        values = [
            ("memory.memsw.limit_in_bytes", limits.memory),  # refused before a first limit, needed before a higher one
            ("memory.limit_in_bytes", limits.memory),
            ("memory.memsw.limit_in_bytes", limits.memory),
            ("memory.max", limits.memory),
            ("memory.swap.max", 0),
            ("memory.oom.group", 1),
            ("pids.max", limits.processes),
        ]
        for folder in self._each():
            for at, (name, value) in enumerate(values):
                with contextlib.suppress(OSError if at == 0 else FileNotFoundError):
                    _write(folder / name, value)


def _write(file: Path, value: int) -> None:
    with file.open("r+") as opened:  # never makes a file
        opened.write(str(value))


def _empty_and_remove(folder: Path) -> None:
    until = time.monotonic() + _SECONDS_TO_EMPTY
    while folder.exists() and time.monotonic() < until:
        for pid in (folder / "cgroup.procs").read_text().split():
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(pid), signal.SIGKILL)
        with contextlib.suppress(OSError):  # a killed process leaves its group a moment later
            folder.rmdir()
            return
        time.sleep(0.005)


def folders() -> list[Path]:
    """Where groups are made, each folder once."""
    return list(dict.fromkeys(place.folder for place in places().values()))


def name_of(pid: int) -> str:
    """How the names of all groups of a process begin."""
    return f"{_PREFIX}{pid}-"


def sweep() -> None:
    """Removes empty groups of processes that are gone, in case that nobody was left to do so."""
    for left in (left for folder in folders() for left in folder.glob(f"{_PREFIX}*")):
        owner = left.name.removeprefix(_PREFIX).split("-")[0]
        if not Path(f"/proc/{owner}").exists():
            with contextlib.suppress(OSError):
                left.rmdir()
