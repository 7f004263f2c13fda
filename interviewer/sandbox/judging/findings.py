"""What has been found so far, check by check, and the verdict that follows from it."""

from __future__ import annotations

from collections import Counter

from interviewer.models import Check, OnProgress, Outcome, Progress, Task
from interviewer.sandbox.reply import plain

_DETAIL_LIMIT = 2000


class Findings:
    """Per check: how many of its cases are still to be run, and the smallest input on which one failed."""

    def __init__(self, task: Task, on_progress: OnProgress):
        self._names = task.names
        self._open = Counter(self._names)
        self._worst: dict[str, tuple[int, str]] = {}
        self._announced: list[str] = []
        self._on_progress = on_progress

    def expect(self, cases: Counter[str]) -> None:
        self._open |= cases

    def announce(self, check: str) -> None:
        """That the cases of a check begin; said once."""
        if check not in self._announced:
            self._announced.append(check)
            number, of = len(self._announced), len(self._names)
            self._on_progress(Progress(step="check", check=check, number=number, of=of))

    def record(self, check: str, size: int, problem: str) -> None:
        """One case of it, with the size of its input; ``problem`` is empty where there is none."""
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
            return Check(name=name, passed=False, detail=plain(self._worst[name][1])[:_DETAIL_LIMIT])
        if self._open[name]:
            return Check(name=name, passed=False, detail="Not run to its end.")
        return Check(name=name, passed=True)
