"""The command about a person's own record, as a process of its own on a home in which somebody was interviewed."""

from __future__ import annotations

import pytest

from interviewer.bank.bank import Bank
from interviewer.embedding import Embedder
from interviewer.interview.session import Interviews
from interviewer.models import Plan
from interviewer.sandbox import Sandbox
from interviewer.settings import Settings
from interviewer.surfaces.practice_view import NO_RECORD
from tests.interview.practice.test_practising import BEGIN
from tests.interview.reviewing import ToldJudge
from tests.surfaces.shell import Shell

SKIPPED = ("parameter-vs-buffer", "training-loop-steps")


@pytest.fixture
def session(interviewer: Shell) -> str:
    """Long ago ann skipped two questions."""
    settings = Settings(home=interviewer.home)
    bank = Bank(settings, Embedder())
    rooms = Interviews(settings, bank=bank, judge=ToldJudge(), sandbox=Sandbox(settings), now=lambda: BEGIN)
    session = rooms.begin(Plan(only=SKIPPED), "ann")
    for _ in SKIPPED:
        session.reply("skip")
    return session.id


def test_who_never_answered_is_told_how_a_record_begins(interviewer: Shell) -> None:
    assert interviewer.said("practice").strip() == NO_RECORD
    done = interviewer("practice", "--due", "--start")
    assert done.returncode == 1 and done.stdout == "" and "graded yet" in done.stderr


def test_the_record_tells_levels_what_is_due_and_the_interviews(interviewer: Shell, session: str) -> None:
    told = interviewer.said("practice", "--user", "ann")
    for part in ("2 questions are due again", "| Topic |", "1 Mar 2026", f"`{session}`", "Due again"):
        assert part in told, part


def test_as_json_it_is_one_object_with_the_plan_that_was_asked_for(interviewer: Shell, session: str) -> None:
    told = interviewer.json("practice", "--user", "ann", "--due", "--minutes", "5", "--json")
    assert set(told["due"]) == set(SKIPPED) and told["plan"]["only"] == told["due"][:1]
    assert [each["session"] for each in told["sessions"]] == [session]


def test_an_interview_of_what_is_due_is_begun_for_that_person(interviewer: Shell, session: str) -> None:
    told = interviewer.json("practice", "--user", "ann", "--start", "--json", given="skip\nend\n")
    assert told["ended"] and told["report"]["plan"]["only"]
    assert told["report"]["answered"][0]["question"] in SKIPPED
    again = interviewer.json("practice", "--user", "ann", "--json")
    assert {each["session"] for each in again["sessions"]} == {session, told["session"]}


def test_one_wish_at_a_time(interviewer: Shell) -> None:
    assert interviewer("practice", "--due", "--worst").returncode == 2
