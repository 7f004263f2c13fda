"""The attack that comes from our own side: a supervisor killed while a submission runs, by what can't be caught."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from interviewer.sandbox.attacks.footprint import alive, groups_of, mounts, sandboxed, until
from interviewer.sandbox.limits import tree

_SUPERVISOR = """
import sys
from interviewer.sandbox import Sandbox
from interviewer.settings import load_settings
sandbox = Sandbox(load_settings().model_copy(update={"sandbox_slots": 1}))
sandbox.warm()
print(sandbox.experiment(sys.stdin.read(), seconds=100), flush=True)
"""
_CELL_WITH_A_CHILD = 3  # process 1, the runner and what it forked
_SECONDS_TO_START = 60
_SECONDS_TO_END = 10


def kill_supervisor(program: str) -> str:
    """What outlived a supervisor that was killed while ``program`` ran; empty where nothing did."""
    mounted, folders = mounts(), _folders()
    victim = subprocess.Popen([sys.executable, "-c", _SUPERVISOR], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        assert victim.stdin
        victim.stdin.write(program.encode())
        victim.stdin.close()
        problem = until(lambda: "" if victim.poll() is not None else _not_running(victim), _SECONDS_TO_START)
        if problem or victim.poll() is not None:
            return problem or "the supervisor ended by itself"
        below = [pid for pid in tree(victim.pid) if pid != victim.pid]
    finally:
        victim.kill()
        victim.wait()
        if victim.stdout:
            victim.stdout.close()
    return until(lambda: _left(victim.pid, below, mounted, folders), _SECONDS_TO_END)


def _not_running(victim: subprocess.Popen[bytes]) -> str:
    """The program has forked, so its cell has more processes than one that waits."""
    cells = Counter(_namespace(pid) for pid in sandboxed(victim.pid, levels=2))
    return "" if any(count >= _CELL_WITH_A_CHILD for count in cells.values()) else "the program did not start"


def _left(supervisor: int, below: list[int], mounted: int, folders: set[Path]) -> str:
    if running := [pid for pid in below if alive(pid)]:
        return f"{len(running)} of {len(below)} processes outlived it"
    if groups := groups_of(supervisor):
        return f"control groups outlived it: {', '.join(map(str, groups))}"
    if mounts() > mounted:
        return "mounts outlived it"
    if new := _folders() - folders:
        return f"folders outlived it: {', '.join(map(str, new))}"
    return ""


def _namespace(pid: int) -> str:
    try:
        return str(Path(f"/proc/{pid}/ns/pid").readlink())
    except OSError:
        return ""


def _folders() -> set[Path]:
    return set(Path(tempfile.gettempdir()).glob("interviewer-run-*"))
