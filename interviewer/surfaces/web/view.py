"""What the page shows of a session, as plain values: no Gradio here, and no interview logic.

Promises that a view gives nothing away: it holds what was said, and of the open question only its number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from interviewer.markdown import code_blocks, fenced
from interviewer.models import Level, Outcome, Part, PartKind, Report, Role, Turn
from interviewer.surfaces.web.talking import Message, messages_of

if TYPE_CHECKING:
    from interviewer.interview.session import Session


@dataclass(frozen=True)
class Status:
    """Where an interview stands. ``number``: of the question on the table, or how many were answered once it has ended;
    ``of``: how many there will be, 0 where time decides; ``seconds`` have gone, ``planned`` is in minutes."""

    number: int
    of: int
    seconds: int
    planned: int
    level: Level
    exam: bool
    ended: bool

    def __str__(self) -> str:
        if self.ended:
            return f"Finished · {self.number} question{'' if self.number == 1 else 's'} · {self.minutes} min"
        number = f"Question {self.number}" + (f" of {self.of}" if self.of else "")
        return f"{number} · {self.time} · {self.level.value} level" + (" · exam" if self.exam else "")

    @property
    def minutes(self) -> int:
        return self.seconds // 60

    @property
    def time(self) -> str:
        if self.minutes <= self.planned:
            return f"{self.minutes} of {self.planned} min"
        return f"{self.minutes} min, {self.minutes - self.planned} more than planned"


@dataclass(frozen=True)
class Attempt:
    """Code that was run or handed in: ``what`` says which, and how it went as far as that may be told; ``at`` is ISO 8601."""

    at: str
    what: str
    code: str


@dataclass(frozen=True)
class View:
    """``seen`` is the ``seq`` of the last turn shown; ``starter`` is the code that the question on the table begins with,
    empty where it wants none; ``code`` is what was last sent for it. ``place`` names that question among all that are kept
    in a browser; ``attempts``: what was handed in for it. ``report`` is None until the interview has ended."""

    session: str
    messages: tuple[Message, ...]
    seen: int
    waiting: bool
    status: Status | None
    place: str
    starter: str
    code: str
    attempts: tuple[Attempt, ...]
    report: Report | None

    @property
    def ended(self) -> bool:
        return self.report is not None

    @property
    def exam(self) -> bool:
        """Whether this is an exam that still goes on."""
        return bool(self.status and self.status.exam and not self.ended)


def view_of(session: Session) -> View:
    turns, ended = session.turns(), session.ended
    report = session.report() if turns else None
    status = _status(report, turns, ended) if report else None
    starter = "" if ended else starter_of(turns)
    attempts = () if ended else _handed_in(turns, discreet=bool(status and status.exam))
    asked = _newest_question(turns)
    return View(
        session=session.id,
        messages=messages_of(turns, marks=not (status and status.exam)),
        seen=turns[-1].seq if turns else -1,
        waiting=not turns or turns[-1].role is Role.CANDIDATE,
        status=status,
        place=f"{session.id}/{asked[0] if asked else 0}",
        starter=starter,
        code=attempts[-1].code if starter and attempts else "",
        attempts=attempts,
        report=report if ended else None,
    )


def said_with(text: str, code: str) -> str:
    """One message of words and code."""
    return "\n\n".join(filter(None, [text.strip(), fenced(code.rstrip(), "python") if code.strip() else ""]))


def starter_of(turns: Sequence[Turn]) -> str:
    """The code that the newest question among ``turns`` begins with; empty where it wants none."""
    asked = _newest_question(turns)
    return (code_blocks(asked[1].text) or [""])[-1] if asked else ""


def _status(report: Report, turns: Sequence[Turn], ended: bool) -> Status:
    plan, answered = report.plan, len(report.answered)
    return Status(
        number=answered if ended else answered + 1,
        of=plan.questions or len(plan.only),
        seconds=_seconds(turns, ended),
        planned=plan.minutes,
        level=plan.level,
        exam=plan.exam,
        ended=ended,
    )


def _seconds(turns: Sequence[Turn], ended: bool) -> int:
    """From the greeting to the report, or to now."""
    reported = [turn for turn in turns if any(part.kind is PartKind.REPORT for part in turn.parts)]
    end = datetime.fromisoformat(reported[0].at) if ended and reported else datetime.now(UTC)
    return int((end - datetime.fromisoformat(turns[0].at)).total_seconds())


def _newest_question(turns: Sequence[Turn]) -> tuple[int, Part] | None:
    """The newest question and the ``seq`` of the turn that asked it first: it may have been repeated."""
    asked = [(turn.seq, part) for turn in turns for part in turn.parts if part.kind is PartKind.QUESTION]
    return next((pair for pair in asked if pair[1] == asked[-1][1]), None)


def _handed_in(turns: Sequence[Turn], *, discreet: bool) -> tuple[Attempt, ...]:
    """The code sent since the newest question was asked, each block with how it went."""
    asked = _newest_question(turns)
    since = asked[0] if asked else 0
    answers = {turn.seq - 1: turn for turn in turns if turn.role is Role.INTERVIEWER}
    return tuple(
        Attempt(turn.at, "submitted" if discreet else f"submitted{_went(answers.get(turn.seq))}", blocks[-1])
        for turn in turns
        if turn.seq > since and turn.role is Role.CANDIDATE and (blocks := code_blocks(turn.text))
    )


def _went(answer: Turn | None) -> str:
    run = next((part.run for part in answer.parts if part.run), None) if answer else None
    if run is None:
        return ""
    if run.checks and run.outcome in (Outcome.PASSED, Outcome.FAILED):
        return f", {sum(check.passed for check in run.checks)} of {len(run.checks)} checks passed"
    return f", {run.outcome.value}"
