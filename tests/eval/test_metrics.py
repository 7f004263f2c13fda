from __future__ import annotations

import pytest

from eval.metrics import agreement, classification, found, within_questions


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


def test_scores_that_all_round_alike_have_no_kappa() -> None:
    assert agreement([2.1, 2.2, 1.9], [1.8, 2.0, 2.3])["qwk"] == 0


def test_knowing_only_which_questions_are_hard_earns_nothing_within_questions() -> None:
    person = [0, 1, 2, 3, 4, 5]
    by_question = [1, 1, 1, 4, 4, 4]
    questions = ["hard"] * 3 + ["easy"] * 3
    assert agreement(by_question, person)["pearson"] > 0.8
    assert within_questions(by_question, person, questions)["pearson"] == 0


def test_knowing_only_who_is_better_at_each_question_earns_everything_within_questions() -> None:
    person = [0, 1, 2, 3, 4, 5]
    given = [3, 4, 5, 0, 1, 2]
    within = within_questions(given, person, ["hard"] * 3 + ["easy"] * 3)
    assert within["pearson"] == pytest.approx(1) and within["rmse"] == pytest.approx(0)


def test_the_only_reply_to_a_question_says_nothing_within_questions() -> None:
    within = within_questions([1, 2, 3, 5], [1, 2, 3, 0], ["a", "a", "a", "alone"])
    assert within["n"] == 3 and within["pearson"] == pytest.approx(1)


def test_classes_agree_with_a_case_worked_by_hand() -> None:
    person = ["yes", "yes", "yes", "no"]
    given = ["yes", "yes", "no", "no"]
    figures = classification(given, person, ["yes", "no"])
    assert figures["classes"]["yes"] == pytest.approx({"precision": 1, "recall": 2 / 3, "f1": 0.8, "n": 3})
    assert figures["classes"]["no"] == pytest.approx({"precision": 0.5, "recall": 1, "f1": 2 / 3, "n": 1})
    assert figures["macro_f1"] == pytest.approx((0.8 + 2 / 3) / 2)
    assert figures["weighted_f1"] == pytest.approx((3 * 0.8 + 2 / 3) / 4)
    assert figures["confusion"] == [[2, 1], [0, 1]]


def test_a_class_that_the_person_never_used_is_shown_and_does_not_count_in_the_mean() -> None:
    figures = classification(["yes", "maybe"], ["yes", "yes"], ["yes", "maybe", "no"])
    assert list(figures["classes"]) == ["yes", "maybe"]
    assert figures["macro_f1"] == figures["classes"]["yes"]["f1"]


def test_what_is_found_is_counted_over_all_replies() -> None:
    given = [frozenset({"a", "b"}), frozenset(), frozenset({"c"})]
    person = [frozenset({"a"}), frozenset({"d"}), frozenset({"c"})]
    assert found(given, person) == pytest.approx(
        {"n": 3, "claimed": 3, "precision": 2 / 3, "recall": 2 / 3, "f1": 2 / 3}
    )


def test_who_claims_nothing_where_nothing_is_was_right() -> None:
    figures = found([frozenset()], [frozenset()])
    assert figures["precision"] == figures["recall"] == figures["f1"] == 1
