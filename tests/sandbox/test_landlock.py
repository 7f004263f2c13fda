"""Landlock in this kernel, by a child that confines itself. Skipped only where the kernel has none."""

from __future__ import annotations

import json
import os
import socket
import sys
from pathlib import Path

import pytest

from interviewer.sandbox.inside import landlock
from tests.sandbox.child import output

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Landlock is a part of Linux")

PROGRAMS = ["/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache"]


@pytest.fixture
def version(tmp_path: Path) -> int:
    found = int(output("print(landlock.confine([], []))", tmp_path))
    if not found:
        pytest.skip("this kernel has no Landlock, or it is switched off")
    return found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The one that may be written to, beside ``inputs``, which may be read, and ``secrets``."""
    for name in ("inputs", "secrets", "scratch"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").write_text(name)
    return tmp_path / "scratch"


def confined(code: str, folder: Path, version: int) -> dict[str, object]:
    """What the code puts into ``found``, once it is confined."""
    readable = [*PROGRAMS, str(folder.parent / "inputs"), "/dev", "/nowhere"]
    writable = [str(folder), "/dev/null", "/proc"]
    confine = f"assert landlock.confine({readable}, {writable}) == {version}\nfound = {{}}\n"
    found: dict[str, object] = json.loads(output(f"{confine}{code}\nprint(json.dumps(found))", folder))
    return found


def test_only_what_is_named_can_be_read(folder: Path, version: int) -> None:
    code = """
for path in ("../inputs/file", "file", "../secrets/file", "/etc/passwd", "/etc/shadow"):
    found[path] = attempt(open, path)
for path in ("../inputs", ".", "../secrets", "/"):
    found[path] = attempt(os.listdir, path)
"""
    assert confined(code, folder, version) == {
        "../inputs/file": "done",
        "file": "done",
        "../secrets/file": "EACCES",
        "/etc/passwd": "EACCES",
        "/etc/shadow": "EACCES",
        "../inputs": "done",
        ".": "done",
        "../secrets": "EACCES",
        "/": "EACCES",
    }


def test_nothing_outside_the_writable_folders_changes(folder: Path, version: int) -> None:
    code = """
found["write"] = attempt(open, "../inputs/file", "r+")
found["truncate"] = attempt(os.truncate, "../inputs/file", 0)
found["create"] = attempt(open, "../inputs/new", "w")
found["remove"] = attempt(os.remove, "../inputs/file")
found["folder"] = attempt(os.mkdir, "../inputs/new")
found["link"] = attempt(os.symlink, "file", "../inputs/new")
found["move out"] = attempt(os.rename, "file", "../inputs/new")
found["move in"] = attempt(os.rename, "../inputs/file", "new")
found["second name"] = attempt(os.link, "../secrets/file", "new")
"""
    found = confined(code, folder, version)
    if version < 3:
        del found["truncate"]
    assert set(found.values()) <= {"EACCES", "EXDEV"}
    assert [each.read_text() for each in (folder.parent / "inputs").iterdir()] == ["inputs"]


def test_writable_folders_are_free_but_for_devices(folder: Path, version: int) -> None:
    code = """
found["write"] = attempt(open, "new", "w")
found["truncate"] = attempt(os.truncate, "new", 0)
found["folder"] = attempt(os.makedirs, "a/b")
found["move"] = attempt(os.rename, "new", "a/b/new") if landlock.rights(VERSION) & 1 << 13 else "done"
found["symlink"] = attempt(os.symlink, "file", "link")
found["pipe"] = attempt(os.mkfifo, "pipe")
found["socket"] = attempt(socket.socket(socket.AF_UNIX).bind, "socket")
found["remove"] = attempt(os.remove, "link")
devices = {attempt(os.mknod, f"device-{kind:o}", kind | 0o666, os.makedev(1, 3)) for kind in (0o020000, 0o060000)}
""".replace("VERSION", str(version))
    done = "write truncate folder move symlink pipe socket remove".split()
    code += 'found["device"] = devices <= {"EACCES", "EPERM"}'  # root may make devices, so to root it is EACCES
    assert confined(code, folder, version) == dict.fromkeys(done, "done") | {"device": True}


def test_a_file_can_be_named_as_well_as_a_folder(folder: Path, version: int) -> None:
    code = """
found["null"] = attempt(open, "/dev/null", "r+")
found["full, written"] = attempt(open, "/dev/full", "r+")
found["full, read"] = attempt(open, "/dev/full")
"""
    assert confined(code, folder, version) == {"null": "done", "full, written": "EACCES", "full, read": "done"}


def test_devices_outside_the_writable_ones_take_no_commands(folder: Path, version: int) -> None:
    if version < 5:
        pytest.skip(f"this kernel has version {version} of Landlock, which knows nothing of device commands")
    code = """
terminal_size = 0x5413
for path in ("/dev/null", "/dev/full"):
    found[path] = attempt(fcntl.ioctl, open(path), terminal_size)
"""
    assert confined(code, folder, version) == {"/dev/null": "ENOTTY", "/dev/full": "EACCES"}


def test_a_thread_can_have_a_name(folder: Path, version: int) -> None:
    code = """
found["named"] = attempt(open(f"/proc/self/task/{os.getpid()}/comm", "w").write, "worker")
"""
    assert confined(code, folder, version) == {"named": "done"}


def test_what_is_started_later_is_confined_too(folder: Path, version: int) -> None:
    code = """
cat = subprocess.run(["cat", "../inputs/file", "../secrets/file"], capture_output=True, text=True)
found["output"], found["denied"] = cat.stdout, "Permission denied" in cat.stderr
"""
    assert confined(code, folder, version) == {"output": "inputs", "denied": True}


def test_processes_outside_get_no_signal_and_their_abstract_sockets_are_out_of_reach(
    folder: Path, version: int
) -> None:
    if version < 6:
        pytest.skip(f"this kernel has version {version} of Landlock, which knows nothing of signals")
    name = f"\0{folder}"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(name)
        server.listen()
        code = f"""
child = subprocess.Popen(["sleep", "100"])
found["inside"] = attempt(child.kill)
found["ended by"] = child.wait()
found["outside"] = attempt(os.kill, {os.getpid()}, 0)
found["socket"] = attempt(socket.socket(socket.AF_UNIX).connect, {name!r})
"""
        found = confined(code, folder, version)
    assert found == {"inside": "done", "ended by": -9, "outside": "EPERM", "socket": "EPERM"}


def test_without_landlock_nothing_is_done_and_said(tmp_path: Path) -> None:
    code = """
        syscalls.NEWEST = 443  # what comes later is unknown to the kernel then, as Landlock's own calls are
        seccomp.install()
        print(landlock.confine(["/nowhere"], []), attempt(open, "/etc/passwd"))
    """
    assert output(code, tmp_path) == "0 done"


@pytest.mark.parametrize(
    ("version", "highest"), [(1, 12), (2, 13), (3, 14), (4, 14), (5, 15), (6, 15), (7, 15)], ids=str
)
def test_no_right_is_asked_of_a_version_that_does_not_know_it(version: int, highest: int) -> None:
    assert landlock.rights(version) == (1 << highest + 1) - 1
