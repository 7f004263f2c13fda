"""What code inside can see and reach of the machine: nothing but Python."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from interviewer.models import Outcome
from interviewer.sandbox import Sandbox

pytestmark = pytest.mark.sandbox

REPOSITORY = Path(__file__).resolve().parents[2]
SECRET = "INTERVIEWER_TEST_SECRET"

LOOK = """
import errno, json, os, socket, sys
from pathlib import Path

def attempt(work):
    try:
        return work() or "done"
    except OSError as error:
        return errno.errorcode[error.errno]

def connect(family, address):
    with socket.socket(family) as s:
        s.settimeout(2)
        return s.connect(address)

def link_of(number):
    try:
        return os.readlink(f"/proc/self/fd/{number}")
    except FileNotFoundError:  # the listing's own
        return ""

def everything(folder):
    return [os.path.join(place, name) for place, _, names in os.walk(folder) for name in names]

status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
seen = {
    "network": {
        "host": attempt(lambda: connect(socket.AF_INET, ("127.0.0.1", PORT))),
        "metadata": attempt(lambda: connect(socket.AF_INET, ("169.254.169.254", 80))),
        "internet": attempt(lambda: connect(socket.AF_INET, ("1.1.1.1", 53))),
        "interfaces": [name for _, name in socket.if_nameindex()],
    },
    "exists": {path: os.path.lexists(path) for path in PATHS},
    "etc": everything("/etc"),
    "environment": dict(os.environ),
    "of others": {
        name: attempt(lambda: Path(f"/proc/1/{name}").read_bytes().decode()) for name in ("environ", "cmdline")
    },
    "processes": [int(name) for name in os.listdir("/proc") if name.isdigit()],
    "hostname": socket.gethostname(),
    "ids": [os.getuid(), os.geteuid(), os.getgid(), os.getegid(), *os.getgroups()],
    "root again": attempt(lambda: os.setuid(0)),
    "capabilities": [int(status[name], 16) for name in ("CapPrm", "CapEff", "CapAmb")],
    "no new privileges": int(status["NoNewPrivs"]),
    "writes": {
        path: attempt(lambda: Path(path, "x").write_text("x") and None)
        for path in ("/", "/usr", "/dev", "/etc", "/program/inside", sys.base_prefix, "/proc/sys/kernel", "/tmp")
    },
    "files": sorted(link.split(":")[0] for link in map(link_of, os.listdir("/proc/self/fd")) if link),
    "threads": os.environ["OMP_NUM_THREADS"],
}
print(json.dumps(seen))
"""


@pytest.fixture(scope="module")
def seen(sandbox: Sandbox) -> Iterator[dict[str, Any]]:
    paths = [
        "/etc/passwd",
        "/etc/shadow",
        "/etc/hosts",
        "/sys/kernel",
        "/var",
        "/run",
        "/home",
        "/boot",
        "/proc/1/root/etc/passwd",
    ]
    paths += [str(REPOSITORY / name) for name in ("pyproject.toml", "corpus", "interviewer", ".git", "tests")]
    paths += [str(path) for path in Path.home().iterdir() if not Path(sys.base_prefix).is_relative_to(path)]
    with pytest.MonkeyPatch.context() as patch, socket.create_server(("127.0.0.1", 0)) as server:
        patch.setenv(SECRET, "secret")
        run = sandbox.experiment(f"PORT = {server.getsockname()[1]}\nPATHS = {paths!r}\n{LOOK}")
    assert run.outcome is Outcome.PASSED, run
    yield json.loads(run.output)


def test_the_network_cannot_be_reached(seen: dict[str, Any]) -> None:
    network = seen["network"]
    assert network.pop("interfaces") == ["lo"]
    assert set(network.values()) <= {"ENETUNREACH", "ECONNREFUSED"}


def test_files_of_the_host_are_not_there(seen: dict[str, Any]) -> None:
    assert [path for path, there in seen["exists"].items() if there] == []
    assert set(seen["etc"]) <= {"/etc/ld.so.cache"}


def test_the_environment_of_the_host_is_not_there(seen: dict[str, Any]) -> None:
    assert SECRET not in json.dumps(seen)
    assert set(seen["environment"]) <= {
        *("HOME", "TMPDIR", "USER", "LOGNAME", "PATH", "LANG", "LC_CTYPE", "PWD", "OMP_NUM_THREADS", "MKL_NUM_THREADS"),
        "TORCHINDUCTOR_CACHE_DIR",  # torch._dynamo sets it itself, to a folder below the cell's own /tmp
    }


def test_the_walls_do_not_show_how_they_were_built(seen: dict[str, Any]) -> None:
    assert str(REPOSITORY) not in seen["of others"]["cmdline"].replace(str(REPOSITORY / ".venv"), "")
    assert "bind" not in seen["of others"]["cmdline"]


def test_no_process_of_the_host_is_visible(seen: dict[str, Any]) -> None:
    assert max(seen["processes"]) < 20
    assert seen["hostname"] == "sandbox"


def test_no_right_is_left(seen: dict[str, Any]) -> None:
    assert seen["capabilities"] == [0, 0, 0]
    assert seen["no new privileges"] == 1
    if os.geteuid() == 0:
        assert 0 not in seen["ids"]
    assert seen["root again"] in {"EPERM", "EINVAL"}


def test_only_scratch_space_can_be_written(seen: dict[str, Any]) -> None:
    writes = seen["writes"]
    assert writes.pop("/tmp") == "done"
    assert set(writes.values()) <= {"EROFS", "EACCES", "EPERM", "ENOENT"}


def test_no_open_file_leads_out(seen: dict[str, Any]) -> None:
    assert set(seen["files"]) <= {"pipe", "/dev/null"}


def test_an_installed_interviewer_does_not_show_its_judges_and_solutions(sandbox: Sandbox, tmp_path: Path) -> None:
    venv.create(tmp_path, with_pip=False)
    site = next(tmp_path.glob("lib/python*/site-packages"))
    shutil.copytree(REPOSITORY / "interviewer", site / "interviewer")
    (site / "interviewer" / "_data").mkdir()
    (site / "interviewer" / "_data" / "question.md").write_text("## Solution")
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    inside = f"import os; print(os.listdir({str(site)!r}), os.listdir({str(site / 'interviewer')!r}))"
    script = f"""
import interviewer
from interviewer.sandbox import Sandbox
from interviewer.settings import Settings
print(interviewer.__path__[0], Sandbox(Settings()).experiment({inside!r}).output)
"""
    said = subprocess.run(
        [tmp_path / "bin/python", "-I", "-c", script], capture_output=True, text=True, check=True
    ).stdout
    assert said.startswith(str(site / "interviewer"))
    assert "dependencies.pth" in said and said.strip().endswith("[]")
