"""Links with which somebody goes on with a session of theirs in a browser that doesn't know them.

Promises that a link works once, for ten minutes, for that session alone. Only its hash is kept.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from sqlalchemy import delete, insert, select
from sqlalchemy.engine import Row

from interviewer.access.tickets import Means, Ticket
from interviewer.access.tokens import hash_of, new_token
from interviewer.errors import UsageError
from interviewer.store import Store
from interviewer.store.tables import links

GOOD_FOR = 600.0  # seconds


class Links:
    """``now``: seconds since the epoch."""

    def __init__(self, store: Store, now: Callable[[], float] = time.time):
        self._engine = store.engine
        self._store = store
        self._now = now

    def make(self, user: str, session: str, name: str = "") -> str:
        """The token of a link, /continue/TOKEN, for the user's session; ``name`` is what the page calls them. Raises UsageError
        where the session is another's, UnknownSession where there is none."""
        if self._store.session(session).user != user:
            raise UsageError("That session is somebody else's. No link was made.")
        token, now = new_token(), self._now()
        with self._engine.begin() as db:
            db.execute(delete(links).where(links.c.expires < now))
            row = {"id": hash_of(token), "user": user, "session": session, "name": name, "expires": now + GOOD_FOR}
            db.execute(insert(links).values(row))
        return token

    def at(self, token: str) -> Ticket | None:
        """What the link is for, without using it up; None where it was used, has expired or never was."""
        with self._engine.connect() as db:
            row = db.execute(select(links).where(links.c.id == hash_of(token))).first()
        return self._ticket(row)

    def use(self, token: str) -> Ticket | None:
        """As ``at``, for the first who asks; None for everybody after."""
        with self._engine.begin() as db:
            row = db.execute(delete(links).where(links.c.id == hash_of(token)).returning(*links.c)).first()
        return self._ticket(row)

    def _ticket(self, row: Row[Any] | None) -> Ticket | None:
        if row is None or row.expires < self._now():
            return None
        return Ticket(user=row.user, name=row.name, means=Means.LINK, only=row.session)
