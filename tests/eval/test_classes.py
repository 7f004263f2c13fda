"""Verdicts as the classes of public sets."""

from __future__ import annotations

import pytest

from eval.classes import class_of, classes, fold
from interviewer.models import HeldMisconception, PointVerdict, Standing, Verdict


def verdict(score: float | None, standing: Standing = Standing.COVERED, *, held: bool = False) -> Verdict:
    point = PointVerdict(point="p", claim="So it is.", verdict=standing, weight=1, probability=1)
    believed = (HeldMisconception(id="m", quote="so", correction="It isn't."),) if held else ()
    return Verdict(points=(point,), misconceptions=believed, score=score, confidence=1, judge="test")


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (verdict(5.0, Standing.CONTRADICTED), "contradictory"),
        (verdict(5.0, held=True), "contradictory"),
        (verdict(2.5), "correct"),
        (verdict(2.4), "partially_correct_incomplete"),
        (verdict(0.0), "irrelevant"),
        (verdict(None), "irrelevant"),
    ],
)
def test_what_is_wrong_comes_before_what_is_right(given: Verdict, expected: str) -> None:
    assert class_of(given) == expected


def test_five_classes_fold_into_three_as_the_organisers_fold_them() -> None:
    five = ["correct", "partially_correct_incomplete", "contradictory", "irrelevant", "non-domain"]
    assert [fold(name) for name in five] == ["correct", "incorrect", "contradictory", "incorrect", "incorrect"]


def test_a_set_is_measured_in_as_many_ways_as_its_people_used() -> None:
    right = ("correct", "correct")
    assert set(classes([right, ("incorrect", "irrelevant")])) == {"2-way"}
    assert set(classes([right, ("contradictory", "correct")])) == {"2-way", "3-way"}
    assert set(classes([right, ("non_domain", "irrelevant")])) == {"2-way", "5-way"}
    assert classes([]) == {}


def test_the_macro_mean_is_over_the_classes_that_people_used() -> None:
    figures = classes([("correct", "correct"), ("non-domain", "irrelevant"), ("contradictory", "contradictory")])
    assert figures["2-way"]["macro_f1"] == figures["3-way"]["macro_f1"] == 1.0
    assert figures["5-way"]["macro_f1"] == pytest.approx(2 / 3) == figures["5-way"]["weighted_f1"]
