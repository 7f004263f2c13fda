"""A question of the bank, proven: every block of code, experiment and submission becomes what its file says.

Promises that whatever differs is named with what was expected and what came; a deprecation warning in a reference or an
experiment is such a difference. Everything runs in the sandbox. Does not judge whether what the file says is wise.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import TYPE_CHECKING

from interviewer.markdown import python_blocks
from interviewer.models import CodeRun, Experiment, Outcome, Question, Submission, Task

if TYPE_CHECKING:
    from interviewer.sandbox.door import Door

_STRICT = "import warnings\nfor _kind in DeprecationWarning, PendingDeprecationWarning, FutureWarning:\n    warnings.simplefilter('error', _kind)\n"
_SECONDS = 30.0  # for a block; experiments have what the interview gives them


def prove(questions: Sequence[Question], sandbox: Door, times: int = 1) -> Iterator[tuple[Question, list[str]]]:
    """Every question ``times`` times, as each is done, with its differences."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        work = {pool.submit(lambda q: list(differences(q, sandbox)), q): q for q in questions for _ in range(times)}
        for done in as_completed(work):
            yield work[done], done.result()


def differences(question: Question, sandbox: Door) -> Iterator[str]:
    """A sentence for each thing that is not as the file says; nothing where all is well.

    Raises SandboxUnavailable where no code is run on this machine.
    """
    for number, code in enumerate(_blocks(question), 1):
        run = sandbox.experiment(_STRICT + code, _SECONDS)
        if run.outcome is not Outcome.PASSED:
            yield f"block {number} of the answer: {_what(run)}"
    for experiment in question.experiments:
        yield from _amiss(experiment, sandbox)
    if question.task:
        yield from _task(question.task, sandbox)


def _amiss(experiment: Experiment, sandbox: Door) -> Iterator[str]:
    run = sandbox.experiment(_STRICT + experiment.code)
    if not experiment.confirmed_by(run):
        yield f"experiment {experiment.name!r}: {_what(run)}\n  expected: {experiment.prints.strip()}"


def _task(task: Task, sandbox: Door) -> Iterator[str]:
    given = sandbox.judge(task, task.starter)
    if given.outcome is Outcome.PASSED:
        yield "the starter passes every check"
    for submission in (Submission(name="the solution", right=True, code=task.solution), *task.submissions):
        run = sandbox.judge(task, submission.code)
        if not _as_told(submission, run):
            told = submission.ends or ("passes" if submission.right else f"fails {_list(submission.fails)}")
            yield f"submission {submission.name!r}, which {told}: {_what(run)}"


def _as_told(submission: Submission, run: CodeRun) -> bool:
    if submission.ends:
        return run.outcome is submission.ends
    if submission.right:
        return run.outcome is Outcome.PASSED
    return run.outcome is Outcome.FAILED and {c.name for c in run.checks if not c.passed} == set(submission.fails)


def _what(run: CodeRun) -> str:
    failed = [f"{c.name} ({c.detail})" for c in run.checks if not c.passed]
    said = [
        f"failed {'; '.join(failed)}" if failed else run.outcome.value,
        run.message,
        *run.output.strip().splitlines()[-6:],
    ]
    return "\n  ".join(part for part in said if part)


def _blocks(question: Question) -> Iterable[str]:
    return (code for reference in question.references for code in python_blocks(reference.text))


def _list(names: Iterable[str]) -> str:
    return ", ".join(names)
