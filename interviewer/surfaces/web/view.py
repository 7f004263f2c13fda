"""What the page shows of a session, as plain values: no Gradio here, and no interview logic.

Promises that a view gives nothing away: it holds what was said, and of the open question only its number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal, TypedDict

from interviewer.markdown import code_blocks, fenced
from interviewer.models import Part, PartKind, Role, Turn
from interviewer.surfaces.render import report_markdown, turn_markdown

if TYPE_CHECKING:
    from interviewer.interview.session import Session


class Message(TypedDict):
    role: Literal["user", "assistant"]
    content: str


@dataclass(frozen=True)
class View:
    """``seen`` is the ``seq`` of the last turn shown; ``starter`` is the code that the question on the table
    begins with, empty where it wants none; ``code`` is what was last sent for it."""

    session: str
    messages: tuple[Message, ...]
    seen: int
    waiting: bool
    ended: bool
    status: str
    starter: str
    code: str
    report: str


def view_of(session: Session) -> View:
    turns, ended = session.turns(), session.ended
    starter = "" if ended else starter_of(turns)
    return View(
        session=session.id,
        messages=tuple(_message(turn) for turn in turns),
        seen=turns[-1].seq if turns else -1,
        waiting=not turns or turns[-1].role is Role.CANDIDATE,
        ended=ended,
        status=status_of(session),
        starter=starter,
        code=_last_code(turns) if starter else "",
        report=report_markdown(session.report()) if ended else "",
    )


def said_with(text: str, code: str) -> str:
    """One message of words and code."""
    return "\n\n".join(filter(None, [text.strip(), fenced(code.rstrip(), "python") if code.strip() else ""]))


def status_of(session: Session) -> str:
    """Where the interview stands, in a line: the question's number, the time gone, the level."""
    turns, ended = session.turns(), session.ended
    if not turns:
        return ""
    report = session.report()
    plan, answered = report.plan, len(report.answered)
    minutes = _minutes(turns, ended)
    if ended:
        return f"Finished · {answered} question{'' if answered == 1 else 's'} · {minutes} min"
    planned = plan.questions or len(plan.only)
    number = f"Question {answered + 1}" + (f" of {planned}" if planned else "")
    return f"{number} · {minutes} of {plan.minutes} min · {plan.level.value} level"


def starter_of(turns: Sequence[Turn]) -> str:
    """The code that the newest question among ``turns`` begins with; empty where it wants none."""
    asked = _newest_question(turns)
    return (code_blocks(asked[1].text) or [""])[-1] if asked else ""


def _minutes(turns: Sequence[Turn], ended: bool) -> int:
    """Whole minutes from the greeting to the report, or to now."""
    reported = [turn for turn in turns if any(part.kind is PartKind.REPORT for part in turn.parts)]
    end = datetime.fromisoformat(reported[0].at) if ended and reported else datetime.now(UTC)
    return int((end - datetime.fromisoformat(turns[0].at)).total_seconds() // 60)


def _message(turn: Turn) -> Message:
    role: Literal["user", "assistant"] = "user" if turn.role is Role.CANDIDATE else "assistant"
    return Message(role=role, content=turn_markdown(turn))


def _newest_question(turns: Sequence[Turn]) -> tuple[int, Part] | None:
    """The newest question and the ``seq`` of the turn that asked it first: it may have been repeated."""
    asked = [(turn.seq, part) for turn in turns for part in turn.parts if part.kind is PartKind.QUESTION]
    return next((pair for pair in asked if pair[1] == asked[-1][1]), None)


def _last_code(turns: Sequence[Turn]) -> str:
    asked = _newest_question(turns)
    since = asked[0] if asked else 0
    sent = [
        block for turn in turns if turn.seq > since and turn.role is Role.CANDIDATE for block in code_blocks(turn.text)
    ]
    return sent[-1] if sent else ""
