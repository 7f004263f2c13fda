from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread

import pytest

from interviewer.bank.bank import Bank
from interviewer.errors import ModelFileError
from interviewer.grading.judge import EmbeddedJudge
from interviewer.interview.graph import STEPS, Step
from interviewer.interview.session import Interviews
from interviewer.interview.state import Rooms, State
from interviewer.models import Plan, Role
from interviewer.sandbox import Sandbox
from interviewer.settings import Settings
from interviewer.surfaces.web.desk import Background, Desk, Screen

PLAN = Plan(only=("view-vs-reshape", "training-loop-steps"))


@pytest.fixture
def desk_over(tmp_path: Path) -> Callable[[Interviews], Desk]:
    """A desk that has no models loaded ahead."""

    def warm() -> Thread:
        thread = Thread(target=lambda: None)
        thread.start()
        return thread

    return lambda interviews: Desk(interviews, tmp_path / "reports", warm)


@pytest.fixture
def desk(desk_over: Callable[[Interviews], Desk], interviews: Interviews) -> Desk:
    return desk_over(interviews)


@pytest.fixture
def with_step(
    settings: Settings, bank: Bank, judge: EmbeddedJudge, desk_over: Callable[[Interviews], Desk]
) -> Callable[[str, Step], Desk]:
    """A desk on the same home where one step of a turn is another."""

    def replaced(name: str, step: Step) -> Desk:
        steps = {**STEPS, name: step}
        return desk_over(Interviews(settings, bank=bank, judge=judge, sandbox=Sandbox(settings), steps=steps))

    return replaced


def last(screens: Iterator[Screen]) -> Screen:
    return list(screens)[-1]


def no_model(state: State, rooms: Rooms) -> State:
    raise ModelFileError("The embedding model is not installed.")


def broken(state: State, rooms: Rooms) -> State:
    raise ZeroDivisionError


def test_a_message_shows_at_once_and_its_answer_at_the_end(desk: Desk, interviews: Interviews) -> None:
    session = interviews.begin(PLAN)
    first, *_, end = desk.reply(session.id, "hint", key="k", after=0)
    assert (first.said, first.text, first.view.seen) == ("hint", "", 0)
    assert first.pending
    assert (end.said, end.pending, end.notice, end.text, end.view.seen) == ("", "", "", None, 2)


def test_the_same_key_is_answered_once(desk: Desk, interviews: Interviews) -> None:
    session = interviews.begin(PLAN)
    one, other = (last(desk.reply(session.id, "hint", key="same", after=0)) for _ in range(2))
    assert one.view == other.view


def test_a_message_refused_while_another_is_answered_comes_back(desk: Desk, interviews: Interviews) -> None:
    session = interviews.begin(PLAN)
    with interviews.lock(session.id):
        end = last(desk.reply(session.id, "my words", key="k", after=0))
    assert "another window" in end.notice
    assert end.text == "my words"
    assert [turn.role for turn in session.turns()] == [Role.INTERVIEWER]


def test_a_message_that_answers_an_older_question_comes_back_with_its_code(desk: Desk, interviews: Interviews) -> None:
    session = interviews.begin(Plan(only=("stable-cross-entropy", "view-vs-reshape")))
    session.reply("skip")
    end = last(desk.reply(session.id, "my words", "my = 'code'", key="k", after=0))
    assert "went on" in end.notice
    assert end.text == "my words\n\n```python\nmy = 'code'\n```"
    assert end.code == ""
    assert end.view.seen == 2


@pytest.mark.parametrize(("step", "sentence"), [(no_model, "embedding model is not installed"), (broken, "reload")])
def test_a_turn_that_failed_is_told_in_a_sentence_and_answered_once_mended(
    desk: Desk, interviews: Interviews, with_step: Callable[[str, Step], Desk], step: Step, sentence: str
) -> None:
    session = interviews.begin(PLAN)
    end = last(with_step("decide", step).reply(session.id, "hint", key="k", after=0))
    assert sentence in end.notice
    assert (end.text, end.view.seen, end.view.waiting) == (None, 1, True)
    mended = last(desk.open(session.id, ""))
    assert (mended.view.seen, mended.notice) == (2, "")


def test_a_session_that_is_being_answered_elsewhere_is_shown_as_such_until_it_is_answered(
    desk: Desk, interviews: Interviews, with_step: Callable[[str, Step], Desk]
) -> None:
    session = interviews.begin(PLAN)
    last(with_step("decide", broken).reply(session.id, "hint", key="k", after=0))
    screens = desk.open(session.id, "")
    with interviews.lock(session.id):
        assert next(s for s in screens if "another window" in s.pending).view.waiting
    assert last(screens).view.seen == 2


def test_the_address_comes_before_the_memory_and_an_unknown_one_is_told(desk: Desk, interviews: Interviews) -> None:
    one, other = interviews.begin(PLAN), interviews.begin(PLAN)
    assert last(desk.open(one.id, other.id)).view.session == one.id
    assert last(desk.open("", other.id)).view.session == other.id
    unknown = last(desk.open("nosuchthing", other.id))
    assert unknown.view.session not in (one.id, other.id)
    assert "not kept here" in unknown.notice
    assert last(desk.open("", "nosuchthing")).notice == ""


def test_work_in_the_background_tells_its_steps_and_its_error() -> None:
    def work(progress: Callable[[str], None]) -> None:
        progress("one")
        progress("two")
        raise ZeroDivisionError

    background = Background(work)
    told = background.steps()
    assert [next(told), next(told)] == ["one", "two"]
    with pytest.raises(ZeroDivisionError):
        next(told)
    assert background.done


def test_what_is_shown_as_sent_is_in_the_store(desk: Desk, interviews: Interviews) -> None:
    session = interviews.begin(PLAN)
    shown = next(desk.reply(session.id, "hint", key="k", after=0))
    assert shown.said == session.turns()[1].text
