"""The figures of a run, from graded cases made by hand."""

from __future__ import annotations

import json
from typing import Any

import pytest

from eval.compare import Run
from tests.eval.samples import CONTRADICTED, COVERED, MISSING, case, run_of, varied_pairs, verdict


def figures(*pairs: Any) -> dict[str, Any]:
    return run_of(list(pairs))


def test_a_case_without_a_verdict_is_counted_with_its_reason_and_changes_no_figure() -> None:
    pairs = varied_pairs()
    whole, more = run_of(pairs), run_of([*pairs, (case("lost", 5), None)])
    assert more["unscored"] == 1
    assert more["unscored_because"] == {"There is nothing to grade against.": 1}
    assert more["overall"] == whole["overall"] and more["points"] == whole["points"]
    assert more["rows"][-1]["given"] is None and len(more["rows"]) == len(pairs) + 1  # type: ignore[index,arg-type]


def test_where_nothing_could_be_scored_only_the_counts_are_there() -> None:
    found = figures((case("a", 1), None), (case("b", 2), verdict(None)))
    assert found["unscored"] == 2 and "overall" not in found


def test_a_score_on_another_scale_is_brought_to_five() -> None:
    of_two = case("a", 1).model_copy(update={"score": 1.0, "max_score": 2.0})
    assert figures((of_two, verdict(2.5)))["rows"][0]["person"] == 2.5


def test_every_division_holds_every_case_once() -> None:
    found = figures(*varied_pairs())
    assert set(found["slices"]) == {"style", "kind", "topic", "level", "length", "code"}
    for division, parts in found["slices"].items():
        assert sum(part["n"] for part in parts.values()) == 40, division
    assert len(found["slices"]["length"]) == 4


def test_a_slice_where_the_person_always_says_the_same_has_no_correlation_and_has_an_error() -> None:
    parrots = figures(*varied_pairs())["slices"]["style"]["parrot"]
    assert parrots["pearson"] is None and parrots["qwk"] is None and "pearson" not in parrots["intervals"]
    assert parrots["rmse"] > 0 and parrots["person"] == 0


def test_fenced_code_tells_replies_with_code() -> None:
    with_code = case("a", 3, answer="So:\n```python\nx = 1\n```")
    found = figures((with_code, verdict(3)), (case("b", 2, answer="`x` alone"), verdict(2)))
    assert {name: part["n"] for name, part in found["slices"]["code"].items()} == {"with code": 1, "without code": 1}


def test_points_are_compared_where_a_person_said_how_they_stand() -> None:
    found = figures(
        (case("a", 5, points={"adds": COVERED, "clears": MISSING}), verdict(5, {"adds": COVERED, "clears": COVERED})),
        (case("b", 0, points={"adds": CONTRADICTED}), verdict(0, {"adds": CONTRADICTED, "clears": MISSING})),
        (case("c", 0), verdict(0, {"adds": COVERED})),
    )
    points = found["points"]["all"]
    assert (points["n"], points["accuracy"]) == (3, pytest.approx(2 / 3, abs=1e-3))
    assert points["classes"]["covered"]["precision"] == 0.5
    assert found["points"]["by_words"] == points and found["points"]["by_run"] == {}


def test_misconceptions_count_in_labelled_replies_alone() -> None:
    labelled = {"adds": CONTRADICTED}
    found = figures(
        (case("a", 0, points=labelled, misconceptions=("replaces",)), verdict(0, holds=["replaces"])),
        (case("b", 0, points=labelled, misconceptions=("replaces",)), verdict(0)),
        (case("c", 0), verdict(0, holds=["replaces"])),
    )
    assert (found["misconceptions"]["precision"], found["misconceptions"]["recall"]) == (1, 0.5)


def test_a_style_is_held_to_its_bound_and_what_breaks_it_is_named() -> None:
    found = figures(
        *((case(f"e{n}", 5, style="expert"), verdict(5 if n else 3.9)) for n in range(50)),
        (case("p", 0, style="parrot"), verdict(1.0)),
        (case("k", 0, style="keywords"), verdict(1.1)),
    )["targets"]
    assert found["expert"]["cases"] == ["e0"] and found["expert"]["share"] == 0.02 and found["expert"]["met"]
    assert found["parrot"]["met"] and not found["keywords"]["met"]
    assert "dontknow" not in found


def test_two_people_are_compared_with_each_other_and_with_the_grader() -> None:
    scores = ((0.0, 1.0, 0.0), (2.0, 3.0, 2.0), (5.0, 4.0, 5.0))
    pairs = [(case(f"c{n}", a, second=b), verdict(g)) for n, (a, b, g) in enumerate(scores)]
    found = figures(*pairs, (case("alone", 5), verdict(0)))["raters"]
    assert found["second with first"]["rmse"] == 1 and found["grader with first"]["rmse"] == 0
    assert found["second with first"]["n"] == 3


def test_classes_of_a_set_are_met_by_score_and_contradiction() -> None:
    found = figures(
        (case("a", 5, label="correct"), verdict(4)),
        (case("b", 0, label="contradictory"), verdict(3, {"adds": CONTRADICTED})),
        (case("c", 0, label="partially_correct_incomplete"), verdict(1)),
    )["classes"]
    assert found["2-way"]["accuracy"] == found["3-way"]["accuracy"] == 1
    assert figures(*varied_pairs())["classes"] == {}


def test_baselines_come_from_the_same_cases() -> None:
    found = figures(
        (case("a", 5, answer="Gradients are added up. zero_grad clears them."), verdict(5)),
        (case("b", 0, answer="qqqq zzzz"), verdict(0)),
    )["baselines"]
    assert set(found) == {"word count", "cosine", "lexical overlap", "always the mean"}
    assert found["lexical overlap"]["pearson"] == pytest.approx(1) and found["cosine"]["pearson"] == pytest.approx(1)
    assert found["always the mean"]["rmse"] == 2.5 and found["always the mean"]["pearson"] == 0


def test_leaving_out_the_least_confident_helps_where_confidence_knows() -> None:
    pairs = [(case(f"c{n}", 2), verdict(2 + n / 50, confidence=1 - n / 100)) for n in range(100)]
    found = figures(*pairs)["coverage"]
    assert found["at"]["60"]["rmse"] < found["at"]["86"]["rmse"] < figures(*pairs)["overall"]["rmse"]
    assert found["at"]["86"]["coverage"] == 0.86 and found["area"] == found["best_area"]


def test_the_worst_mistakes_come_first_and_whole() -> None:
    pairs = [(case(f"c{n:02}", 0, answer=f"reply {n}"), verdict(n / 10, {"adds": COVERED})) for n in range(50)]
    worst = figures(*pairs)["worst"]
    assert len(worst) == 40 and [w["id"] for w in worst[:2]] == ["c49", "c48"]
    assert worst[0]["answer"] == "reply 49" and worst[0]["text"] and worst[0]["points"][0]["claim"] == "The claim adds."


def test_what_was_graded_right_is_no_mistake() -> None:
    assert figures((case("a", 3), verdict(3)))["worst"] == []


def test_cases_of_the_same_name_and_of_none_can_be_told_apart() -> None:
    nameless = case("", 1, answer="first"), case("", 1, answer="second")
    rows = figures(*((c, verdict(1)) for c in (case("a", 1), case("a", 2), *nameless)))["rows"]
    names = [row["id"] for row in rows]
    assert names[:2] == ["a", "a#2"] and len(set(names)) == 4


def test_the_figures_are_json_that_reads_back_and_are_the_same_each_time() -> None:
    one, two = (json.dumps(run_of(varied_pairs()), allow_nan=False) for _ in range(2))
    assert one == two
    rows = Run.model_validate_json(one).rows
    assert rows[0].points[0].probability == 0.9 and rows[0].person == 5
