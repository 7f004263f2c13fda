"""A person's record as Markdown, once for all surfaces."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from textwrap import shorten

from interviewer.interview.practice import PastSession, Record, Repetition, TopicRecord, weakest
from interviewer.markdown import escape
from interviewer.surfaces.render import score_text

_SHOWN = 10  # of the questions that are due, and of the interviews
_WIDTH = 140  # characters of a question
_MOVED = 0.05  # levels: less is not told

NO_RECORD = "Nothing was graded yet. Your record begins with the first question that you answer in an interview."


def record_markdown(record: Record) -> str:
    """Levels by topic, the weakest first; what is due; the interviews behind it, newest first."""
    if not record.sessions:
        return NO_RECORD
    blocks = [due_sentence(record)]
    if record.topics:
        blocks += ["## Where you stand", _topics(weakest(record))]
    if record.due:
        blocks += ["## Due again", _due(record.due, record.today)]
    blocks += ["## Interviews", _sessions(record.sessions)]
    return "\n\n".join(blocks)


def due_sentence(record: Record) -> str:
    """What is due today, or when the next question is."""
    if record.due:
        count = len(record.due)
        return f"**{count} question{'s are' if count != 1 else ' is'} due again.**"
    if record.repetitions:
        return f"Nothing is due today. The next question is due on {_day(record.repetitions[0].due)}."
    return "Nothing is due."


def _topics(topics: Sequence[TopicRecord]) -> str:
    head = [
        "| Topic | Level shown | Likely between | Questions | Last asked | Due | Next due |",
        "|---|---|---|---|---|---|---|",
    ]
    return "\n".join([*head, *(_topic_row(t) for t in topics)])


def _topic_row(t: TopicRecord) -> str:
    between = t.low.value if t.low == t.high else f"{t.low.value} and {t.high.value}"
    level = f"{t.level.value} ({t.ability:.1f}{_moved(t)})"
    next_due = _day(t.next_due) if t.next_due else "–"
    return f"| {t.topic.value} | {level} | {between} | {t.asked} | {_day(t.last)} | {t.due} | {next_due} |"


def _moved(t: TopicRecord) -> str:
    """By how much the last day on which it was asked moved the estimate."""
    if len(t.course) < 2 or abs(by := t.course[-1].ability - t.course[-2].ability) < _MOVED:
        return ""
    return f", {by:+.1f}"


def _due(due: Sequence[Repetition], today: date) -> str:
    lines = [
        f"- {escape(shorten(each.text, _WIDTH, placeholder=' …'))} *{each.topic.value}, {_late((today - each.due).days)}*"
        for each in due[:_SHOWN]
    ]
    more = len(due) - _SHOWN
    return "\n".join([*lines, f"- and {more} more"] if more > 0 else lines)


def _late(days: int) -> str:
    return f"{days} day{'s' if days != 1 else ''} ago" if days else "today"


def _sessions(sessions: Sequence[PastSession]) -> str:
    rows = [f"| {_day(s.day)} | {score_text(s.score)} | {s.questions} | `{s.session}` |" for s in sessions[:_SHOWN]]
    table = "\n".join(["| Day | Score | Questions | Session |", "|---|---|---|---|", *rows])
    return f"{table}\n\nand {len(sessions) - _SHOWN} before them" if len(sessions) > _SHOWN else table


def _day(day: date) -> str:
    return f"{day.day} {day:%b %Y}"
