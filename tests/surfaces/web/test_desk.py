from __future__ import annotations

from collections.abc import Callable, Iterator
from threading import Event, Thread

import pytest

from interviewer.access import LOCAL, Person
from interviewer.bank.bank import Bank
from interviewer.errors import ModelFileError
from interviewer.grading.judge import EmbeddedJudge
from interviewer.interview.graph import STEPS, Step
from interviewer.interview.plan import Wish
from interviewer.interview.session import Interviews
from interviewer.interview.state import Rooms, State
from interviewer.interview.trying import Trial
from interviewer.models import CodeRun, Outcome, Plan, Role
from interviewer.sandbox import Sandbox
from interviewer.settings import Settings
from interviewer.surfaces.web.bench import Bench
from interviewer.surfaces.web.desk import Desk, Screen, Start
from interviewer.surfaces.web.working import Background, Stopped

PLAN = Plan(only=("view-vs-reshape", "training-loop-steps"))


@pytest.fixture
def desk_over() -> Callable[[Interviews], Desk]:
    """A desk that has no models loaded ahead."""

    def warm() -> Thread:
        thread = Thread(target=lambda: None)
        thread.start()
        return thread

    return lambda interviews: Desk(interviews, warm)


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


def last(screens: Iterator[Start | Screen]) -> Screen:
    screen = list(screens)[-1]
    assert isinstance(screen, Screen)
    return screen


def no_model(state: State, rooms: Rooms) -> State:
    raise ModelFileError("The embedding model is not installed.")


def broken(state: State, rooms: Rooms) -> State:
    raise ZeroDivisionError


def test_a_message_shows_at_once_and_its_answer_at_the_end(desk: Desk, interviews: Interviews) -> None:
    session = interviews.begin(PLAN)
    first, *_, end = desk.reply(LOCAL, session.id, "hint", key="k", after=0)
    assert (first.said, first.text, first.view.seen) == ("hint", "", 0)
    assert first.pending
    assert (end.said, end.pending, end.notice, end.text, end.view.seen) == ("", "", "", None, 2)


def test_the_same_key_is_answered_once(desk: Desk, interviews: Interviews) -> None:
    session = interviews.begin(PLAN)
    one, other = (last(desk.reply(LOCAL, session.id, "hint", key="same", after=0)) for _ in range(2))
    assert one.view == other.view


def test_a_message_refused_while_another_is_answered_comes_back(desk: Desk, interviews: Interviews) -> None:
    session = interviews.begin(PLAN)
    with interviews.lock(session.id):
        end = last(desk.reply(LOCAL, session.id, "my words", key="k", after=0))
    assert "another window" in end.notice
    assert end.text == "my words"
    assert [turn.role for turn in session.turns()] == [Role.INTERVIEWER]


def test_a_message_that_answers_an_older_question_comes_back_with_its_code(desk: Desk, interviews: Interviews) -> None:
    session = interviews.begin(Plan(only=("stable-cross-entropy", "view-vs-reshape")))
    session.reply("skip")
    end = last(desk.reply(LOCAL, session.id, "my words", "my = 'code'", key="k", after=0))
    assert "went on" in end.notice
    assert end.text == "my words\n\n```python\nmy = 'code'\n```"
    assert end.code == ""
    assert end.view.seen == 2


@pytest.mark.parametrize(("step", "sentence"), [(no_model, "embedding model is not installed"), (broken, "reload")])
def test_a_turn_that_failed_is_told_in_a_sentence_and_answered_once_mended(
    desk: Desk, interviews: Interviews, with_step: Callable[[str, Step], Desk], step: Step, sentence: str
) -> None:
    session = interviews.begin(PLAN)
    end = last(with_step("decide", step).reply(LOCAL, session.id, "hint", key="k", after=0))
    assert sentence in end.notice
    assert (end.text, end.view.seen, end.view.waiting) == (None, 1, True)
    mended = last(desk.open(LOCAL, session.id, ""))
    assert (mended.view.seen, mended.notice) == (2, "")


def test_a_session_that_is_being_answered_elsewhere_is_shown_as_such_until_it_is_answered(
    desk: Desk, interviews: Interviews, with_step: Callable[[str, Step], Desk]
) -> None:
    session = interviews.begin(PLAN)
    last(with_step("decide", broken).reply(LOCAL, session.id, "hint", key="k", after=0))
    screens = desk.open(LOCAL, session.id, "")
    with interviews.lock(session.id):
        assert next(s for s in screens if "another window" in s.pending).view.waiting
    assert last(screens).view.seen == 2


def test_the_address_comes_before_the_memory_and_nothing_is_begun_by_looking(
    desk: Desk, interviews: Interviews
) -> None:
    one, other = interviews.begin(PLAN), interviews.begin(PLAN)
    assert last(desk.open(LOCAL, one.id, other.id)).view.session == one.id
    assert last(desk.open(LOCAL, "", other.id)).view.session == other.id
    assert list(desk.open(LOCAL, "", other.id, afresh=True)) == [Start()]
    assert list(desk.open(LOCAL, "", "nosuchthing")) == [Start()]
    [unknown] = desk.open(LOCAL, "nosuchthing", other.id)
    assert "not kept here" in unknown.notice
    assert len(interviews.store.sessions()) == 2


def test_a_session_that_has_ended_opens_by_its_address_alone(desk: Desk, interviews: Interviews) -> None:
    session = interviews.begin(PLAN)
    session.reply("end")
    assert last(desk.open(LOCAL, session.id, "")).view.ended
    assert list(desk.open(LOCAL, "", session.id)) == [Start(last=session.id)]


def test_a_session_of_another_is_unknown(desk: Desk, interviews: Interviews) -> None:
    session = interviews.begin(PLAN)
    stranger = Person(user="stranger", name="S")
    assert list(desk.open(stranger, "", session.id)) == [Start()]
    [asked] = desk.open(stranger, session.id, "")
    [replied] = desk.reply(stranger, session.id, "hint", key="k", after=0)
    assert isinstance(asked, Start) and isinstance(replied, Start)
    assert desk.view(stranger, session.id) is None
    assert len(session.turns()) == 1


def test_who_came_for_one_session_sees_that_one_and_begins_no_other(desk: Desk, interviews: Interviews) -> None:
    mine, other = interviews.begin(PLAN, "guest"), interviews.begin(PLAN, "guest")
    guest = Person(user="guest", name="G", only=mine.id)
    assert last(desk.open(guest, other.id, other.id, afresh=True)).view.session == mine.id
    assert last(desk.begin(guest, PLAN)).view.session == mine.id
    assert len(interviews.store.sessions("guest")) == 2


def test_where_there_is_nothing_to_practise_the_choice_stays_and_says_why(desk: Desk, interviews: Interviews) -> None:
    [start] = desk.begin(LOCAL, Plan(), Wish.WORST)
    assert "has been graded yet" in start.notice
    assert interviews.store.sessions() == []


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
    shown = next(desk.reply(LOCAL, session.id, "hint", key="k", after=0))
    assert shown.said == session.turns()[1].text


@pytest.mark.sandbox
def test_a_run_that_does_not_count_leaves_no_turn_and_can_be_stopped(interviews: Interviews) -> None:
    session = interviews.begin(Plan(only=("stable-cross-entropy",)))
    bench = Bench(interviews)
    *_, ran = bench.try_(session.id, "print(6 * 7)")
    assert "42" in ran.told and ran.attempt and ran.attempt.code == "print(6 * 7)"
    endless = bench.try_(session.id, "while True:\n    pass")
    assert next(endless).running
    [busy] = bench.try_(session.id, "print(1)")
    assert (busy.running, busy.can_stop) == (False, True)
    bench.stop(session.id)
    while not (stopping := next(endless)).told.startswith("Stopping."):
        pass
    assert (stopping.running, stopping.can_stop) == (True, False)
    [busy] = bench.try_(session.id, "print(1)")
    assert "still being stopped" in busy.told and not busy.can_stop
    *_, stopped = endless
    assert (stopped.told[:8], stopped.attempt) == ("Stopped.", None)
    *_, ran = bench.try_(session.id, "print(1)")
    assert ran.attempt
    assert len(session.turns()) == 1


def test_who_shows_that_another_run_goes_on_keeps_nobody_from_stopping_it(
    interviews: Interviews, monkeypatch: pytest.MonkeyPatch
) -> None:
    let_go = Event()

    def waits(*_: object) -> Trial:
        assert let_go.wait(10)
        return Trial(run=CodeRun(outcome=Outcome.PASSED, message=""))

    monkeypatch.setattr("interviewer.surfaces.web.bench.try_code", waits)
    bench = Bench(interviews)
    Thread(target=list, args=(bench.try_("mine", "x"),), daemon=True).start()
    while not next(shown := bench.try_("mine", "x")).can_stop:
        pass
    stops = Thread(target=bench.stop, args=("mine",), daemon=True)
    stops.start()
    stops.join(5)
    assert not stops.is_alive()
    shown.close()
    let_go.set()


def test_work_that_is_stopped_is_waited_for_no_longer() -> None:
    let_go = Event()
    background = Background(lambda _: let_go.wait())
    background.stop()
    with pytest.raises(Stopped):
        list(background.steps())
    let_go.set()
