"""The cases of a run, each solved before its turn while the sandbox is busy with something else."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Sequence

from interviewer.sandbox.judging.exam import Case
from interviewer.sandbox.judging.shelf import Prepared
from interviewer.sandbox.judging.solving import Solved, solve
from interviewer.sandbox.judging.trial import Trial

_MOST = 4


class Ahead:
    """Iterating gives the cases of the checks ``names``, solved and in their order. Raises JudgeFault."""

    def __init__(self, trial: Trial, names: Sequence[str], prepared: Prepared | None = None):
        self._trial = trial
        self.names = names
        self._drawn = [solved.case for solved in prepared.solved] if prepared else None
        self._cases: deque[Case] = deque()
        self._ready: deque[Solved] = deque(prepared.solved if prepared else ())

    def counts(self) -> Counter[str]:
        """How many cases each check has."""
        return Counter(case.check.name for case in self._draw())

    def work(self) -> None:
        """The next thing that is to be done."""
        if self._drawn is None:
            self._draw()
        elif self._cases and len(self._ready) < _MOST:
            self._ready.append(solve(self._cases.popleft()))

    def __iter__(self) -> Iterator[Solved]:
        self._draw()
        while self._cases or self._ready:
            if not self._ready:
                self.work()
            yield self._ready.popleft()

    def _draw(self) -> list[Case]:
        if self._drawn is None:
            self._drawn = self._trial.exam.draw(*self.names)
            self._cases.extend(self._drawn)
        return self._drawn
