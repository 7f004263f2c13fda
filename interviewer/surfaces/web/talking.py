"""The turns of a conversation as messages for the page.

Promises that what was said stays text: what a candidate wrote is either their own Markdown, cleaned in the browser, or escaped.
Once a question of a practice was graded, the words that counted are marked where they stand.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Literal, TypedDict

from interviewer.markdown import fenced
from interviewer.models import Part, PartKind, Role, Shown, Turn, Verdict
from interviewer.surfaces.quoted import words_and_code
from interviewer.surfaces.render import part_markdown, turn_markdown, usage_markdown
from interviewer.surfaces.report_html import replies_html

_RAN = "I ran a few lines to see whether that is so:"


class Message(TypedDict):
    role: Literal["user", "assistant"]
    content: str


def messages_of(turns: Sequence[Turn], *, marks: bool) -> tuple[Message, ...]:
    """``marks``: whether what counted is shown in the candidate's words."""
    verdicts = _verdicts(turns) if marks else {}
    return tuple(_message(turn, verdicts.get(turn.seq)) for turn in turns)


def _verdicts(turns: Sequence[Turn]) -> dict[int, Verdict]:
    """For the ``seq`` of each message of the candidate the verdict on the question that it answered, once that was told."""
    found: dict[int, Verdict] = {}
    waiting: list[Turn] = []
    for turn in turns:
        if turn.role is Role.CANDIDATE:
            waiting.append(turn)
            continue
        if verdict := _told(turn, waiting):
            found |= {each.seq: verdict for each in waiting}
            waiting = []
    return found


def _told(turn: Turn, waiting: Sequence[Turn]) -> Verdict | None:
    said = {each.text.strip() for each in waiting}
    for part in turn.parts:
        if part.kind is PartKind.EVIDENCE and part.verdict:
            return part.verdict
        if part.kind is PartKind.REPORT and part.report:
            answered = [a for a in part.report.answered if said & {reply.strip() for reply in a.replies}]
            return answered[-1].verdict if answered else None
    return None


def _message(turn: Turn, verdict: Verdict | None) -> Message:
    if turn.role is Role.CANDIDATE:
        return Message(role="user", content=_marked(turn.text, verdict) if verdict else turn.text)
    if not any(part.kind in (PartKind.EXPERIMENT, PartKind.REPORT) for part in turn.parts):
        return Message(role="assistant", content=turn_markdown(turn))
    blocks = [_part(part) for part in turn.parts] + ([usage_markdown(turn)] if turn.calls else [])
    return Message(role="assistant", content="\n\n".join(blocks))


def _part(part: Part) -> str:
    """A report has a tab of its own; an experiment stands beside the words that it settles."""
    if part.kind is PartKind.REPORT:
        return "It stands under **Report**."
    if part.kind is PartKind.EXPERIMENT and part.shown:
        return _beside(part.shown)
    return part_markdown(part)


def _beside(shown: Shown) -> str:
    claim = f"<div><p class='what'>You wrote</p><blockquote>{_kept_together(escape(shown.quote))}</blockquote></div>"
    output = f"<div><p class='what'>It printed</p><pre>{_kept_together(escape(shown.printed.rstrip()))}</pre></div>"
    blocks = [f"▶ {_RAN}", fenced(shown.code.rstrip(), "python"), f'<div class="beside">{claim}{output}</div>']
    return "\n\n".join(filter(None, [*blocks, shown.means]))


def _marked(text: str, verdict: Verdict) -> str:
    """``text`` with the words marked that show something; as it was written where none do."""
    blocks = [
        fenced(words.rstrip(), "python") if code else _kept_together(replies_html([words], verdict))
        for code, words in words_and_code(text)
    ]
    return "\n\n".join(blocks) if any("<mark" in block for block in blocks) else text


def _kept_together(html: str) -> str:
    """HTML inside Markdown ends at an empty line."""
    return html.replace("\n", "&#10;")
