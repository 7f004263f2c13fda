from __future__ import annotations

from interviewer.interview.plan import parse_plan
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
