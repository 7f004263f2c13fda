"""When a question is to be asked again: FSRS, the free spaced repetition scheduler, over all attempts at it.

Deterministic, and in whole days of UTC: steps of minutes are for flash cards, and who practises every evening does so at
no exact hour. A question is due when the chance that it is still known has fallen to nine in ten.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, time

from fsrs import Card, Rating, Scheduler

from interviewer.interview.ability import credit
from interviewer.interview.practice.attempts import Attempt
from interviewer.models import Answered, Level, Topic, Value

_RECALLED = 0.5  # of the credit: less was not recalled, and that is what FSRS means by again
_GOOD = 0.7
_EASY = 0.9
_LONGEST = 365  # days: PyTorch changes meanwhile
_SCHEDULER = Scheduler(learning_steps=(), relearning_steps=(), maximum_interval=_LONGEST, enable_fuzzing=False)


class Repetition(Value):
    """A question that was asked before. ``recall``: the chance that it is still known; ``times``: how often it was graded."""

    question: str
    text: str
    topic: Topic
    level: Level
    times: int
    last: date
    due: date
    recall: float


def rating_of(answered: Answered) -> Rating | None:
    """What an answer says of memory; None where it was not scored, which is never the candidate's doing.

    Under half of the credit was not recalled: again, as is what was skipped. In FSRS hard, good and easy are all recall, so
    hard is more than half of it, good seven tenths, which leaves room for the grader's usual error below a full answer, and
    easy is nine tenths at once: without a hint and with one follow-up at most. A hint also costs credit.
    """
    earned = 0.0 if answered.skipped else credit(answered)
    if earned is None:
        return None
    if earned < _RECALLED:
        return Rating.Again
    if earned < _GOOD:
        return Rating.Hard
    return Rating.Easy if earned >= _EASY and not answered.hints and answered.follow_ups <= 1 else Rating.Good


def repetitions(attempts: Sequence[Attempt], today: date) -> tuple[Repetition, ...]:
    """One for every question that was graded, in the order in which they are due. ``attempts``: in the order of time."""
    by_question: dict[str, list[tuple[Attempt, Rating]]] = {}
    for attempt in attempts:
        if rating := rating_of(attempt.answered):
            by_question.setdefault(attempt.answered.question, []).append((attempt, rating))
    found = [_repetition(rated, today) for rated in by_question.values()]
    return tuple(sorted(found, key=lambda each: (each.due, each.recall, each.question)))


def _repetition(rated: Sequence[tuple[Attempt, Rating]], today: date) -> Repetition:
    card = Card(card_id=0, due=_midnight(rated[0][0].day))
    for attempt, rating in rated:
        card, _ = _SCHEDULER.review_card(card, rating, _midnight(attempt.day))
    last = rated[-1][0]
    return Repetition(
        question=last.answered.question,
        text=last.answered.text,
        topic=last.answered.topic,
        level=last.answered.level,
        times=len(rated),
        last=last.day,
        due=card.due.date(),
        recall=round(_SCHEDULER.get_card_retrievability(card, _midnight(today)), 3),
    )


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)
