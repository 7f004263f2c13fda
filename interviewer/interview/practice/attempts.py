"""What one person has answered so far, each grade as it counts now."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from datetime import UTC, date, datetime

from interviewer.interview.review import reviewed, with_rulings
from interviewer.models import Answered, Value
from interviewer.store import Review, Store


class Attempt(Value):
    """A question that was answered or skipped in an interview. ``at``: when it closed, in UTC; when its interview began
    where that was not written down."""

    session: str
    begun: datetime
    at: datetime
    answered: Answered

    @property
    def day(self) -> date:
        return self.at.date()


def attempts_of(store: Store, user: str, counts: Callable[[str], bool] = lambda _: True) -> tuple[Attempt, ...]:
    """The attempts of ``user`` alone, in the order of time, in the sessions that count."""
    closed = store.closed(user)
    counting = {session for session in {each.session for each in closed} if counts(session)}
    reviews: dict[str, list[Review]] = defaultdict(list)
    for review in store.reviews(user=user):
        reviews[review.session].append(review)
    attempts = [
        Attempt(
            session=each.session,
            begun=_utc(each.begun),
            at=_utc(each.at or each.begun),
            answered=with_rulings(each.answered, reviewed(reviews[each.session])),
        )
        for each in closed
        if each.session in counting
    ]
    return tuple(sorted(attempts, key=lambda attempt: attempt.at))


def _utc(stamp: str) -> datetime:
    return datetime.fromisoformat(stamp).astimezone(UTC)
