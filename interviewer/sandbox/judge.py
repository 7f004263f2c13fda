"""A submission against its task: which checks it has earned.

Promises that an error of ours is never counted against the candidate, and that a check passes only when all of its
cases were run and were right. Does not measure speed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from interviewer.models import Check, CodeRun, Outcome, Task
from interviewer.sandbox.slot import Ended, Slot
from interviewer.sandbox.start import finish, run, start, started

OnCheck = Callable[[str], None]


def judge(task: Task, code: str, slot: Slot, on_check: OnCheck) -> CodeRun:
    findings = Findings(task)
    try:
        start(code, slot, ["torch"])
        _examine(task, slot, findings, on_check)
        outcome, message = findings.verdict()
    except Ended as end:
        outcome, message = end.outcome, end.message
    checks = () if outcome is Outcome.INFRASTRUCTURE else findings.checks()
    return CodeRun(outcome=outcome, checks=checks, message=message)


def _examine(task: Task, slot: Slot, findings: Findings, on_check: OnCheck) -> None:
    from interviewer.sandbox.exam import JudgeFault, put, read_cases  # loads torch, while the slot loads its own

    try:
        cases = read_cases(task)
    except JudgeFault as fault:
        message = f"This task cannot be judged, which is our fault and not that of your code: {fault}."
        raise Ended(Outcome.INFRASTRUCTURE, message) from fault
    started(slot)
    if not run(slot, task.entry).callable:
        raise Ended(Outcome.FAILED, f"The code does not define a function {task.entry}, which the task asks for.")
    findings.expect(Counter(case.check for case in cases))
    announced: set[str] = set()
    for case in cases:
        if case.check not in announced:
            announced.add(case.check)
            on_check(case.check)
        findings.record(case.check, case.size, put(case, slot, task.tolerance))
    finish(slot)


class Findings:
    """Per check: how many of its cases are still to be run, and the smallest input on which one failed."""

    def __init__(self, task: Task):
        self._names = task.checks
        self._open: Counter[str] = Counter(task.checks)
        self._worst: dict[str, tuple[int, str]] = {}

    def expect(self, cases: Counter[str]) -> None:
        self._open = cases

    def record(self, check: str, size: int, problem: str) -> None:
        self._open[check] -= 1
        if problem and (check not in self._worst or size < self._worst[check][0]):
            self._worst[check] = (size, problem)

    def checks(self) -> tuple[Check, ...]:
        return tuple(self._check(name) for name in self._names)

    def verdict(self) -> tuple[Outcome, str]:
        failed = [check.name for check in self.checks() if not check.passed]
        if not failed:
            return Outcome.PASSED, f"All checks passed: {', '.join(self._names)}."
        return Outcome.FAILED, f"{len(failed)} of {len(self._names)} checks failed: {', '.join(failed)}."

    def _check(self, name: str) -> Check:
        if name in self._worst:
            return Check(name=name, passed=False, detail=self._worst[name][1])
        if self._open[name]:
            return Check(name=name, passed=False, detail="Not run to its end.")
        return Check(name=name, passed=True)
