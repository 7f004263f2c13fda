"""Every attack of the list against the real sandbox, each with the submission that comes after it."""

from __future__ import annotations

from pathlib import Path

import pytest

from interviewer.errors import SandboxUnavailable
from interviewer.sandbox import Sandbox
from interviewer.sandbox.attacks import Attack, Before, attacks, run_attack, run_attacks
from interviewer.settings import Settings

pytestmark = pytest.mark.sandbox


@pytest.fixture(scope="module")
def before(sandbox_for_two: Sandbox) -> Before:
    return Before.of(sandbox_for_two, attacks())


@pytest.mark.parametrize("attack", attacks(), ids=lambda attack: attack.name)
def test_the_sandbox_holds_and_the_next_submission_is_judged_as_before(
    attack: Attack, sandbox_for_two: Sandbox, before: Before
) -> None:
    result = run_attack(attack, sandbox_for_two, before)
    if result.held is None:
        pytest.skip(result.detail)
    assert result.held, result.detail


def test_a_hole_in_the_walls_is_found(leaky: Sandbox) -> None:
    told: list[str] = []
    results = run_attacks(leaky, ["reads-secrets", "honest"], told.append)
    assert told == ["honest", "reads-secrets"]
    assert [result.held for result in results] == [True, False]
    assert results[1].detail.startswith("it got something: GOT /etc/passwd: 'root:")


def test_without_walls_no_attack_is_run_even_where_code_may_go_without() -> None:
    nowhere = Sandbox(Settings(run_code_without_isolation=True), binary=Path("/nowhere/bwrap"))
    told: list[str] = []
    with pytest.raises(
        SandboxUnavailable, match="No attack was run, because there is no sandbox: There is no bubblewrap"
    ):
        run_attacks(nowhere, on_attack=told.append)
    assert told == []


def test_an_attack_that_nobody_knows_is_refused(sandbox_for_two: Sandbox) -> None:
    with pytest.raises(KeyError, match="no-such-attack"):
        run_attacks(sandbox_for_two, ["no-such-attack"])
