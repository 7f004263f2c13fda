"""The checks that measure: memory, speed beside the solution, growth with size. Raise Wrong with what was found.

Only calls whose values are right are measured. Does not see through a submission that wastes time on small inputs,
which makes its growth look flatter than it is.
"""

from __future__ import annotations

import contextlib
import math
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

from interviewer.models import CheckKind, Requirement
from interviewer.sandbox.judging.caller import Caller, Wrong, telling
from interviewer.sandbox.judging.exam import Case, JudgeFault
from interviewer.sandbox.judging.measuring import Need, timed, weighed
from interviewer.sandbox.judging.solving import Solved, solve
from interviewer.sandbox.judging.trial import Trial
from interviewer.sandbox.limits import MIB
from interviewer.sandbox.slot import Ended

_ONE_CALL = (CheckKind.VALUES, CheckKind.GRADIENT, CheckKind.LAYOUT, CheckKind.VIEW, CheckKind.STATE)
_QUIET_ROUNDS = 2
_FEWEST_ROUNDS = 3
_MOST_ROUNDS = 9
_SURE_RATIO = 0.5  # of the limit: above it, a solution that was held up at each of its rounds may be all that helps
_HOPELESS_RATIO = 2.0  # so many times over the limit, more rounds change nothing
_SURE_EXPONENT = 0.3  # under the limit
_HOPELESS_EXPONENT = 0.4  # over the limit
_SHARE_OF_TIME = 0.8  # of the candidate's budget, that rounds may take up


def memory(trial: Trial, check: Requirement) -> None:
    assert check.mib is not None
    first = solve(min(_calls(trial, check.name), key=lambda case: case.size))
    cases = _fresh(trial, check)
    theirs = _weigh(trial.submission(), first, cases)
    ours = _weigh(trial.solution(), first, cases)
    needed = [one.beside(other) for one, other in zip(theirs, ours, strict=True)]
    trial.figures.peak_memory = max(needed)
    trial.figures.reference_memory = max(need.call for need in ours)
    for solved, need in zip(cases, needed, strict=True):
        if need > check.mib * MIB:
            with telling(solved.case):
                raise Wrong(f"it needed {need / MIB:.1f} MiB at its peak; at most {check.mib:g} MiB are allowed")


def speed(trial: Trial, check: Requirement) -> None:
    """The solution is timed before any of the submission runs as well, so that nothing there can slow it down."""
    assert check.times is not None
    theirs, ours = _Best(), _Best()
    with trial.solution() as solution:
        for _ in range(_QUIET_ROUNDS):
            ours.time(solution, _fresh(trial, check))
        with trial.submission() as submission:
            for number in _rounds(trial, submission):
                cases = _fresh(trial, check)
                contestants = [(theirs, submission), (ours, solution)]
                for best, caller in contestants if number % 2 else reversed(contestants):
                    with _undisturbed():
                        best.time(caller, cases)
                ratio = theirs.total / ours.total
                if number >= _FEWEST_ROUNDS and not _SURE_RATIO < ratio / check.times < _HOPELESS_RATIO:
                    break
    trial.figures.submission_seconds, trial.figures.reference_seconds = theirs.total, ours.total
    if ratio > check.times:
        raise Wrong(
            f"it took {ratio:.1f} times as long as the reference solution ({_ms(theirs.total)} against "
            f"{_ms(ours.total)}); at most {check.times:g} times is allowed"
        )


@contextlib.contextmanager
def _undisturbed() -> Iterator[None]:
    """The solution has shown what it takes while it was alone: where it now fails, it is for want of the processors."""
    try:
        yield
    except JudgeFault as fault:
        raise Wrong("while it was loaded, the reference solution could not finish, which it could before") from fault


def growth(trial: Trial, check: Requirement) -> None:
    assert check.exponent is not None
    best = _Best()
    with trial.submission() as submission:
        for number in _rounds(trial, submission):
            best.time(submission, _fresh(trial, check))
            exponent, ends = best.exponent()
            if number >= _FEWEST_ROUNDS and not -_SURE_EXPONENT < exponent - check.exponent < _HOPELESS_EXPONENT:
                break
    if exponent > check.exponent:
        (small, quick), (large, slow) = ends
        raise Wrong(
            f"its time grows like the number of elements to the power of {exponent:.2f}; at most {check.exponent:g} "
            f"is allowed ({_ms(quick)} for {small} elements, {_ms(slow)} for {large})"
        )


def compare_with_solution(trial: Trial) -> None:
    """Time and memory of the largest ordinary call beside the solution's, as far as they can be had."""
    cases = _calls(trial)
    if not cases:
        return
    check = max(cases, key=lambda case: case.size).check
    place, _ = max(enumerate(trial.exam.draw(check.name)), key=lambda pair: pair[1].size)
    theirs, ours = _Best(), _Best()
    figures = trial.figures
    with contextlib.suppress(Wrong, Ended, JudgeFault), trial.solution() as solution, trial.submission() as submission:
        for _ in range(_FEWEST_ROUNDS):
            largest = _fresh(trial, check)[place]
            theirs.time(submission, [largest])
            ours.time(solution, [largest])
        figures.submission_seconds, figures.reference_seconds = theirs.total, ours.total
        if figures.peak_memory is None and submission.slot.reset_peak():
            figures.peak_memory = weighed(submission, largest).call
            figures.reference_memory = weighed(solution, largest).call


CONTESTS: dict[CheckKind, Callable[[Trial, Requirement], None]] = {
    CheckKind.MEMORY: memory,
    CheckKind.SPEED: speed,
    CheckKind.GROWTH: growth,
}


class _Best:
    """The best time for each of the cases of a check, over all rounds."""

    def __init__(self) -> None:
        self._seconds: dict[int, float] = defaultdict(lambda: math.inf)
        self._sizes: dict[int, int] = {}

    @property
    def total(self) -> float:
        return sum(self._seconds.values())

    def time(self, caller: Caller, cases: list[Solved]) -> None:
        for at, solved in enumerate(cases):
            with telling(solved.case):
                self._seconds[at] = min(self._seconds[at], timed(caller, solved))
            self._sizes[at] = solved.case.size

    def exponent(self) -> tuple[float, tuple[tuple[int, float], tuple[int, float]]]:
        """The slope of the best times over the sizes, both as logarithms; the smallest and the largest with theirs."""
        best: dict[int, float] = defaultdict(lambda: math.inf)
        for at, size in self._sizes.items():
            best[size] = min(best[size], self._seconds[at])
        if len(best) < 2 or min(best) < 1:
            raise JudgeFault("a check of kind growth needs cases of several sizes")
        points = [(math.log(size), math.log(seconds)) for size, seconds in best.items()]
        middle, height = (sum(values) / len(points) for values in zip(*points, strict=True))
        slope = sum((x - middle) * (y - height) for x, y in points) / sum((x - middle) ** 2 for x, _ in points)
        small, large = min(best), max(best)
        return slope, ((small, best[small]), (large, best[large]))


def _calls(trial: Trial, *names: str) -> list[Case]:
    """The cases of all checks that call once and look at the values, and of these."""
    ordinary = [check.name for check in trial.task.checks if check.kind in _ONE_CALL]
    return trial.exam.draw(*ordinary, *names)


def _fresh(trial: Trial, check: Requirement) -> list[Solved]:
    return [solve(case) for case in trial.exam.draw(check.name)]


def _rounds(trial: Trial, caller: Caller) -> Iterator[int]:
    """Counts the rounds from 1, as many as the candidate's time has room for."""
    for number in range(1, _MOST_ROUNDS + 1):
        yield number
        spent = caller.slot.seconds
        if trial.seconds + spent + spent / number > _SHARE_OF_TIME * trial.task.seconds:
            return


def _weigh(sitting: AbstractContextManager[Caller], first: Solved, cases: list[Solved]) -> list[Need]:
    """``first``: a small call, so that what a library sets up once is not on the account of those that are weighed."""
    with sitting as caller:
        with contextlib.suppress(Wrong):
            timed(caller, first)
        needs = []
        for solved in cases:
            with telling(solved.case):
                needs.append(weighed(caller, solved))
        return needs


def _ms(seconds: float) -> str:
    return f"{1000 * seconds:.3g} ms"
