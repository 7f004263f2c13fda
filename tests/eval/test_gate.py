from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from eval.gate import BOUNDS, Bound, bounds_of, broken, run_name
from interviewer.errors import UsageError
from tests.eval.samples import run_of, varied_pairs


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    path = tmp_path / "bounds.json"
    path.write_text(json.dumps({"dev": {"overall.rmse": {"most": 1.0}, "overall.qwk": {"least": 0.5}}, "empty": {}}))
    return path


def test_a_figure_within_its_bound_says_nothing(stored: Path) -> None:
    assert broken({"overall": {"rmse": 1.0, "qwk": 0.5}}, bounds_of("dev", stored), "dev") == []


def test_each_figure_beyond_its_bound_is_named_with_value_and_bound(stored: Path) -> None:
    said = broken({"overall": {"rmse": 1.25, "qwk": 0.4}}, bounds_of("dev", stored), "dev")
    assert said == [
        "dev: overall.rmse is 1.25; it may be at most 1.",
        "dev: overall.qwk is 0.4; it must be at least 0.5.",
    ]


@pytest.mark.parametrize("figures", [{}, {"overall": {}}, {"overall": {"rmse": None, "qwk": None}}, {"overall": 3}])
def test_a_figure_that_a_run_does_not_have_is_not_passed(stored: Path, figures: dict[str, object]) -> None:
    assert len(broken(figures, bounds_of("dev", stored), "dev")) == 2


def test_figures_of_a_real_run_are_found_by_their_paths() -> None:
    figures = run_of(varied_pairs())
    bounds = {
        "overall.pearson": Bound(least=0.5),
        "targets.parrot.share": Bound(most=0),
        "slices.style.expert.given": Bound(least=4),
        "coverage.at.86.rmse": Bound(most=2),
    }
    assert broken(figures, bounds, "made") == []


@pytest.mark.parametrize("run", ["unheard-of", "empty"])
def test_a_run_without_stored_bounds_has_no_gate_to_pass(stored: Path, run: str) -> None:
    with pytest.raises(UsageError, match=f"no bounds for a run called '{run}'"):
        bounds_of(run, stored)


@pytest.mark.parametrize(
    "text", ["", '{"dev": {"x": {}}}', '{"dev": {"x": {"least": "high"}}}', '{"dev": {"x": {"lest": 1}}}']
)
def test_bounds_that_bound_nothing_are_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "bounds.json").write_text(text)
    with pytest.raises(UsageError, match="can't be read"):
        bounds_of("dev", tmp_path / "bounds.json")


def test_the_bounds_of_the_repository_can_be_read() -> None:
    assert BOUNDS.is_file() and bounds_of("test")


def test_a_run_is_called_like_its_folder_or_file(tmp_path: Path) -> None:
    (tmp_path / "dev").mkdir()
    assert run_name([tmp_path / "dev"]) == run_name([tmp_path / "dev" / ".." / "dev"]) == "dev"
    assert run_name([tmp_path / "dev", tmp_path / "answers.jsonl"]) == "answers+dev"


def _grading(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "INTERVIEWER_HOME": str(home)}
    command = [sys.executable, "-m", "eval", "grading", *words]
    return subprocess.run(command, capture_output=True, text=True, env=env, timeout=280)


def test_a_gate_that_is_not_there_ends_the_command_before_anything_is_graded(tmp_path: Path) -> None:
    done = _grading(tmp_path / "home", "--cases", str(tmp_path / "mine.jsonl"), "--gate")
    assert done.returncode == 2 and "nothing was graded" in done.stderr and not (tmp_path / "home").exists()


@pytest.mark.models
def test_a_gate_that_is_not_passed_ends_the_command_with_one_and_sentences(tmp_path: Path) -> None:
    cases = tmp_path / "test.jsonl"  # a run of the name for which bounds are stored
    cases.write_text('{"question": "Where do zebras sleep in winter?", "answer": "In the barn.", "score": 1}\n')
    done = _grading(tmp_path / "home", "--cases", str(cases), "--gate", "--jobs", "1", "--json", str(tmp_path / "out"))
    assert done.returncode == 1, done.stderr
    assert "overall.pearson is bounded, but this run has no such figure" in done.stderr
    assert json.loads((tmp_path / "out").read_text())["unscored"] == 1
