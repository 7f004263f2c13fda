from __future__ import annotations

from pathlib import Path

import pytest

from interviewer.errors import SandboxUnavailable
from interviewer.house import assemble
from interviewer.models import Outcome
from interviewer.sandbox import Sandbox
from interviewer.sandbox.ray import RaySandbox
from interviewer.settings import Settings


@pytest.mark.sandbox
def test_a_sandbox_that_holds_its_short_test_goes_on_running_code(tmp_path: Path) -> None:
    house = assemble(Settings(home=tmp_path, sandbox_memory_mb=512))
    if not house.sandbox.isolation().available:
        pytest.skip(house.sandbox.isolation().reason)
    assert house.test_sandbox() == []
    assert house.sandbox.experiment("pass").outcome is Outcome.PASSED
    house.sandbox.close()


def test_a_sandbox_that_did_not_hold_runs_nothing(tmp_path: Path) -> None:
    sandbox = Sandbox(Settings(home=tmp_path, run_code_without_isolation=True))
    sandbox.distrust("it was seen to leak.")
    with pytest.raises(SandboxUnavailable, match="cannot be trusted here: it was seen to leak"):
        sandbox.experiment("pass")


def test_the_settings_say_whether_one_machine_or_many_run_code(tmp_path: Path) -> None:
    assert isinstance(assemble(Settings(home=tmp_path)).sandbox, Sandbox)
    assert isinstance(assemble(Settings(home=tmp_path, ray_address="10.0.0.1:6379")).sandbox, RaySandbox)
