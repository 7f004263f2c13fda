from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviewer.interview.ability import estimate
from interviewer.interview.practice import Attempt, Record, TopicRecord, record_of
from interviewer.models import Level, Topic
from tests.interview.practice.answering import answered, attempt, day

levels = st.sampled_from(Level)
histories = st.lists(st.tuples(st.integers(0, 200), st.floats(0, 5), levels), min_size=1, max_size=6).map(
    lambda tries: [
        attempt(on, answered(f"q{i}", score, level=level))
        for i, (on, score, level) in enumerate(sorted(tries, key=lambda each: each[0]))
    ]
)


def record(attempts: list[Attempt], on: int) -> Record:
    return record_of(attempts, day(on), {each.answered.question for each in attempts})


def topic(attempts: list[Attempt], on: int) -> TopicRecord:
    [found] = record(attempts, on).topics
    return found


def test_after_one_interview_the_record_says_what_that_interview_says() -> None:
    answers = [answered("a", 4), answered("b", 2, level=Level.SENIOR, hints=1), answered("c", None)]
    found = topic([attempt(0, each) for each in answers], 0)
    mean, sd = estimate(answers, Level.MID)
    assert (found.ability, found.sd) == pytest.approx((mean, sd), abs=0.005)
    assert found.asked == 2


@given(histories, st.integers(0, 400), st.integers(0, 400))
def test_time_without_evidence_never_makes_it_surer_and_moves_nothing(
    history: list[Attempt], soon: int, later: int
) -> None:
    soon, later = sorted((200 + soon, 200 + later))
    assert topic(history, soon).sd <= topic(history, later).sd
    assert topic(history, soon).ability == topic(history, later).ability


@given(histories, st.floats(0, 5), levels)
def test_an_answer_to_another_question_never_makes_it_less_sure(
    history: list[Attempt], score: float, level: Level
) -> None:
    one_more = [*history, attempt(201, answered("another", score, level=level))]
    assert topic(one_more, 300).sd <= topic(history, 300).sd


@given(histories, st.tuples(st.floats(0, 5), st.floats(0, 5)).map(sorted), levels)
def test_a_better_last_answer_never_lowers_the_estimate(
    history: list[Attempt], pair: list[float], level: Level
) -> None:
    low, high = (topic([*history, attempt(201, answered("another", s, level=level))], 201) for s in pair)
    assert low.ability <= high.ability


def test_after_years_an_estimate_is_as_unsure_as_the_prior() -> None:
    attempts = [attempt(0, answered(f"q{i}", 3)) for i in range(6)]
    assert topic(attempts, 0).sd < 0.6 and topic(attempts, 3000).sd == 1.0


def test_a_question_asked_again_counts_by_its_last_answer_alone() -> None:
    again = [attempt(0, answered("a", 0)), attempt(3, answered("a", 5)), attempt(5, answered("a", 5))]
    found, once = topic(again, 5), topic([attempt(5, answered("a", 5))], 5)
    assert (found.ability, found.sd, found.asked) == (once.ability, once.sd, 1)
    assert [moment.day for moment in found.course] == [day(0), day(3), day(5)]
    assert found.course[0].ability < found.course[-1].ability


def test_an_unscored_answer_does_not_undo_an_earlier_one() -> None:
    attempts = [attempt(0, answered("a", 5)), attempt(1, answered("a", None))]
    assert topic(attempts, 1) == topic(attempts[:1], 1)
    assert record(attempts[1:], 1).topics == ()


def test_topics_are_counted_apart_and_so_is_what_is_due() -> None:
    attempts = [attempt(0, answered("a", 0)), attempt(0, answered("b", 5, topic=Topic.TENSORS))]
    tensors, data = record(attempts, 1).topics
    assert (tensors.topic, tensors.due, data.topic, data.due) == (Topic.TENSORS, 0, Topic.DATA, 1)
    assert data.next_due == day(1) and tensors.next_due and tensors.next_due > day(1)
    assert [each.question for each in record(attempts, 1).due] == ["a"]


def test_the_most_overdue_comes_first() -> None:
    attempts = [attempt(0, answered("older", 5)), attempt(4, answered("failed", 0)), attempt(4, answered("newer", 5))]
    assert [each.question for each in record(attempts, 40).due] == ["failed", "older", "newer"]


def test_a_question_that_left_the_bank_does_not_come_again() -> None:
    attempts = [attempt(0, answered("gone", 0))]
    found = record_of(attempts, day(9), in_bank=())
    assert found.repetitions == () and found.topics[0].asked == 1 and found.topics[0].next_due is None


def test_what_came_later_is_left_out_of_an_earlier_day() -> None:
    attempts = [attempt(0, answered("a", 1)), attempt(5, answered("b", 5))]
    assert record(attempts, 3) == record_of(attempts[:1], day(3), {"a", "b"})


def test_interviews_are_told_newest_first_with_their_score() -> None:
    attempts = [
        attempt(0, answered("a", 4), session="old"),
        attempt(0, answered("b", 0, skipped=True), session="old"),
        attempt(2, answered("c", None), session="new"),
    ]
    told = [(each.session, each.day, each.questions, each.score) for each in record(attempts, 3).sessions]
    assert told == [("new", day(2), 1, None), ("old", day(0), 2, 2.0)]
