from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviewer.errors import NothingToPractise
from interviewer.interview.pick import pick
from interviewer.interview.plan import Wish
from interviewer.interview.practice import Attempt, Record, plan_for, record_of, weakest
from interviewer.models import Level, Plan, Question, Topic
from tests.interview.practice.answering import answered, attempt, day, question

TOPICS = (Topic.DATA, Topic.TENSORS, Topic.AUTOGRAD, Topic.MODULES, Topic.TRAINING)
BANK = [question(f"{topic}-{n}", topic=topic) for topic in TOPICS for n in range(4)]


def record(attempts: list[Attempt], on: int, bank: list[Question] = BANK) -> Record:
    return record_of(attempts, day(on), {q.id for q in bank})


def on(topic: Topic, score: float, *, at: int = 0, numbers: int = 3, level: Level = Level.MID) -> list[Attempt]:
    return [attempt(at, answered(f"{topic}-{n}", score, topic=topic, level=level)) for n in range(numbers)]


def test_what_is_due_is_asked_in_the_order_in_which_it_became_due() -> None:
    found = record([attempt(3, answered("data-1", 0)), attempt(4, answered("data-0", 0))], 9)
    plan = plan_for(found, Wish.DUE, BANK)
    assert plan.only == ("data-1", "data-0") and plan.topics == (Topic.DATA,)


@given(st.integers(5, 60), st.integers(1, 12))
def test_what_is_due_keeps_to_the_minutes_and_asks_at_least_one(minutes: int, count: int) -> None:
    bank = [question(f"q{n}", minutes=4 + n % 7) for n in range(count)]
    found = record([attempt(0, answered(q.id, 0)) for q in bank], 9, bank)
    plan = plan_for(found, Wish.DUE, bank, Plan(minutes=minutes))
    by_id = {q.id: q for q in bank}
    assert plan.only == tuple(each.question for each in found.due)[: len(plan.only)]
    assert len(plan.only) == 1 or sum(by_id[name].minutes for name in plan.only) <= minutes


def test_what_is_due_can_be_narrowed() -> None:
    found = record(on(Topic.DATA, 0) + on(Topic.TENSORS, 0), 9)
    assert plan_for(found, Wish.DUE, BANK, Plan(topics=(Topic.TENSORS,), questions=1)).only == ("tensors-0",)
    with pytest.raises(NothingToPractise, match="none that fits"):
        plan_for(found, Wish.DUE, BANK, Plan(topics=(Topic.MODULES,)))


def test_who_has_no_record_is_told_so() -> None:
    for wish in Wish:
        with pytest.raises(NothingToPractise, match="graded yet"):
            plan_for(record([], 0), wish, BANK)


def test_when_nothing_is_due_the_next_day_is_named() -> None:
    with pytest.raises(NothingToPractise, match="due on 2 Jan 2026"):
        plan_for(record(on(Topic.DATA, 0), 0), Wish.DUE, BANK)


def test_an_interview_whose_questions_are_fixed_stays_as_it_is() -> None:
    with pytest.raises(NothingToPractise, match="chosen beforehand"):
        plan_for(record(on(Topic.DATA, 0), 9), Wish.DUE, BANK, Plan(only=("data-0",)))


def test_the_weakest_topic_comes_first_at_the_level_that_was_shown() -> None:
    found = record(on(Topic.DATA, 5, level=Level.SENIOR) + on(Topic.TENSORS, 0) + on(Topic.AUTOGRAD, 3), 0)
    assert [t.topic for t in weakest(found)] == [Topic.TENSORS, Topic.AUTOGRAD, Topic.DATA]
    plan = plan_for(found, Wish.WORST, BANK, Plan(minutes=20))
    assert plan.topics == (Topic.TENSORS,) and plan.level is Level.JUNIOR and plan.minutes == 20


def test_of_two_topics_alike_the_one_that_is_less_known_comes_first() -> None:
    little, much = on(Topic.TENSORS, 2.5, numbers=1), on(Topic.DATA, 2.5, numbers=4)
    assert [t.topic for t in weakest(record(much + little, 0))] == [Topic.TENSORS, Topic.DATA]
    old, new = on(Topic.TENSORS, 2.5), on(Topic.DATA, 2.5, at=300)
    assert [t.topic for t in weakest(record(old + new, 300))] == [Topic.TENSORS, Topic.DATA]


def test_topics_that_cannot_be_told_from_the_weakest_are_asked_as_well_three_at_most() -> None:
    alike = [each for topic in TOPICS[:4] for each in on(topic, 1)]
    plan = plan_for(record(alike + on(Topic.TRAINING, 5, level=Level.STAFF), 9), Wish.WORST, BANK)
    assert len(plan.topics) == 3 and Topic.TRAINING not in plan.topics


def test_on_what_somebody_is_worst_at_they_are_not_asked_what_they_have_just_answered() -> None:
    attempts = on(Topic.DATA, 5, numbers=2)
    plan = plan_for(record(attempts, 0), Wish.WORST, BANK, Plan(minutes=10))
    assert set(plan.leave_out) == {"data-0", "data-1"}
    asked: list[str] = []
    while question := pick(BANK, session="s", plan=plan, asked=asked, answered=(), minutes_left=30):
        asked.append(question.id)
    assert set(asked) == {"data-2", "data-3"}


@given(st.integers(5, 40), st.integers(1, 4))
def test_leaving_out_never_leaves_too_little_to_ask(minutes: int, known: int) -> None:
    plan = plan_for(record(on(Topic.DATA, 4, numbers=known), 0), Wish.WORST, BANK, Plan(minutes=minutes))
    left = [q for q in BANK if q.topic is Topic.DATA and q.id not in plan.leave_out]
    assert sum(q.minutes for q in left) >= min(minutes, 4 * 5)


def test_what_comes_up_soonest_is_let_back_first() -> None:
    attempts = [attempt(0, answered(f"data-{n}", score)) for n, score in enumerate((5, 3, 4, 5))]
    assert set(plan_for(record(attempts, 0), Wish.WORST, BANK, Plan(minutes=5)).leave_out) == {
        "data-0",
        "data-2",
        "data-3",
    }


def test_nobody_is_worst_at_what_they_were_never_asked() -> None:
    with pytest.raises(NothingToPractise, match="nothing yet on what you ask for"):
        plan_for(record(on(Topic.DATA, 0), 0), Wish.WORST, BANK, Plan(topics=(Topic.MODULES,)))
