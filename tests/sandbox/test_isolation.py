from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

import pytest

from interviewer.errors import SandboxUnavailable
from interviewer.models import Outcome
from interviewer.sandbox import Sandbox, bubblewrap, cgroup, isolation
from interviewer.settings import Settings
from tests.sandbox.tasks import RIGHT, SCALE

pytestmark = pytest.mark.sandbox

NOWHERE = Path("/nowhere/bwrap")


def test_what_is_in_force_is_said_in_words(sandbox: Sandbox) -> None:
    isolation = sandbox.isolation()
    assert (isolation.kind, isolation.network, isolation.reason) == ("bubblewrap", "none", "")
    assert isolation.memory.startswith("512 MiB, ")
    assert isolation.processes.startswith("64, held by ")


def test_without_isolation_code_is_not_run(tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    sandbox = Sandbox(Settings(), binary=NOWHERE)
    with pytest.raises(SandboxUnavailable, match=r"not run, because .* no bubblewrap at /nowhere/bwrap.*Install"):
        sandbox.experiment(f"open({str(trace)!r}, 'w')")
    assert not trace.exists()
    assert not sandbox.isolation().available


def test_a_bubblewrap_that_fails_is_reported_with_its_own_words(tmp_path: Path) -> None:
    binary = tmp_path / "bwrap"
    binary.write_text("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n")
    binary.chmod(0o755)
    isolation = Sandbox(Settings(), binary=binary).isolation()
    assert not isolation.available
    assert "No permissions to create new namespace" in isolation.reason
    assert "User namespaces are switched off" in isolation.mend


def test_where_the_settings_allow_it_code_runs_and_the_run_says_so() -> None:
    sandbox = Sandbox(Settings(run_code_without_isolation=True), binary=NOWHERE)
    run = sandbox.experiment("import os\nprint(os.getuid(), os.getcwd())")
    user, folder = run.output.split()
    assert run.outcome is Outcome.PASSED
    assert run.isolation.startswith("none; network: the machine's own; files: everything that this user")
    assert int(user) == os.getuid()
    sandbox.close()
    assert Path(folder).parents[1] == Path(tempfile.gettempdir()) and not Path(folder).parent.exists()


def test_permission_to_go_without_does_not_weaken_a_sandbox_that_works(sandbox: Sandbox) -> None:
    run = Sandbox(Settings(run_code_without_isolation=True)).experiment("import os; print(os.listdir('/etc'))")
    assert run.isolation.startswith("bubblewrap; network: none")
    assert "passwd" not in run.output


def test_a_sandbox_that_stops_working_is_never_the_candidates_fault(sandbox: Sandbox, tmp_path: Path) -> None:
    found = bubblewrap.find()
    binary = tmp_path / "bwrap"
    binary.symlink_to(found or NOWHERE)
    moved = Sandbox(Settings(), binary=binary)
    assert moved.isolation().available
    binary.unlink()
    run = moved.experiment("print('hello')")
    assert (run.outcome, run.output.count("hello")) == (Outcome.INFRASTRUCTURE, 0)
    assert "could not be started" in run.message and "No such file" in run.message


def test_without_control_groups_memory_is_watched_and_the_line_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (cgroup, isolation):
        monkeypatch.setattr(module, "places", dict)
    weaker = Sandbox(Settings(sandbox_memory_mb=512))
    if not weaker.isolation().available:
        pytest.skip(weaker.isolation().reason)
    assert "watched, which is weaker than held" in weaker.isolation().memory
    assert "RLIMIT_NPROC" in weaker.isolation().processes
    hog = weaker.experiment("import torch\nx = torch.ones(200_000_000)\nimport time; time.sleep(5)", seconds=20)
    files = "import os, time\nfds = []\nfor _ in range(20):\n    fds.append(os.memfd_create('x'))\n    os.write(fds[-1], b'x' * (48 << 20))\ntime.sleep(5)"
    hidden = weaker.experiment(files, seconds=20)
    weaker.close()
    assert (hog.outcome, hidden.outcome) == (Outcome.OUT_OF_MEMORY, Outcome.OUT_OF_MEMORY)


def test_a_kernel_that_filters_no_system_calls_is_not_enough(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    shutil.copytree(Path(bubblewrap.__file__).parent / "inside", inside)
    (inside / "seccomp.py").write_text("def install():\n    raise OSError(22, 'this kernel has no seccomp')\n")
    monkeypatch.setattr(bubblewrap, "_OURS", tmp_path)
    found = Sandbox(Settings()).isolation()
    assert not found.available and "this kernel has no seccomp" in found.reason


def test_a_run_with_limits_of_its_own_says_which(sandbox: Sandbox) -> None:
    task = SCALE.model_copy(update={"memory_mib": 700, "scratch_mib": 32})
    said = sandbox.judge(task, RIGHT).isolation
    assert "700 MiB, " in said and "32 MiB of scratch space" in said
