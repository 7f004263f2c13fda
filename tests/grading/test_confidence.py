from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviewer.grading.confidence import confidence_of, spread
from interviewer.models import Point, Question, Standing

POINTS = [Point(id=name, claim="It is so.", weight=weight, follow_up="Is it?") for name, weight in (("a", 1), ("b", 3))]


def chances(covered: float) -> dict[Standing, float]:
    return {Standing.COVERED: covered, Standing.MISSING: 1 - covered}


def test_points_that_are_certain_have_no_spread() -> None:
    assert spread(POINTS, {"a": chances(1), "b": chances(0)}) == 0


def test_a_point_that_a_run_decided_has_none() -> None:
    assert spread(POINTS, {}) == 0


def test_the_spread_is_that_of_a_coin_for_each_point_by_weight() -> None:
    # one point of weight 3 of 4 at even chances: half a credit either way, times 5 * 3/4
    assert spread(POINTS, {"a": chances(1), "b": chances(0.5)}) == pytest.approx(5 * 0.75 * 0.5)


def test_what_may_be_contradicted_spreads_further_than_what_may_be_missing() -> None:
    contradicted = {Standing.COVERED: 0.5, Standing.CONTRADICTED: 0.5}
    assert spread(POINTS, {"b": contradicted}) > spread(POINTS, {"b": chances(0.5)})


@given(st.floats(0, 5), st.floats(0, 5))
def test_a_wider_spread_is_never_surer(one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert 0 <= confidence_of(high, 3, 2) <= confidence_of(low, 3, 2) <= 1


def test_it_takes_the_points_of_a_real_question(question: Callable[[str], Question]) -> None:
    points = question("view-vs-reshape").points
    assert 0 < spread(points, {p.id: chances(0.5) for p in points}) < 2.5
