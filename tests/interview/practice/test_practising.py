"""A person's record through the door: what was said in interviews, on which days, and what became of the grades."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from interviewer.errors import NothingToPractise
from interviewer.interview.plan import Wish
from interviewer.interview.review import Correction, decide_review
from interviewer.interview.session import Interviews, Session
from interviewer.models import Judgement, PartKind, Plan, Standing
from interviewer.sandbox import Sandbox
from interviewer.settings import Settings
from tests.interview.reviewing import FIRST, POINTS, SECOND, SmallBank, Told, ToldJudge

ALL: Told = dict.fromkeys(POINTS, (Standing.COVERED, 1.0))
NONE: Told = {}
BEGIN = datetime(2026, 3, 1, 20, tzinfo=UTC)


class Clock:
    now = BEGIN

    def pass_days(self, days: int) -> None:
        self.now += timedelta(days=days)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def rooms(settings: Settings, clock: Clock) -> Callable[..., Interviews]:
    """Interviews whose judge says of each message what it was told."""

    def put_together(*told: Told) -> Interviews:
        judge = ToldJudge(*((each, 0.9) for each in told))
        return Interviews(settings, bank=SmallBank(), judge=judge, sandbox=Sandbox(settings), now=lambda: clock.now)

    return put_together


def answer(interviews: Interviews, user: str, *questions: str) -> Session:
    """An interview in which each question is answered once and then left."""
    session = interviews.begin(Plan(only=questions or (FIRST, SECOND)), user)
    for count, _ in enumerate(questions or (FIRST, SECOND), 1):
        session.reply("They add up, as I said.")
        if len(session.report().answered) < count:
            session.reply("skip")
    return session


def text_of(session: Session) -> str:
    return "\n".join(part.text for part in session.turns()[-1].parts)


def question_of(session: Session) -> str:
    return [part.text for turn in session.turns() for part in turn.parts if part.kind is PartKind.QUESTION][-1]


def test_what_was_missed_is_due_the_next_day_and_what_was_known_later(
    rooms: Callable[..., Interviews], clock: Clock
) -> None:
    interviews = rooms(ALL, NONE)
    answer(interviews, "ann")
    clock.pass_days(1)
    assert [each.question for each in interviews.record("ann").due] == [SECOND]
    clock.pass_days(10)
    assert [each.question for each in interviews.record("ann").due] == [SECOND, FIRST]
    assert interviews.plan_for("ann", Wish.DUE).only == (SECOND, FIRST)


def test_a_corrected_grade_changes_estimate_score_and_due_date(rooms: Callable[..., Interviews], clock: Clock) -> None:
    interviews = rooms(NONE)
    session = answer(interviews, "ann", FIRST)
    session.reply("dispute question 1: I did say it")
    before = interviews.record("ann")
    corrections = [Correction(point=point, verdict=Standing.COVERED) for point in POINTS]
    [review] = interviews.store.reviews()
    decide_review(
        interviews.store, review.id, Judgement.CHANGED, comment="so they did", reviewer="bob", corrections=corrections
    )
    after = interviews.record("ann")
    assert after.topics[0].ability > before.topics[0].ability
    assert after.repetitions[0].due > before.repetitions[0].due
    assert (before.sessions[0].score, after.sessions[0].score) == (0.0, session.report().score)


def test_nobody_sees_or_practises_what_another_answered(rooms: Callable[..., Interviews], clock: Clock) -> None:
    interviews = rooms(NONE, NONE, ALL)
    anns = answer(interviews, "ann")
    anns.reply("dispute question 1: I did say it")
    clock.pass_days(1)
    for other in ("bob", "Ann", "ann ", "", "%", "ann' OR '1'='1"):
        assert (found := interviews.record(other)).sessions == () and found.topics == () and found.repetitions == ()
        with pytest.raises(NothingToPractise):
            interviews.plan_for(other, Wish.WORST)
    answer(interviews, "bob", FIRST)
    assert [each.session for each in interviews.record("ann").sessions] == [anns.id]
    assert interviews.record("ann").sessions[0].score == 0.0 and interviews.record("bob").sessions[0].score == 5.0
    said = interviews.begin(user="carl").reply("interview me on what I'm worst at")
    assert "graded yet" in said.parts[0].text


def test_what_closed_while_an_interview_was_left_open_counts(rooms: Callable[..., Interviews]) -> None:
    interviews = rooms(NONE)
    interviews.begin(Plan(only=(FIRST, SECOND)), "ann").reply("skip")
    assert interviews.record("ann").sessions[0].questions == 1


def test_an_exam_counts_once_it_has_ended(rooms: Callable[..., Interviews]) -> None:
    interviews = rooms()
    session = interviews.begin(Plan(only=(FIRST, SECOND), feedback="end"), "ann")
    session.reply("skip")
    assert interviews.record("ann").sessions == ()
    session.reply("skip")
    assert session.ended and interviews.record("ann").sessions[0].questions == 2


def test_the_day_of_an_answer_is_when_its_question_closed(rooms: Callable[..., Interviews], clock: Clock) -> None:
    interviews = rooms()
    session = interviews.begin(Plan(only=(FIRST, SECOND)), "ann")
    session.reply("skip")
    clock.pass_days(5)
    session.reply("skip")
    days = {each.question: each.last for each in interviews.record("ann").repetitions}
    assert (days[SECOND] - days[FIRST]).days == 5


def test_what_is_due_can_be_asked_for_in_words(rooms: Callable[..., Interviews], clock: Clock) -> None:
    interviews = rooms(NONE, NONE)
    answer(interviews, "ann", SECOND)
    clock.pass_days(2)
    session = interviews.begin(user="ann")
    session.reply("Hi, ask me what is due, please")
    assert "Good: 1 question at junior level on training" in text_of(session)
    session.reply("skip")
    assert session.ended and [each.question for each in session.report().answered] == [SECOND]


def test_what_i_am_worst_at_can_be_asked_for_in_words(rooms: Callable[..., Interviews]) -> None:
    interviews = rooms(NONE)
    answer(interviews, "ann", SECOND)
    session = interviews.begin(user="ann")
    session.reply("interview me on what I'm worst at, senior, 10 minutes")
    assert "Good: 10 minutes at senior level on training" in text_of(session)


def test_a_wish_that_cannot_be_granted_leaves_the_question_where_it_was(
    rooms: Callable[..., Interviews], clock: Clock
) -> None:
    interviews = rooms(NONE)
    answer(interviews, "ann", FIRST)
    session = interviews.begin(user="ann")
    asked = question_of(session)
    session.reply("what is due?")
    assert "Nothing is due today. The next question is due on" in text_of(session)
    assert question_of(session) == asked and not session.ended
    assert session.report().answered == ()


def test_a_fixed_interview_cannot_be_talked_out_of_its_questions(
    rooms: Callable[..., Interviews], clock: Clock
) -> None:
    interviews = rooms(NONE)
    answer(interviews, "ann", FIRST)
    clock.pass_days(2)
    session = interviews.begin(Plan(only=(SECOND,)), "ann")
    session.reply("ask me what is due")
    assert "chosen beforehand" in text_of(session)
