"""The author's word on a mistake is said to code that repeats it, and to no other."""

from __future__ import annotations

import pytest

from interviewer.interview.diagnosis import word_on
from interviewer.models import Check, CodeRun, Outcome, Submission, Task

MULTIPLIED = """
def masked(x, lengths):
    mask = (torch.arange(x.shape[1])[None] < lengths[:, None]).float()
    return (x * mask).sum(1) / mask.sum(1)
"""
RENAMED = """
import torch

def masked(values, n):
    keep = (torch.arange(values.shape[1])[None] < n[:, None]).float()
    return (values * keep).sum(1) / keep.sum(1)
"""
OTHER = """
def masked(x, lengths):
    rows = []
    for row, length in zip(x, lengths):
        while len(row) > length:
            row = row[:-1]
        rows.append(sum(row) / length if length else float("nan"))
    return torch.stack(rows)
"""
KNOWN = Submission(name="multiplied", right=False, code=MULTIPLIED, fails=("nan",), says="What is NaN times zero?")
SLOW = Submission(name="slow", right=False, code=OTHER, ends=Outcome.TIMEOUT, says="How many steps is that?")


def task(*submissions: Submission) -> Task:
    return Task(
        entry="masked",
        starter="",
        judge="",
        solution="",
        checks=("values", "nan"),
        submissions=submissions,  # type: ignore[arg-type]
    )


def run(*failed: str, outcome: Outcome = Outcome.FAILED) -> CodeRun:
    return CodeRun(outcome=outcome, checks=tuple(Check(name=n, passed=n not in failed) for n in ("values", "nan")))


def test_a_known_mistake_under_other_names_gets_its_word() -> None:
    assert word_on(task(KNOWN, SLOW), run("nan"), RENAMED) == "What is NaN times zero?"


def test_code_that_ended_as_a_known_one_did_gets_its_word() -> None:
    assert word_on(task(KNOWN, SLOW), run(outcome=Outcome.TIMEOUT), OTHER) == "How many steps is that?"


@pytest.mark.parametrize(
    ("failed", "code"),
    [(("values", "nan"), RENAMED), ((), RENAMED), (("nan",), OTHER), (("nan",), "def masked(:"), (("nan",), "")],
    ids=["other checks failed", "nothing failed", "other code", "no code", "nothing"],
)
def test_what_is_not_alike_gets_none(failed: tuple[str, ...], code: str) -> None:
    outcome = Outcome.FAILED if failed else Outcome.PASSED
    assert word_on(task(KNOWN, SLOW), run(*failed, outcome=outcome), code) == ""


def test_between_two_mistakes_that_are_about_as_like_nothing_is_said() -> None:
    twin = KNOWN.model_copy(update={"name": "twin", "says": "Something else."})
    assert word_on(task(KNOWN, twin), run("nan"), RENAMED) == ""
