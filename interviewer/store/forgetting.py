"""Deletes all that a user wrote, and all that was made of it.

Promises that no row of any table belongs to the user or to one of their sessions afterwards, and that what was deleted is
overwritten in the file and in its log. Knows rows by their columns: one called ``user`` names its owner, one called ``session`` a session;
a table that is neither about users nor about sessions has neither. What they decided as a reviewer of others' sessions belongs to
those: it stays, with the name that they reviewed under, until those are deleted.
"""

from __future__ import annotations

from sqlalchemy import delete, select, text
from sqlalchemy.engine import Engine

from interviewer.store.tables import metadata, sessions


def forget(engine: Engine, user: str) -> int:
    """How many sessions were deleted."""
    mine = select(sessions.c.id).where(sessions.c.user == user)
    with engine.connect() as db:
        for table in reversed(metadata.sorted_tables):  # rows that point to others before those
            if "session" in table.c:
                db.execute(delete(table).where(table.c.session.in_(mine)))
            if "user" in table.c and table is not sessions:
                db.execute(delete(table).where(table.c.user == user))
        count = db.execute(delete(sessions).where(sessions.c.user == user)).rowcount
        db.commit()
        db.execute(text("PRAGMA wal_checkpoint(TRUNCATE)"))
    return count
