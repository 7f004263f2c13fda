"""What a user has answered, read from the evidence that is kept anyway: nothing is stored for practice.

Promises that nobody's but this user's answers are read. Verdicts are the grader's own; what people decided on them is in the
queue of reviews.
"""

from __future__ import annotations

import json

from sqlalchemy import select
from sqlalchemy.engine import Connection

from interviewer.models import Answered, Value
from interviewer.store.tables import evidence, sessions


class Closed(Value):
    """A question that was answered or skipped, and the session that it belongs to. ``at``: when it closed; empty where that
    was not written down."""

    session: str
    begun: str
    at: str
    answered: Answered


def read_closed(db: Connection, user: str) -> list[Closed]:
    """In the order of the sessions' beginnings."""
    query = (
        select(sessions.c.id, sessions.c.begun, evidence.c.body)
        .join_from(evidence, sessions, evidence.c.session == sessions.c.id)
        .where(sessions.c.user == user)
        .order_by(sessions.c.begun, sessions.c.id)
    )
    found = []
    for session, begun, body in db.execute(query):
        kept = json.loads(body)  # the question with its rubric is most of it, and is left unread
        answered = Answered.model_validate(kept["answered"])
        found.append(Closed(session=session, begun=begun, at=kept.get("at", ""), answered=answered))
    return found
