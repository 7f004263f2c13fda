"""Many cases graded with the real judge, in this process and in two others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from eval import runner
from eval.cases import Case, our_cases
from eval.runner import Results, grade_all
from interviewer.interview.single import Graded
from interviewer.settings import Settings

pytestmark = pytest.mark.models


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    """Of four questions; the runner hands out sixteen at a time, so two processes get some."""
    return [case for case in our_cases("dev") if not case.answer.count("```")][:20]


@pytest.fixture(scope="module", autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Also of the processes that grade, which read the environment."""
    home = tmp_path_factory.mktemp("runner")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("INTERVIEWER_HOME", str(home))
        yield home


@pytest.fixture(scope="module")
def graded(cases: list[Case], home: Path) -> list[Graded]:
    told: list[int] = []
    found = grade_all(cases, Settings(home=home), advance=told.append)
    assert sum(told) == len(cases)
    return found


def without_times(graded: Sequence[Graded]) -> list[Graded]:
    return [each.model_copy(update={"seconds": 0.0}) for each in graded]


@pytest.fixture
def no_grading(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(chunk: Sequence[tuple[str, Case]]) -> dict[str, Graded]:
        raise AssertionError(f"{[case.id for _, case in chunk]} are graded again")

    monkeypatch.setattr(runner, "_grade_chunk", refuse)


def test_each_case_has_its_verdict_in_the_order_of_the_cases(cases: list[Case], graded: list[Graded]) -> None:
    assert [each.id for each in graded] == [case.id for case in cases]
    assert [each.question_id for each in graded] == [case.question_id for case in cases]
    assert all(each.verdict is not None for each in graded)


def test_two_processes_come_to_the_same(cases: list[Case], graded: list[Graded], tmp_path: Path) -> None:
    assert without_times(grade_all(cases, Settings(home=tmp_path), jobs=2)) == without_times(graded)


@pytest.mark.usefixtures("no_grading")
def test_what_was_graded_is_not_graded_again(cases: list[Case], graded: list[Graded], home: Path) -> None:
    backwards = list(reversed(cases))
    assert grade_all(backwards, Settings(home=home)) == list(reversed(graded))


@pytest.mark.usefixtures("no_grading", "graded")
@pytest.mark.parametrize("change", [{"answer": "I don't know."}, {"question": "What is a leaf?"}, {"reference": "x"}])
def test_a_case_that_says_something_else_is_graded_anew(cases: list[Case], home: Path, change: dict[str, str]) -> None:
    with pytest.raises(AssertionError, match="graded again"):
        grade_all([cases[0].model_copy(update=change)], Settings(home=home))


@pytest.mark.usefixtures("no_grading", "graded")
def test_another_grader_grades_anew(cases: list[Case], home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "grader_version", lambda: "another")
    with pytest.raises(AssertionError, match="graded again"):
        grade_all(cases, Settings(home=home))


def test_a_result_that_a_machines_fault_left_its_mark_on_is_not_kept(graded: list[Graded], tmp_path: Path) -> None:
    whole, verdict = graded[0], graded[0].verdict
    assert verdict is not None
    results = Results(tmp_path / "results.sqlite3")
    marked = whole.model_copy(update={"verdict": verdict.model_copy(update={"notes": ("the model failed",)})})
    unscored = whole.model_copy(update={"unscored": "no rubric"})
    results.put({"whole": whole, "marked": marked, "unscored": unscored})
    assert results.get(["whole", "marked", "unscored"]) == {"whole": whole}
