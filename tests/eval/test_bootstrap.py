from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval.bootstrap import FIGURES, figures, intervals, paired_intervals, question_sums
from eval.metrics import agreement

tenths = st.integers(0, 50).map(lambda n: n / 10)
rows = st.lists(st.tuples(tenths, tenths, st.sampled_from("abcd")), min_size=2, max_size=40)


@settings(deadline=None, max_examples=40)
@given(rows)
def test_the_figures_of_sums_are_those_of_the_replies(rows: list[tuple[float, float, str]]) -> None:
    a, b = [r[0] for r in rows], [r[1] for r in rows]
    from_sums = figures(question_sums(a, b, [r[2] for r in rows]).sum(axis=0, keepdims=True))
    expected = agreement(a, b)
    for name in FIGURES:
        assert from_sums[name][0] == pytest.approx(expected[name], abs=1e-6), name


@pytest.mark.parametrize("count", [3, 30_000])
def test_a_score_that_is_always_the_same_has_no_correlation_however_often_it_is_given(count: int) -> None:
    person = [n % 6 for n in range(count)]
    from_sums = figures(question_sums([1.7170000000000003] * count, person, ["q"] * count))
    assert from_sums["pearson"][0] == from_sums["qwk"][0] == 0


def test_a_question_drawn_twice_counts_with_all_its_replies_twice() -> None:
    a, b, q = [1, 2, 5, 4], [0, 3, 4, 5], ["x", "x", "y", "y"]
    from_sums = figures(np.array([[2.0, 1.0]]) @ question_sums(a, b, q))
    expected = agreement([1, 2, 1, 2, 5, 4], [0, 3, 0, 3, 4, 5])
    assert from_sums["qwk"][0] == pytest.approx(expected["qwk"])


def _replies(questions: int, alike: float) -> tuple[list[float], list[float], list[str]]:
    """Ten replies to each; errors are shared within a question as far as ``alike`` says."""
    draw = np.random.default_rng(0)
    person = draw.uniform(0, 5, (questions, 10))
    shared, own = draw.normal(0, 1, (questions, 1)), draw.normal(0, 1, (questions, 10))
    given = person + alike * shared + (1 - alike) * own
    return given.ravel().tolist(), person.ravel().tolist(), [f"q{n}" for n in range(questions) for _ in range(10)]


def test_an_interval_holds_the_figure_and_shrinks_with_more_questions() -> None:
    widths = []
    for count in (10, 160):
        a, b, q = _replies(count, alike=0.5)
        found = intervals(a, b, q)
        assert found is not None
        low, high = found["rmse"]
        assert low < agreement(a, b)["rmse"] < high
        widths.append(high - low)
    assert widths[1] < 0.7 * widths[0]


def test_replies_that_go_wrong_together_widen_the_interval() -> None:
    a, b, q = _replies(30, alike=1.0)
    clustered, apart = intervals(a, b, q), intervals(a, b, [str(n) for n in range(len(a))])
    assert clustered is not None and apart is not None
    assert np.ptp(clustered["rmse"]) > 2 * np.ptp(apart["rmse"])


def test_the_same_replies_have_the_same_interval() -> None:
    assert intervals(*_replies(12, 0.5)) == intervals(*_replies(12, 0.5))


def test_of_four_questions_there_is_no_interval() -> None:
    assert intervals(*_replies(4, 0.5)) is None and intervals(*_replies(5, 0.5)) is not None


def test_a_run_does_not_differ_from_itself() -> None:
    a, b, q = _replies(12, 0.5)
    assert paired_intervals(a, a, b, q) == {name: [0.0, 0.0] for name in FIGURES}


def test_a_small_gain_everywhere_is_certain_where_unpaired_intervals_overlap() -> None:
    a, b, q = _replies(20, 0.5)
    better = [x + 0.1 * (y - x) for x, y in zip(a, b, strict=True)]
    paired, before, after = paired_intervals(a, better, b, q), intervals(a, b, q), intervals(better, b, q)
    assert paired is not None and before is not None and after is not None
    assert paired["rmse"][1] < 0
    assert after["rmse"][1] > before["rmse"][0]
