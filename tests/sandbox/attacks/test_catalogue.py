"""The list itself: complete, told in words, and made of programs that at least compile."""

from __future__ import annotations

from pathlib import Path

from interviewer.sandbox.attacks import Group, attacks, quick
from interviewer.sandbox.attacks import catalogue as catalogue_module
from interviewer.sandbox.attacks.bait import Bait

CODE = Path(catalogue_module.__file__).parent / "code"


def test_each_program_is_on_the_list_once_and_each_entry_has_its_program() -> None:
    files = [path for group in Group for path in (CODE / group.value).glob("*.py")]
    assert sorted(files) == sorted(attack.path for attack in attacks())


def test_each_attack_says_in_a_sentence_what_it_tries() -> None:
    for attack in attacks():
        assert attack.tries.endswith("."), attack.name
        assert 30 < len(attack.tries) <= 130, (attack.name, len(attack.tries))


def test_each_program_compiles_with_its_tools_and_target() -> None:
    for attack in attacks():
        assert compile(attack.program({"secret": "/somewhere"}), attack.name, "exec")


def test_a_program_is_not_told_the_secret_that_it_looks_for() -> None:
    with Bait() as bait:
        assert bait.secret not in repr(bait.target())


def test_the_short_form_has_attacks_of_every_kind_and_an_honest_submission() -> None:
    chosen = attacks(quick())
    assert {attack.group for attack in chosen} == set(Group)
    assert {"honest", "plainly-wrong"} <= {attack.name for attack in chosen}
    assert len(chosen) < 15


def test_no_attack_may_end_as_our_fault_or_pass_by_forging() -> None:
    for attack in attacks():
        assert "infrastructure" not in {end.value for end in attack.ends}
        if attack.group is Group.VERDICT and attack.name != "honest":
            assert "passed" not in {end.value for end in attack.ends}, attack.name
