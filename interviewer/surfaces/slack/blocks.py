"""Turns, reports and what stands around them as Block Kit messages: the same words as everywhere (``render``), laid out for
Slack.

Promises that a message that comes from here is one that Slack takes: at most 50 blocks and 10,000 characters, every block within its limits.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from interviewer.markdown import escape, one_line
from interviewer.models import PartKind, Turn
from interviewer.store import Practised
from interviewer.surfaces.render import part_markdown, usage_markdown
from interviewer.surfaces.slack.rich import Block, blocks_of, length_of, plain, words_of

MOST_BLOCKS = 50
_MOST_CHARACTERS = 10_000  # Slack refuses messages of some more, without saying how much
_MOST_IN_FALLBACK = 300
_MOST_IN_STANDINGS = 50

HINT, SKIP, DISPUTE, END = "interview_hint", "interview_skip", "interview_dispute", "interview_end"
NEW, PAGE, FORGET = "interview_new", "interview_page", "interview_forget"
WORDS = {HINT: "hint", SKIP: "skip", DISPUTE: "dispute", END: "end"}
"""What the buttons of a running interview say in their person's place."""


@dataclass(frozen=True)
class Message:
    """``text`` is what notifications and screen readers get; it holds nothing that Slack would take for markup."""

    text: str
    blocks: list[Block]


def turn_blocks(turn: Turn) -> list[Block]:
    """One turn of ours, without buttons."""
    blocks = [block for part in turn.parts for block in blocks_of(part_markdown(part))]
    return [*blocks, *(blocks_of(usage_markdown(turn)) if turn.calls else [])]


def spoken(turn: Turn) -> str:
    """A turn in a line: what is asked, else what is said first."""
    asked = [p.text for p in turn.parts if p.kind in (PartKind.QUESTION, PartKind.FOLLOW_UP)]
    said = [p.text for p in turn.parts if p.text]
    return next(iter([*asked, *said]), "Your report")


def messages(fallback: str, blocks: Sequence[Block]) -> list[Message]:
    """``blocks`` in messages that Slack takes; ``fallback`` is Markdown."""
    pages: list[list[Block]] = []
    room = 0
    for block in blocks:
        length = length_of(block)
        if not pages or len(pages[-1]) == MOST_BLOCKS or (length > room and pages[-1]):
            pages.append([])
            room = _MOST_CHARACTERS
        pages[-1].append(block)
        room -= length
    return [Message(_fallback(fallback), page) for page in pages]


def note(markdown: str) -> Message:
    """A sentence of ours beside the interview."""
    return Message(_fallback(markdown), blocks_of(markdown))


def meanwhile(count: int) -> Message:
    """Before what was said elsewhere: ``count`` messages of the person's, which are not repeated."""
    many = "a message" if count == 1 else f"{count} messages"
    return note(f"*The interview went on meanwhile: {many} of yours, and these answers.*")


def working(state: str, said: str = "") -> Message:
    """What is seen while an answer is worked on; ``said`` is the part of it that is there already."""
    return Message(_fallback(said or state), [*blocks_of(said), {"type": "context", "elements": [plain(state)]}])


def _fallback(markdown: str) -> str:
    return escaped(words_of(blocks_of(markdown)))


def escaped(text: str) -> str:
    """Words for Slack's own markup, in which only three characters can begin a mention, a link or a broadcast."""
    line = one_line(text)
    line = line if len(line) <= _MOST_IN_FALLBACK else line[: _MOST_IN_FALLBACK - 1] + "…"
    return line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


# --- buttons --------------------------------------------------------------------------------------


def buttons(session: str, seq: int, *, ended: bool, exam: bool, page: bool) -> Block:
    """For the turn ``seq``, the newest one. An exam gives no hints and shows nothing that could be disputed yet. ``page``: there
    is one to go on on."""
    value = f"{session}:{seq}"
    crossing = [_button("See it on the page" if ended else "Go on on the page", PAGE, value)] if page else []
    if ended:
        return _actions([_button("New interview", NEW, value), *crossing])
    end = _button("End", END, value) | {
        "confirm": _confirmation("End the interview?", "What you answered so far is graded and reported.", "End it")
    }
    helping = [] if exam else [_button("Hint", HINT, value)]
    disputing = [] if exam else [_button("Dispute", DISPUTE, value)]
    return _actions([*helping, _button("Skip", SKIP, value), *disputing, end, *crossing])


def forgetting() -> Message:
    """Asks whether all that a person wrote is to be deleted."""
    words = (
        "This deletes all of your interviews here: what you wrote, how it was graded, what was run, your reports, what waits "
        "for a person to look at, and your place in the standings. **It can't be undone.** Messages that stand in Slack are "
        "Slack's; delete those there."
    )
    button = _button("Delete everything", FORGET, "all") | {
        "style": "danger",
        "confirm": _confirmation("Delete everything?", "All that you wrote here, for good.", "Delete it"),
    }
    return Message("Delete everything that you wrote?", [*blocks_of(words), _actions([button])])


def _actions(buttons: Iterable[dict[str, Any]]) -> Block:
    return {"type": "actions", "elements": list(buttons)}


def _button(label: str, action: str, value: str) -> dict[str, Any]:
    return {"type": "button", "text": plain(label), "action_id": action, "value": value}


def _confirmation(title: str, text: str, yes: str) -> dict[str, Any]:
    return {"title": plain(title), "text": plain(text), "confirm": plain(yes), "deny": plain("No")}


# --- standings ------------------------------------------------------------------------------------


def standings_message(practised: Sequence[Practised]) -> Message:
    """Who practised. A name is shown as words: it calls nobody."""
    if not practised:
        return note("Nobody stands here yet. `/interview standings join` puts you in; only who joins is ever shown.")
    lines = [f"- {_standing(each)}" for each in practised[:_MOST_IN_STANDINGS]]
    if len(practised) > len(lines):
        lines.append(f"- and {len(practised) - len(lines)} more")
    ending = "*Only who joined is shown, and no scores: `/interview standings join` or `leave`.*"
    return messages("Who practised", blocks_of("\n".join(["# Who practised", "", *lines, "", ending])))[0]


def _standing(each: Practised) -> str:
    name = escape(one_line(each.name)[:80])
    if not each.interviews:
        return f"{name}: no interview finished yet"
    many = "interview" if each.interviews == 1 else "interviews"
    return f"{name}: {each.interviews} {many} finished, the last on {each.last[:10]}"
