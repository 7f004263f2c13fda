"""What a follow-up is phrased from and held against: the question, what was said and run, and how the points stand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Self

from interviewer.interview.state import Current, Decision
from interviewer.models import CodeRun, Point, PointVerdict, Question, Shown, Standing, Value, Verdict

HowItStands = Literal["open", "half said", "contradicted", "unclear"]


class Asked(Value):
    """``point``: the one that is asked for. ``verdict`` is on everything said, ``graded`` on ``message`` alone; ``before``:
    earlier messages on the question. ``hints``: how many were given; ``probed``: points that were asked for before.
    ``ran``: what this message's turn ran; ``seen``: everything that ran since the question was asked, with it."""

    question: Question
    point: str
    message: str
    before: tuple[str, ...] = ()
    verdict: Verdict
    graded: Verdict
    hints: int = 0
    probed: tuple[str, ...] = ()
    unclear: bool = False
    gave_up: bool = False
    ran: tuple[str, ...] = ()
    seen: tuple[str, ...] = ()

    @classmethod
    def of(
        cls, now: Current, graded: Verdict, decision: Decision, run: CodeRun | None = None, shown: Sequence[Shown] = ()
    ) -> Self:
        """From a turn that decided on a follow-up. ``run`` and ``shown``: what this turn ran."""
        *before, message = now.replies
        assert now.verdict is not None, "a follow-up comes after a grade"
        return cls(
            question=now.question,
            point=decision.point,
            message=message,
            before=tuple(before),
            verdict=now.verdict,
            graded=graded,
            hints=now.hints,
            probed=now.probed,
            unclear=decision.reason == "unsure",
            gave_up=decision.reason == "gave up",
            ran=tuple(_told(run, shown)),
            seen=tuple(_told(now.run, now.shown)),
        )

    @property
    def wanted(self) -> Point:
        return self.question.point(self.point)

    @property
    def messages(self) -> tuple[str, ...]:
        return (*self.before, self.message)

    @property
    def open_points(self) -> tuple[Point, ...]:
        covered = {p.point for p in self.covered}
        return tuple(p for p in self.question.points if p.id not in covered)

    @property
    def covered(self) -> tuple[PointVerdict, ...]:
        return tuple(p for p in self.verdict.points if p.verdict is Standing.COVERED)

    @property
    def earned_now(self) -> bool:
        """Whether this message covered something and held nothing wrong."""
        standings = {p.verdict for p in self.graded.points}
        wrong = Standing.CONTRADICTED in standings or bool(self.graded.misconceptions)
        return Standing.COVERED in standings and not wrong

    @property
    def standing(self) -> HowItStands:
        if self.unclear:
            return "unclear"
        match self._so_far:
            case PointVerdict(verdict=Standing.PARTIAL):
                return "half said"
            case PointVerdict(verdict=Standing.CONTRADICTED):
                return "contradicted"
            case _:
                return "open"

    @property
    def about(self) -> str:
        """The candidate's words on the point; empty where there are none."""
        return self._so_far.quote if self._so_far else ""

    @property
    def _so_far(self) -> PointVerdict | None:
        return next((p for p in self.verdict.points if p.point == self.point), None)


def _told(run: CodeRun | None, shown: Sequence[Shown]) -> list[str]:
    """Runs as the candidate sees them; what an experiment means is left out, as it is left out before their eyes."""
    told = [f"{each.code.strip()}\n\nprinted:\n{each.printed.strip()}" for each in shown]
    if run is None:
        return told
    checks = [f"{c.name}: {'passed' if c.passed else c.detail or 'failed'}" for c in run.checks]
    return ["\n".join(filter(None, [run.message, *checks, run.output.strip()])), *told]
