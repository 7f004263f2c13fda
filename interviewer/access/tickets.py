"""What a browser that signed in carries, so that it is known again.

Promises: a ticket that was stolen from the database opens nothing; one ends by itself, when it wasn't used for a while and after some days in
any case, and at once when it is ended. Does not know what its holder may do today: see ``Reception``.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from enum import StrEnum

from sqlalchemy import delete, insert, select, update
from sqlalchemy.engine import Engine

from interviewer.access.tokens import hash_of, new_token
from interviewer.models import Value
from interviewer.settings import Settings
from interviewer.store.tables import tickets

_SEEN_AFTER = 60.0  # seconds: a ticket's use is written down so often at most, since each writing waits for the disk
_SWEPT_AFTER = 3600.0


class Means(StrEnum):
    """How somebody came by a ticket."""

    PASSWORD = "password"
    OAUTH = "oauth"
    INVITATION = "invitation"
    LINK = "link"


class Ticket(Value):
    """``only``: the one session that it is for, empty where it is for all of the user's; ``proof`` ends it when it is no longer so, see
    ``proof_of``."""

    user: str
    name: str
    means: Means
    only: str = ""
    proof: str = ""


class Tickets:
    """``now``: seconds since the epoch."""

    def __init__(self, engine: Engine, settings: Settings, now: Callable[[], float] = time.time):
        self._engine = engine
        self._idle = settings.ticket_idle_hours * 3600
        self.longest = settings.ticket_days * 24 * 3600  # seconds
        self._now = now
        self._swept = float("-inf")

    def issue(self, ticket: Ticket) -> str:
        """The token to carry."""
        self._sweep()
        token, now = new_token(), self._now()
        with self._engine.begin() as db:
            db.execute(insert(tickets).values(id=hash_of(token), made=now, seen=now, **ticket.model_dump(mode="json")))
        return token

    def find(self, token: str) -> Ticket | None:
        """None for one that was never given, has expired or was ended."""
        now = self._now()
        with self._engine.connect() as db:
            row = db.execute(select(tickets).where(tickets.c.id == hash_of(token))).first()
        if row is None or row.made < now - self.longest or row.seen < now - self._idle:
            return None
        if row.seen < now - _SEEN_AFTER:
            with self._engine.begin() as db:
                db.execute(update(tickets).where(tickets.c.id == row.id).values(seen=now))
        return Ticket(user=row.user, name=row.name, only=row.only, means=Means(row.means), proof=row.proof)

    def end(self, token: str) -> None:
        with self._engine.begin() as db:
            db.execute(delete(tickets).where(tickets.c.id == hash_of(token)))

    def end_all(self, user: str) -> None:
        with self._engine.begin() as db:
            db.execute(delete(tickets).where(tickets.c.user == user))

    def _sweep(self) -> None:
        now = self._now()
        if now - self._swept > _SWEPT_AFTER:
            self._swept = now
            old = (tickets.c.made < now - self.longest) | (tickets.c.seen < now - self._idle)
            with self._engine.begin() as db:
                db.execute(delete(tickets).where(old))
