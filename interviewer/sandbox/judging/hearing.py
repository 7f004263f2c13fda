"""The course of one judgement: the ordinary checks in one slot, those that measure in slots of their own."""

from __future__ import annotations

import dataclasses
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import torch

from interviewer.models import CodeRun, OnProgress, Outcome, Task
from interviewer.sandbox.judging.ahead import Ahead
from interviewer.sandbox.judging.caller import Caller, Wrong, telling
from interviewer.sandbox.judging.contests import CONTESTS, compare_with_solution
from interviewer.sandbox.judging.exam import JudgeFault
from interviewer.sandbox.judging.findings import Findings
from interviewer.sandbox.judging.kinds import KINDS
from interviewer.sandbox.judging.shelf import Prepared, Shelf
from interviewer.sandbox.judging.solving import Solved
from interviewer.sandbox.judging.trial import Trial
from interviewer.sandbox.judging.values import Rest
from interviewer.sandbox.slot import Ended, Slot

_SHELF = Shelf()


def hear(task: Task, code: str, open_slot: Callable[[], Slot], on_progress: OnProgress, *, compare: bool) -> CodeRun:
    """See ``judge``."""
    prepared = _SHELF.take(task)
    trial = Trial(task, code, open_slot, prepared.exam if prepared else None)
    findings = Findings(task, on_progress)
    try:
        with _one_thread():
            _ordinary(trial, findings, prepared)
            _measured(trial, findings)
        outcome, message = findings.verdict()
    except JudgeFault as fault:
        outcome = Outcome.INFRASTRUCTURE
        message = f"This task cannot be judged, which is our fault and not that of your code: {fault}."
    except Ended as end:
        outcome, message = end.outcome, end.message
    if names := _ordinary_checks(task):
        _SHELF.refill(task, names)
    seconds = trial.seconds
    if compare and outcome is Outcome.PASSED and trial.figures.reference_seconds is None:
        compare_with_solution(trial)
    return CodeRun(
        outcome=outcome,
        checks=() if outcome is Outcome.INFRASTRUCTURE else findings.checks(),
        message=message,
        output=trial.output or "",
        seconds=seconds,
        device=trial.device,
        **dataclasses.asdict(trial.figures),
    )


def _ordinary_checks(task: Task) -> list[str]:
    return [check.name for check in task.checks if check.kind in KINDS]


@contextmanager
def _one_thread() -> Iterator[None]:
    """For torch in this thread: the references are small, and two processes whose threads wait for each other on the
    same cores take a thousand times as long."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _ordinary(trial: Trial, findings: Findings, prepared: Prepared | None) -> None:
    cases = Ahead(trial, _ordinary_checks(trial.task), prepared)
    if not cases.names:
        return
    postponed: deque[Callable[[], None]] = deque()

    def meanwhile() -> None:
        """The slot is at work: the last answer is compared, the next case solved."""
        if postponed:
            postponed.popleft()()
        cases.work()

    try:
        with trial.submission(meanwhile=meanwhile) as caller:
            findings.expect(cases.counts())
            for solved in cases:
                findings.announce(solved.case.check.name)
                postponed.append(_heard(solved, caller, findings))
    finally:
        for compare in postponed:
            compare()


def _heard(solved: Solved, caller: Caller, findings: Findings) -> Callable[[], None]:
    """Puts the case to the submission; what is returned makes up its mind about the answer."""
    case = solved.case
    rest: Rest | None = None
    problem = ""
    try:
        with telling(case):
            rest = KINDS[case.check.kind](solved, caller)
    except Wrong as wrong:
        problem = str(wrong)

    def record() -> None:
        found = problem
        try:
            with telling(case):
                if rest:
                    rest()
        except Wrong as wrong:
            found = str(wrong)
        findings.record(case.check.name, case.size, found)

    return record


def _measured(trial: Trial, findings: Findings) -> None:
    for check in trial.task.checks:
        if check.kind in CONTESTS:
            findings.announce(check.name)
            problem = ""
            try:
                CONTESTS[check.kind](trial, check)
            except Wrong as wrong:
                problem = str(wrong)
            findings.record(check.name, 0, problem)
