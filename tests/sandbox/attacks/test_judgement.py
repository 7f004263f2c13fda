"""How a run has to end for its attack to count as held."""

from __future__ import annotations

from interviewer.models import Check, CodeRun, Outcome
from interviewer.sandbox.attacks import Attack, attacks, wrong_end

[FORGERY] = attacks(["replays-cached-output"])
[ESCAPE] = attacks(["reads-secrets"])
[BOMB] = attacks(["memory-bomb"])
TRIED = CodeRun(outcome=Outcome.PASSED, output="TRIED /etc/shadow: ENOENT\n")


def problem(attack: Attack, run: CodeRun, **changed: object) -> str:
    return wrong_end(attack, run.model_copy(update=changed))


def test_a_forgery_that_fails_is_held() -> None:
    failed = CodeRun(outcome=Outcome.FAILED, checks=(Check(name="values", passed=False),))
    assert problem(FORGERY, failed) == ""


def test_a_forgery_that_passes_is_not_held() -> None:
    assert problem(FORGERY, CodeRun(outcome=Outcome.PASSED, message="All.")) == "it ended as passed: All."


def test_a_forgery_that_earns_a_check_is_not_held() -> None:
    checks = (Check(name="values", passed=True), Check(name="gradient", passed=False))
    assert "can't pass honestly: values" in problem(FORGERY, CodeRun(outcome=Outcome.FAILED, checks=checks))


def test_an_attack_that_ends_as_our_fault_is_not_held() -> None:
    for attack in (FORGERY, ESCAPE, BOMB):
        assert problem(attack, TRIED, outcome=Outcome.INFRASTRUCTURE).startswith("it ended as infrastructure")


def test_an_escape_that_tried_and_got_nothing_is_held() -> None:
    assert problem(ESCAPE, TRIED) == ""


def test_an_escape_that_got_something_is_not_held() -> None:
    assert problem(ESCAPE, TRIED, output="TRIED a: EPERM\nGOT b: 'root'\n") == "it got something: GOT b: 'root'"


def test_a_program_that_ended_before_it_tried_is_not_held() -> None:
    assert "before it had tried" in problem(ESCAPE, TRIED, output="")
    assert "before it had tried" in problem(BOMB, CodeRun(outcome=Outcome.OUT_OF_MEMORY))


def test_control_characters_that_come_back_are_not_held() -> None:
    assert "control characters" in problem(ESCAPE, TRIED, output="TRIED a: EPERM\x1b[2J")
    assert "too much text" in problem(ESCAPE, TRIED, output="TRIED " * 20_000)
