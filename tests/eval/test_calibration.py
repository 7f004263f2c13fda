from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval.calibration import most_confident, reliability, risk_coverage

certainties = st.lists(st.tuples(st.integers(0, 10), st.booleans()), min_size=1, max_size=80)


def test_probabilities_that_come_true_have_no_error() -> None:
    probability = [0.2] * 10 + [0.8] * 10
    right = [n < 2 for n in range(10)] + [n < 8 for n in range(10)]
    assert reliability(probability, right)["ece"] == pytest.approx(0)


def test_who_is_right_half_of_the_time_and_nearly_sure_is_off_by_the_difference() -> None:
    assert reliability([0.9] * 10, [n % 2 == 0 for n in range(10)])["ece"] == pytest.approx(0.4)


@settings(deadline=None)
@given(certainties)
def test_bins_hold_every_case_once_and_never_part_the_same_probability(rows: list[tuple[int, bool]]) -> None:
    probability = [p / 10 for p, _ in rows]
    table = reliability(probability, [r for _, r in rows])["bins"]
    assert sum(row["n"] for row in table) == len(rows) and len(table) <= 10
    means = [row["probability"] for row in table]
    assert means == sorted(means)
    in_bins = 0
    for row in table:  # whole groups of the same probability fill the bins in order
        in_bins += row["n"]
        ordered = sorted(probability)
        assert in_bins == len(rows) or ordered[in_bins - 1] < ordered[in_bins]


def test_bins_hold_about_as_many_each() -> None:
    draw = np.random.default_rng(0).beta(8, 2, 1000)
    counts = [row["n"] for row in reliability(draw.tolist(), [True] * 1000)["bins"]]
    assert len(counts) == 10 and max(counts) - min(counts) <= 2


def test_confidence_that_knows_the_errors_has_the_smallest_area() -> None:
    error = [3.0, 0.0, 1.0, 2.0]
    found = risk_coverage([-e for e in error], error)
    assert found["area"] == pytest.approx(found["best_area"]) == pytest.approx((0 + 0.5 + 1 + 1.5) / 4)
    assert risk_coverage(error, error)["area"] > found["area_of_no_order"]


def test_one_confidence_for_all_gains_nothing_in_whatever_order_the_cases_come() -> None:
    for error in ([0.0, 1.0, 2.0], [2.0, 1.0, 0.0]):
        found = risk_coverage([0.7] * 3, error)
        assert found["risk"] == pytest.approx([1, 1, 1]) and found["area"] == pytest.approx(1)


def test_a_long_curve_is_kept_short_with_both_its_ends() -> None:
    found = risk_coverage(list(range(5000)), [1.0] * 5000)
    assert len(found["coverage"]) <= 100
    assert (found["coverage"][0], found["coverage"][-1]) == (pytest.approx(1 / 5000), 1)


def test_of_the_same_confidence_all_stay_or_none() -> None:
    assert most_confident([0.9, 0.5, 0.5, 0.1], 0.5).tolist() == [True, True, True, False]
    assert most_confident([0.9, 0.5, 0.4, 0.1], 0.5).tolist() == [True, True, False, False]
    assert most_confident([0.9, 0.5], 1.0).all()
