from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from interviewer.grading.score import MISCONCEPTION_CAP, score_of
from interviewer.models import MAX_SCORE, HeldMisconception, PointVerdict, Standing


def point(standing: Standing, weight: int = 1) -> PointVerdict:
    return PointVerdict(point="p", claim="claim", verdict=standing, weight=weight, probability=1)


POINTS = st.lists(st.builds(point, st.sampled_from(Standing), st.integers(1, 5)), min_size=1, max_size=8)


@given(POINTS)
def test_a_score_lies_between_nothing_and_all(points: list[PointVerdict]) -> None:
    assert 0 <= score_of(points, ()) <= MAX_SCORE


@given(POINTS, st.data())
def test_earning_a_point_never_lowers_the_score(points: list[PointVerdict], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(points) - 1))
    better = [p.model_copy(update={"verdict": Standing.COVERED}) if i == at else p for i, p in enumerate(points)]
    assert score_of(better, ()) >= score_of(points, ())


def test_weights_count() -> None:
    assert score_of([point(Standing.COVERED, 3), point(Standing.MISSING, 1)], ()) == 3.8
    assert score_of([point(Standing.PARTIAL, 3), point(Standing.MISSING, 1)], ()) == 1.9


def test_the_opposite_of_a_point_earns_less_than_silence_about_it() -> None:
    said = point(Standing.COVERED, 3)
    assert score_of([said, point(Standing.CONTRADICTED)], ()) < score_of([said, point(Standing.MISSING)], ())
    assert score_of([point(Standing.CONTRADICTED)], ()) == 0


def test_who_holds_a_misconception_does_not_pass_the_cap() -> None:
    held = [HeldMisconception(id="m", quote="words", correction="so")]
    assert score_of([point(Standing.COVERED)], held) == MISCONCEPTION_CAP
