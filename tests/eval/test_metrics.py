from __future__ import annotations

import pytest

from eval.metrics import agreement


def test_agreement_with_oneself_is_whole() -> None:
    found = agreement([0, 1, 2.5, 4, 5], [0, 1, 2.5, 4, 5])
    assert found["pearson"] == pytest.approx(1)
    assert found["qwk"] == pytest.approx(1)
    assert (found["rmse"], found["exact"]) == (0, 1)


def test_quadratic_kappa_agrees_with_a_case_worked_by_hand() -> None:
    # 0,0,5,5 against 0,5,5,5: observed disagreement 1/4, expected by the margins 1/2, kappa 1/2
    assert agreement([0, 0, 5, 5], [0, 5, 5, 5])["qwk"] == pytest.approx(0.5)


def test_a_grader_that_always_says_the_same_agrees_with_nobody() -> None:
    found = agreement([3, 3, 3], [0, 3, 5])
    assert found["pearson"] == found["qwk"] == 0
    assert found["within_one"] == pytest.approx(1 / 3)
