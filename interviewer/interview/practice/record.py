"""A person's record: where they stand by topic, what is due again, and the interviews that it comes from."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date

from interviewer.interview.ability import estimate_on, level_of
from interviewer.interview.practice.attempts import Attempt
from interviewer.interview.practice.repetition import Repetition, repetitions
from interviewer.interview.report import mean_score
from interviewer.models import Level, Topic, Value

_PRIOR = Level.MID  # everybody's: what level somebody asks for is a wish, not evidence
_COURSE = 12  # days of a topic's course that are kept


class Moment(Value):
    """An estimate as it stood at the end of a day on which the topic was asked."""

    day: date
    ability: float
    sd: float


class TopicRecord(Value):
    """Where somebody stands on a topic, on the scale of level ranks. ``low`` and ``high``: the levels within one standard
    deviation; ``asked``: the questions that the estimate rests on; ``due``: how many of them are due again; ``course``: how
    the estimate went, the latest days alone."""

    topic: Topic
    ability: float
    sd: float
    level: Level
    low: Level
    high: Level
    asked: int
    last: date
    due: int
    next_due: date | None
    course: tuple[Moment, ...]


class PastSession(Value):
    """An interview in which something was answered. ``score``: as in its report; None where nothing could be scored."""

    session: str
    day: date
    questions: int
    score: float | None


class Record(Value):
    """``topics`` in the order of the syllabus, ``repetitions`` in the order in which they are due, ``sessions`` newest
    first. Days are those of UTC."""

    today: date
    topics: tuple[TopicRecord, ...]
    repetitions: tuple[Repetition, ...]
    sessions: tuple[PastSession, ...]

    @property
    def due(self) -> tuple[Repetition, ...]:
        """What is due, the most overdue first."""
        return tuple(each for each in self.repetitions if each.due <= self.today)


def record_of(attempts: Sequence[Attempt], today: date, in_bank: Collection[str]) -> Record:
    """``attempts``: one person's, in the order of time; what came after ``today`` is left out. Only questions of
    ``in_bank`` come again; the others count for the estimates."""
    attempts = [each for each in attempts if each.day <= today]
    coming = tuple(each for each in repetitions(attempts, today) if each.question in in_bank)
    by_topic: dict[Topic, list[Attempt]] = {}
    for each in attempts:
        if each.answered.verdict.score is not None:
            by_topic.setdefault(each.answered.topic, []).append(each)
    return Record(
        today=today,
        topics=tuple(_topic(topic, by_topic[topic], coming, today) for topic in Topic if topic in by_topic),
        repetitions=coming,
        sessions=_sessions(attempts),
    )


def _topic(topic: Topic, attempts: Sequence[Attempt], coming: Sequence[Repetition], today: date) -> TopicRecord:
    now = _estimate(attempts, today)
    dues = [each.due for each in coming if each.topic is topic]
    days = sorted({each.day for each in attempts})[-_COURSE:]
    return TopicRecord(
        topic=topic,
        ability=now.ability,
        sd=now.sd,
        level=level_of(now.ability),
        low=level_of(now.ability - now.sd),
        high=level_of(now.ability + now.sd),
        asked=len({each.answered.question for each in attempts}),
        last=days[-1],
        due=sum(day <= today for day in dues),
        next_due=min(dues, default=None),
        course=tuple(_estimate(attempts, day) for day in days),
    )


def _estimate(attempts: Sequence[Attempt], day: date) -> Moment:
    """By the last answer to each question: the same question again says how it is known now, not a second thing."""
    last = {each.answered.question: each for each in attempts if each.day <= day}
    in_order = sorted(last.values(), key=lambda each: each.at)
    mean, sd = estimate_on(day, [(each.day, each.answered) for each in in_order], _PRIOR)
    return Moment(day=day, ability=round(mean, 2), sd=round(sd, 2))


def _sessions(attempts: Sequence[Attempt]) -> tuple[PastSession, ...]:
    by_session: dict[str, list[Attempt]] = {}
    for each in attempts:
        by_session.setdefault(each.session, []).append(each)
    past = [
        (
            members[0].begun,
            PastSession(
                session=session,
                day=members[0].begun.date(),
                questions=len(members),
                score=mean_score([each.answered for each in members]),
            ),
        )
        for session, members in by_session.items()
    ]
    return tuple(session for _, session in sorted(past, key=lambda each: each[0], reverse=True))
