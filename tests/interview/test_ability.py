from __future__ import annotations

from datetime import date, timedelta

import pytest

from interviewer.interview.ability import by_topic, estimate, estimate_on, level_of, widened
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


def test_within_a_day_time_changes_nothing_and_older_evidence_is_less_sure() -> None:
    today = date(2026, 5, 1)
    answers = [answered(4), answered(1, Level.SENIOR)]
    assert estimate_on(today, [(today, each) for each in answers], Level.MID) == pytest.approx(
        estimate(answers, Level.MID)
    )
    mean, sd = estimate_on(today, [(today - timedelta(days=90), each) for each in answers], Level.MID)
    assert mean == pytest.approx(estimate(answers, Level.MID)[0])
    assert estimate(answers, Level.MID)[1] < sd < 1


def test_uncertainty_grows_to_that_of_no_evidence_in_a_year_and_no_further() -> None:
    assert widened(0.5, 0) == 0.5
    assert 0.5 < widened(0.5, 100) < 1 == pytest.approx(widened(0.5, 365)) == widened(0.5, 5_000)


def test_every_ability_has_a_nearest_level() -> None:
    assert [level_of(a) for a in (-3, 0.4, 0.6, 2.1, 9)] == [
        Level.JUNIOR, Level.JUNIOR, Level.MID, Level.SENIOR, Level.STAFF,
    ]  # fmt: skip
