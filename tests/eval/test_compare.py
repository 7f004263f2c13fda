from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from eval.cases import Case
from eval.compare import Run, compare, read_run
from interviewer.errors import UsageError
from interviewer.models import Verdict
from tests.eval.samples import COVERED, MISSING, case, run_of, varied_pairs, verdict


def run(pairs: Sequence[tuple[Case, Verdict | None]], name: str = "made") -> Run:
    return Run.model_validate_json(json.dumps(run_of(pairs, name)))


def test_a_run_beside_itself_is_open_everywhere() -> None:
    same = run(varied_pairs())
    found = compare(same, same)
    assert {row["verdict"] for row in found["differences"].values()} == {"open"}
    assert all(row["difference"] == 0 for row in found["differences"].values())
    assert found["changed"] == {"total": 0, "nearer": 0, "farther": 0, "most": []}


def test_a_grader_that_is_nearer_everywhere_is_better_in_all_and_the_other_way_round_worse() -> None:
    far, near = run(varied_pairs(off=1.5)), run(varied_pairs(off=0.5))
    better = compare(far, near)["differences"]
    assert {row["verdict"] for row in better.values()} == {"better"}
    assert better["rmse"]["difference"] < 0 < better["pearson"]["difference"]
    assert {row["verdict"] for row in compare(near, far)["differences"].values()} == {"worse"}


def test_cases_are_paired_by_id_in_whatever_order_they_come() -> None:
    pairs = varied_pairs()
    assert compare(run(pairs), run(pairs[::-1]))["changed"]["total"] == 0


def test_what_cannot_be_paired_is_counted_and_left_out() -> None:
    kept = [(case(f"k{n}", n, asked=f"q{n}"), verdict(n)) for n in range(3)]
    before = [*kept, (case("only before", 1), verdict(1)), (case("relabelled", 1), verdict(1)), (case("lost", 1), None)]
    after = [*kept, (case("relabelled", 2), verdict(1)), (case("lost", 1), verdict(1))]
    found = compare(run(before), run(after))
    assert found["left_out"] == {"only_before": 1, "only_after": 0, "relabelled": 1, "unscored": 1}
    assert found["cases"] == 3


def test_what_changed_most_comes_first_with_the_points_that_moved() -> None:
    cases = [case(f"c{n}", 5, asked=f"q{n}") for n in range(3)]
    before = [(c, verdict(1, {"adds": MISSING, "clears": MISSING})) for c in cases]
    after = [(c, verdict(1 + n, {"adds": COVERED, "clears": MISSING})) for n, c in enumerate(cases)]
    changed = compare(run(before), run(after))["changed"]
    assert [(row["id"], row["before"], row["after"]) for row in changed["most"]] == [("c2", 1, 3), ("c1", 1, 2)]
    assert changed["most"][0]["points"] == {"adds": "missing → covered"} and changed["nearer"] == 2


def test_of_too_few_questions_nothing_is_claimed() -> None:
    found = compare(run(varied_pairs(questions=4, off=1.5)), run(varied_pairs(questions=4, off=0.1)))
    assert {(row["interval"], row["verdict"]) for row in found["differences"].values()} == {(None, "open")}


def test_runs_without_a_common_case_are_refused() -> None:
    with pytest.raises(UsageError, match="no case in common"):
        compare(run([(case("a", 1), verdict(1))]), run([(case("b", 1), verdict(1))]))


@pytest.mark.parametrize("text", ["", "[]", '{"rows": 3}', '{"overall": {}}'])
def test_a_file_that_holds_no_run_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "run.json").write_text(text)
    with pytest.raises(UsageError, match=r"run\.json holds no figures of a grading"):
        read_run(tmp_path / "run.json")
    with pytest.raises(UsageError, match=r"none\.json can't be read"):
        read_run(tmp_path / "none.json")
