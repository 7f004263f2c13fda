from __future__ import annotations

import pytest

from interviewer.interview.ability import by_topic, estimate
from interviewer.models import Answered, Level, PointVerdict, Standing, Topic, Verdict


def answered(score: float | None, level: Level = Level.MID, topic: Topic = Topic.DATA, hints: int = 0) -> Answered:
    points = (PointVerdict(point="p", claim="claim", verdict=Standing.MISSING, weight=1, probability=1),)
    verdict = Verdict(points=points, score=score, confidence=1, judge="test")
    return Answered(question="q", text="Why?", topic=topic, level=level, verdict=verdict, hints=hints)


def test_success_raises_and_failure_lowers_the_estimate() -> None:
    start = estimate([], Level.MID)[0]
    assert estimate([answered(0)], Level.MID)[0] < start < estimate([answered(5)], Level.MID)[0]


def test_every_answer_narrows_the_uncertainty() -> None:
    widths = [estimate([answered(3.0)] * n, Level.MID)[1] for n in range(6)]
    assert widths == sorted(widths, reverse=True)


def test_success_on_a_harder_question_shows_more() -> None:
    assert estimate([answered(5, Level.STAFF)], Level.MID) > estimate([answered(5, Level.JUNIOR)], Level.MID)


def test_a_hint_costs_a_little() -> None:
    with_hint, without = estimate([answered(5, hints=1)], Level.MID)[0], estimate([answered(5)], Level.MID)[0]
    assert with_hint < without
    assert without - with_hint < without - estimate([answered(2.5)], Level.MID)[0]


def test_an_unscored_answer_says_nothing() -> None:
    assert estimate([answered(None)], Level.MID) == pytest.approx(estimate([], Level.MID))


def test_topics_are_estimated_apart() -> None:
    data, autograd = by_topic([answered(5), answered(0, topic=Topic.AUTOGRAD)], Level.MID)
    assert (data.topic, autograd.topic) == (Topic.DATA, Topic.AUTOGRAD)
    assert data.ability > autograd.ability
    assert data.asked == autograd.asked == 1
