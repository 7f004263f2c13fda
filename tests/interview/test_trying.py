from __future__ import annotations

from collections.abc import Callable

import pytest

from interviewer.interview.session import Interviews
from interviewer.interview.trying import Trial, try_code
from interviewer.models import Outcome, Plan, Question

CODE = "stable-cross-entropy"

pytestmark = pytest.mark.sandbox


@pytest.fixture
def tried(interviews: Interviews) -> Callable[[str, Plan], Trial]:
    def tried_on(code: str, plan: Plan) -> Trial:
        return try_code(interviews, interviews.begin(plan).id, code, lambda _: None)

    return tried_on


def test_in_a_practice_the_plainest_check_is_shown_and_what_the_program_itself_printed(
    tried: Callable[[str, Plan], Trial], question: Callable[[str], Question]
) -> None:
    task = question(CODE).task
    assert task is not None
    trial = tried(
        "def cross_entropy(logits, target):\n    print('seen', logits)\n    return logits.sum()\nprint('own')",
        Plan(only=(CODE,)),
    )
    assert trial.run.output == "own\n"
    assert trial.check and (trial.check.name, trial.check.passed) == ("values", False)
    assert "expected" in trial.check.detail
    assert trial.hidden == len(task.checks) - 1
    others = [name for name in task.names if name != "values"]
    assert not any(name in trial.model_dump_json() for name in others)


def test_in_an_exam_no_check_is_run(tried: Callable[[str, Plan], Trial]) -> None:
    trial = tried("print('own')", Plan(only=(CODE,), feedback="end"))
    assert (trial.run.output, trial.check, trial.hidden) == ("own\n", None, 0)


def test_a_program_that_breaks_says_so_and_is_not_checked(tried: Callable[[str, Plan], Trial]) -> None:
    trial = tried("x = (", Plan(only=(CODE,)))
    assert trial.run.outcome is Outcome.FAILED
    assert trial.check is None and "never closed" in trial.run.message


def test_code_without_what_the_task_asks_for_is_told_so(tried: Callable[[str, Plan], Trial]) -> None:
    assert "does not define a function cross_entropy" in tried("print(1)", Plan(only=(CODE,))).ended
