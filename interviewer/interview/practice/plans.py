"""Interviews made of a person's record: what is due again, and what they are worst at.

Worst is the lowest plausible ability: the estimate less its deviation. A topic comes up early because it is weak, or because
little or nothing lately was asked on it; practising the first teaches, and practising the second finds out. The gain that a
question would bring is not computed: nothing here has measured what anybody learns from one.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import mean

from interviewer.errors import NothingToPractise
from interviewer.interview.ability import level_of
from interviewer.interview.plan import Wish
from interviewer.interview.practice.record import Record, TopicRecord
from interviewer.models import Level, Plan, Question, Topic

_WEAK_TOPICS = 3  # at most in one interview
_MOST_QUESTIONS = 50


def plan_for(record: Record, wish: Wish, questions: Sequence[Question], base: Plan | None = None) -> Plan:
    """An interview on what is due, or on what the person is worst at; at the level that they have shown there.

    ``questions``: the bank's. Minutes, number of questions, code, feedback and, where it names any, topics are ``base``'s.
    Raises NothingToPractise, which says why, where there is nothing of the kind.
    """
    base = base or Plan()
    if base.only:
        raise NothingToPractise(
            "The questions of this interview were chosen beforehand; what you wish needs another one."
        )
    if not record.repetitions:
        raise NothingToPractise(
            "Nothing that you answered has been graded yet, so I don't know what you should practise."
        )
    asked = {q.id: q for q in questions if base.code or not q.wants_code}
    return _due(record, asked, base) if wish is Wish.DUE else _worst(record, asked, base)


def weakest(record: Record) -> tuple[TopicRecord, ...]:
    """The topics that were asked, by the lowest plausible ability, lowest first."""
    return tuple(sorted(record.topics, key=lambda each: each.ability - each.sd))


def _due(record: Record, questions: dict[str, Question], base: Plan) -> Plan:
    if not record.due:
        soonest = record.repetitions[0].due
        raise NothingToPractise(f"Nothing is due today. The next question is due on {soonest.day} {soonest:%b %Y}.")
    due = [questions[each.question] for each in record.due if each.question in questions]
    due = [q for q in due if not base.topics or q.topic in base.topics]
    if not due:
        raise NothingToPractise("Questions are due, but none that fits what you ask for.")
    chosen = due[:1]
    for question in due[1 : base.questions or _MOST_QUESTIONS]:
        if sum(q.minutes for q in chosen) + question.minutes > base.minutes:
            break
        chosen.append(question)
    topics = tuple(dict.fromkeys(q.topic for q in chosen))
    only = tuple(q.id for q in chosen)
    return base.model_copy(update={"only": only, "topics": topics, "level": _level(record, topics), "questions": None})


def _worst(record: Record, questions: dict[str, Question], base: Plan) -> Plan:
    to_ask = {q.topic for q in questions.values()}
    ranked = [t for t in weakest(record) if t.topic in to_ask and (not base.topics or t.topic in base.topics)]
    if not ranked:
        raise NothingToPractise(
            "You have answered nothing yet on what you ask for, so I don't know how you stand there."
        )
    worst, *others = ranked
    as_weak = [t for t in others if t.ability <= worst.ability + worst.sd]  # can't be told from it
    topics = tuple(t.topic for t in (worst, *as_weak[: _WEAK_TOPICS - 1]))
    pool = [q for q in questions.values() if q.topic in topics]
    leave_out = _known(record, pool, base.minutes)
    return base.model_copy(update={"topics": topics, "level": _level(record, topics), "leave_out": leave_out})


def _known(record: Record, pool: Sequence[Question], minutes: int) -> tuple[str, ...]:
    """The questions of ``pool`` that aren't due yet; where the others don't fill ``minutes``, those that are due soonest
    are asked as well."""
    by_id = {q.id: q for q in pool}
    known = [each.question for each in record.repetitions if each.due > record.today and each.question in by_id]
    known.reverse()  # due last comes first, and is let back last
    left = sum(q.minutes for q in pool if q.id not in known)
    while known and left < minutes:
        left += by_id[known.pop()].minutes
    return tuple(known)


def _level(record: Record, topics: Sequence[Topic]) -> Level:
    """The one nearest to what was shown on ``topics``."""
    shown = [t.ability for t in record.topics if t.topic in topics]
    return level_of(mean(shown)) if shown else Plan().level
