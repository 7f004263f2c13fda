from __future__ import annotations

from itertools import pairwise

import pytest
from fsrs import Rating
from hypothesis import given
from hypothesis import strategies as st

from interviewer.interview.practice.repetition import Repetition, rating_of, repetitions
from tests.interview.practice.answering import answered, attempt, day

scores = st.floats(0, 5)
help_taken = {"hints": st.integers(0, 3), "follow_ups": st.integers(0, 3)}
histories = st.lists(st.tuples(st.integers(0, 60), scores), min_size=1, max_size=8).map(
    lambda tries: [attempt(on, answered(score=score)) for on, score in sorted(tries, key=lambda each: each[0])]
)


def only(found: tuple[Repetition, ...]) -> Repetition:
    [one] = found
    return one


@pytest.mark.parametrize(
    ("score", "rating"),
    [
        (0, Rating.Again), (2.4, Rating.Again),
        (2.5, Rating.Hard), (3.4, Rating.Hard),
        (3.5, Rating.Good), (4.4, Rating.Good),
        (4.5, Rating.Easy), (5, Rating.Easy),
    ],
)  # fmt: skip
def test_a_score_is_a_rating(score: float, rating: Rating) -> None:
    assert rating_of(answered(score=score)) is rating


@given(st.tuples(scores, scores).map(sorted), st.fixed_dictionaries(help_taken))
def test_a_better_score_is_never_rated_lower(pair: list[float], helped: dict[str, int]) -> None:
    low, high = (rating_of(answered(score=score, **helped)) for score in pair)  # type: ignore[arg-type]
    assert low and high and low <= high


@given(scores, st.integers(0, 3), st.integers(0, 3))
def test_help_never_raises_a_rating(score: float, hints: int, follow_ups: int) -> None:
    alone, helped = (
        rating_of(answered(score=score)),
        rating_of(answered(score=score, hints=hints, follow_ups=follow_ups)),
    )
    assert alone and helped and helped <= alone


def test_nothing_is_easy_with_a_hint_or_after_two_follow_ups() -> None:
    assert rating_of(answered(score=5, hints=1)) is Rating.Good
    assert rating_of(answered(score=5, follow_ups=1)) is Rating.Easy
    assert rating_of(answered(score=5, follow_ups=2)) is Rating.Good


def test_skipped_is_not_recalled_and_unscored_says_nothing() -> None:
    assert rating_of(answered(score=0, skipped=True)) is Rating.Again
    assert rating_of(answered(score=None, skipped=True)) is Rating.Again
    assert rating_of(answered(score=None)) is None
    assert repetitions([attempt(0, answered(score=None))], day(0)) == ()


@given(histories)
def test_the_same_attempts_are_due_on_the_same_day(history: list[object]) -> None:
    assert repetitions(history, day(60)) == repetitions(history, day(60))  # type: ignore[arg-type]


@given(histories, st.tuples(scores, scores).map(sorted))
def test_a_better_last_answer_is_never_due_earlier(history: list[object], pair: list[float]) -> None:
    low, high = (only(repetitions([*history, attempt(70, answered(score=s))], day(70))) for s in pair)  # type: ignore[list-item]
    assert low.due <= high.due and low.recall <= high.recall


@given(histories)
def test_a_question_is_due_after_the_day_of_its_last_attempt_within_a_year(history: list[object]) -> None:
    found = only(repetitions(history, day(60)))  # type: ignore[arg-type]
    assert 1 <= (found.due - found.last).days <= 365
    assert found.times == len(history)


def test_what_is_known_again_and_again_comes_ever_more_rarely() -> None:
    history, gaps, on = [], [], 0
    for _ in range(5):
        history.append(attempt(on, answered(score=4)))
        gaps.append((only(repetitions(history, day(on))).due - day(on)).days)
        on += gaps[-1]
    assert all(earlier < later for earlier, later in pairwise(gaps)), gaps


def test_the_hour_of_practice_does_not_matter() -> None:
    late, early = (repetitions([attempt(0, answered(), hour=h)], day(0)) for h in (0, 23))
    assert late == early


def test_recall_fades() -> None:
    history = [attempt(0, answered())]
    faded = [only(repetitions(history, day(n))).recall for n in range(0, 40, 4)]
    assert faded == sorted(faded, reverse=True) and faded[-1] < 0.8 < faded[0]


@given(st.lists(st.tuples(st.integers(0, 30), scores), min_size=2, max_size=12))
def test_questions_come_in_the_order_in_which_they_are_due(tries: list[tuple[int, float]]) -> None:
    history = [attempt(on, answered(f"q{i}", score)) for i, (on, score) in enumerate(tries)]
    found = repetitions(sorted(history, key=lambda each: each.at), day(40))
    assert len(found) == len(tries)
    assert all((a.due, a.recall) <= (b.due, b.recall) for a, b in pairwise(found))
