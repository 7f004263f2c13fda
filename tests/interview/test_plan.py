from __future__ import annotations

import pytest

from interviewer.interview.plan import Wish, parse_plan, wish_in
from interviewer.models import Level, Plan, Topic


def test_level_topics_and_time_are_read() -> None:
    plan = parse_plan("Hi, I'd like senior questions on autograd and the dataloader, 20 minutes please")
    assert plan == Plan(level=Level.SENIOR, topics=(Topic.AUTOGRAD, Topic.DATA), minutes=20)


def test_what_is_not_wished_stays_as_it_was() -> None:
    base = Plan(level=Level.STAFF, minutes=45)
    assert parse_plan("three questions without code", base) == base.model_copy(update={"questions": 3, "code": False})


def test_times_out_of_range_are_brought_into_it() -> None:
    assert parse_plan("1 minute", Plan()) == Plan(minutes=5)
    assert parse_plan("900 minutes", Plan()) == Plan(minutes=180)


def test_a_sentence_with_anything_else_in_it_is_no_wish() -> None:
    assert parse_plan("The senior engineer calls backward twice") is None
    assert parse_plan("tensors") is None
    assert parse_plan("") is None


@pytest.mark.parametrize(
    ("said", "wish"),
    [
        ("interview me on what I'm worst at", Wish.WORST),
        ("Please ask me about my weakest topics", Wish.WORST),
        ("let's practise where I am weak", Wish.WORST),
        ("my weaknesses", Wish.WORST),
        ("what is due", Wish.DUE),
        ("What’s due today?", Wish.DUE),
        ("ask me the questions that are due again", Wish.DUE),
        ("let's go through my due questions", Wish.DUE),
    ],
)
def test_what_somebody_needs_can_be_wished_for(said: str, wish: Wish) -> None:
    assert wish_in(said) is wish and parse_plan(said) == Plan()


def test_other_wishes_beside_it_are_read() -> None:
    text = "senior, what I'm worst at in autograd, 20 minutes, no code"
    assert wish_in(text) is Wish.WORST
    assert parse_plan(text) == Plan(level=Level.SENIOR, topics=(Topic.AUTOGRAD,), minutes=20, code=False)


@pytest.mark.parametrize(
    "said",
    [
        "The overhead is due to Python, which is what is due here",
        "My weak point is that the loss is due to a learning rate",
        "what's due to the optimizer is the state",
        "I'm worst at waiting for all-reduce",
    ],
)
def test_an_answer_is_not_taken_for_a_wish(said: str) -> None:
    assert parse_plan(said) is None


@pytest.mark.parametrize(
    "wish", ["an exam please", "senior, as an exam, 20 minutes", "exam mode", "feedback at the end"]
)
def test_an_exam_can_be_wished_for(wish: str) -> None:
    plan = parse_plan(wish)
    assert plan and plan.exam


@pytest.mark.parametrize("wish", ["practice please", "not an exam", "no exam, senior", "feedback after each question"])
def test_and_a_practice_in_its_place(wish: str) -> None:
    plan = parse_plan(wish, Plan(feedback="end"))
    assert plan and not plan.exam


def test_a_wish_about_something_else_leaves_an_exam_an_exam() -> None:
    assert parse_plan("senior, please", Plan(feedback="end")) == Plan(level=Level.SENIOR, feedback="end")
    assert parse_plan("an exam tests what was learned") is None
