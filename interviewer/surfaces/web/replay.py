"""A session turn by turn, as the replay shows it: what was said and when, what ran, who judged and what they thought."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from markupsafe import Markup

from interviewer.interview.thoughts import thoughts
from interviewer.models import Part, PartKind, Role, Turn, Verdict
from interviewer.surfaces.render import part_markdown, usage_markdown
from interviewer.surfaces.web import markup

if TYPE_CHECKING:
    from interviewer.interview.session import Interviews, Session


@dataclass(frozen=True)
class Step:
    """One turn. ``number`` counts from 1; ``at`` is empty where it was not written down, ``since`` is the time from the
    beginning as m:ss; ``thought``: the verdict on this message alone, where it may be told."""

    number: int
    candidate: bool
    at: str
    since: str
    said: tuple[Markup, ...]
    reported: bool
    thought: Verdict | None


def replay_of(interviews: Interviews, session: Session) -> list[Step]:
    """All turns, in order."""
    turns = session.turns()
    thought = thoughts(interviews, session)
    begun = turns[0].at if turns else ""
    return [
        Step(
            number=turn.seq + 1,
            candidate=turn.role is Role.CANDIDATE,
            at=turn.at,
            since=_since(begun, turn.at),
            said=_said(turn),
            reported=any(part.report for part in turn.parts),
            thought=thought.get(turn.seq),
        )
        for turn in turns
    ]


def _said(turn: Turn) -> tuple[Markup, ...]:
    if turn.role is Role.CANDIDATE:
        return (markup.words(turn.text),)
    spoken = [_part(part) for part in turn.parts if part.kind is not PartKind.REPORT]  # it has a page of its own
    return (*spoken, markup.markdown(usage_markdown(turn))) if turn.calls else tuple(spoken)


def _part(part: Part) -> Markup:
    return Markup('<div class="part {}">{}</div>').format(part.kind.value, markup.markdown(part_markdown(part)))


def _since(begun: str, at: str) -> str:
    if not begun or not at:
        return ""
    seconds = int((datetime.fromisoformat(at) - datetime.fromisoformat(begun)).total_seconds())
    return f"{seconds // 60}:{seconds % 60:02}"
