"""Attempts at questions, made up: what counts of them is the score, the day and what help there was."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from interviewer.interview.practice import Attempt
from interviewer.models import Answered, Kind, Level, Point, Question, Reference, Topic, Verdict

FIRST_DAY = date(2026, 1, 1)


def day(number: int) -> date:
    return FIRST_DAY + timedelta(days=number)


def answered(
    name: str = "q",
    score: float | None = 4.0,
    *,
    topic: Topic = Topic.DATA,
    level: Level = Level.MID,
    hints: int = 0,
    follow_ups: int = 0,
    skipped: bool = False,
) -> Answered:
    verdict = Verdict(
        points=(), score=score, confidence=1, judge="test", unscored="" if score is not None else "broken"
    )
    return Answered(
        question=name,
        text=f"What of {name}?",
        topic=topic,
        level=level,
        verdict=verdict,
        hints=hints,
        follow_ups=follow_ups,
        skipped=skipped,
    )


def attempt(on: int, answer: Answered, *, session: str = "", hour: int = 12) -> Attempt:
    """On the day ``on``, counted from the first; a session a day unless one is named."""
    at = datetime(FIRST_DAY.year, FIRST_DAY.month, FIRST_DAY.day, hour, tzinfo=UTC) + timedelta(days=on)
    return Attempt(session=session or f"s{on}", begun=at, at=at, answered=answer)


def question(name: str, *, topic: Topic = Topic.DATA, level: Level = Level.MID, minutes: int = 5) -> Question:
    return Question(
        id=name,
        question=f"What of {name}?",
        topic=topic,
        level=level,
        kind=Kind.EXPLAIN,
        minutes=minutes,
        points=(Point(id="p", claim="It is so.", follow_up="And then?"),),
        references=(Reference(source="bank", text="It is so."),),
    )
