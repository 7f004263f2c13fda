from __future__ import annotations

import numpy as np
import pytest

from interviewer.grading.decision import Regression, signs_of_misconception, signs_of_point, summary
from interviewer.grading.reader import Reading
from interviewer.grading.text import Unit
from interviewer.models import Kind, Level, Misconception, Point, Question, Reference, Topic

ONE, TWO = Unit("One.", 0, 4), Unit("Two.", 5, 9)


def reading(
    covered: float, near: tuple[float, ...] = (0.2, 0.9), unit: Unit = TWO, contradicted: float = -3.0
) -> Reading:
    return Reading((covered, -3.0, 0.0, contradicted), unit, near)


def asked(*, misconceptions: bool = True) -> Question:
    points = tuple(Point(id=n, claim=f"Claim {n}.", follow_up="And?") for n in ("a", "b"))
    wrong = Misconception(id="m", claim="Not so.", correction="It is so.", contradicts=("a",))
    return Question(
        id="q",
        question="What is so?",
        topic=Topic.TENSORS,
        level=Level.MID,
        kind=Kind.EXPLAIN,
        points=points,
        misconceptions=(wrong,) if misconceptions else (),
        references=(Reference(source="bank", text="It is so."),),
    )


def test_a_summary_takes_the_highest_cosine_and_the_surest_sentence_of_all_wordings() -> None:
    found = summary([reading(-2.0, (0.8, 0.1), ONE), reading(1.5, (0.3, 0.6), TWO)])
    assert found.near.tolist() == [0.8, 0.6]
    assert (found.unit, found.most) == (TWO, 1.5)
    assert found.first.tolist() == [-2.0, -3.0, -3.0]
    assert found.mean[0] == pytest.approx(-0.25)


def test_the_signs_of_a_point_show_when_the_reply_is_nearer_to_what_denies_it() -> None:
    question = asked()
    near_right = {
        "a": summary([reading(0, (0.1, 0.9))]),
        "b": summary([reading(0)]),
        "m": summary([reading(0, (0.1, 0.7))]),
    }
    near_wrong = near_right | {"m": summary([reading(0, (0.1, 1.0))])}
    right, wrong = (signs_of_point(question, "a", read) for read in (near_right, near_wrong))
    assert right.shape == wrong.shape
    assert (right[10], wrong[10]) == pytest.approx((-0.2, 0.1))


def test_the_signs_of_a_point_show_when_its_sentence_speaks_for_another() -> None:
    question = asked(misconceptions=False)
    own, other = summary([reading(1.0, (0.1, 0.6))]), summary([reading(3.0, (0.1, 0.9))])
    elsewhere = summary([reading(3.0, (0.9, 0.1), ONE)])
    nearer, _, better, _ = signs_of_point(question, "a", {"a": own, "b": other})[-4:]
    assert (nearer, better) == pytest.approx((0.3, 2.0))
    nearer, _, better, _ = signs_of_point(question, "a", {"a": own, "b": elsewhere})[-4:]
    assert (nearer, better) == pytest.approx((-0.5, -5.0))


def test_a_question_without_misconceptions_has_as_many_signs() -> None:
    read = {"a": summary([reading(1)]), "b": summary([reading(0)])}
    with_them = signs_of_point(asked(), "a", read | {"m": summary([reading(0)])})
    without = signs_of_point(asked(misconceptions=False), "a", read)
    assert with_them.shape == without.shape
    assert np.isfinite(without).all()


def test_the_signs_of_a_misconception_speak_of_the_points_that_it_denies() -> None:
    question = asked()
    read = {"a": summary([reading(3.0)]), "b": summary([reading(-3.0)]), "m": summary([reading(0.0)])}
    signs = signs_of_misconception(question, question.misconceptions[0], read)
    assert signs[8] == pytest.approx(3.0)


def test_chances_sum_to_one_and_follow_the_coefficients() -> None:
    regression = Regression(mean=(1.0,), scale=(2.0,), coefficients=((0.0,), (1.0,)), intercepts=(0.0, 0.0))
    chances = regression.chances(np.array([3.0]))
    assert chances.sum() == pytest.approx(1)
    assert chances[1] == pytest.approx(1 / (1 + np.exp(-1)))
