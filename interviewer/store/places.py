"""Where in some other program, such as a thread of a messenger, a session goes on, and how far it was shown there.

Promises that a place belongs to one user, the one that it was bound to. Does not know what a place is: its name is the
surface's.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Column, ForeignKey, Integer, String, Table, select, update
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.engine import Engine

from interviewer.store.tables import metadata

_places = Table(
    "places",
    metadata,
    Column("place", String, primary_key=True),
    Column("session", String, ForeignKey("sessions.id"), nullable=False, index=True),
    Column("user", String, nullable=False),
    Column("shown", Integer, nullable=False),
    Column("heard", String, nullable=False),
    Column("pending", String, nullable=False),
)


@dataclass(frozen=True)
class Place:
    """``shown``: the ``seq`` of the last turn that was shown, -1 before the first; ``heard``: when the last message of the session was sent, in the
    surface's own words; ``pending``: the message that is to become the answer that is being worked on, if one was begun."""

    place: str
    session: str
    user: str
    shown: int
    heard: str
    pending: str


class Places:
    def __init__(self, engine: Engine):
        self._engine = engine

    def at(self, place: str) -> Place | None:
        with self._engine.connect() as db:
            row = db.execute(select(_places).where(_places.c.place == place)).first()
        return Place(*row) if row else None

    def of(self, user: str) -> list[Place]:
        """All of a user's places, in the order of binding."""
        return self._where(_places.c.user == user)

    def of_session(self, session: str) -> list[Place]:
        """A session may go on in several places."""
        return self._where(_places.c.session == session)

    def bind(self, place: str, session: str, user: str) -> Place:
        """Binds a place to a session, in which nothing was shown yet. One that is bound to another session of the same user changes over; another
        user's stays as it is, and is what comes back."""
        row = {"place": place, "session": session, "user": user, "shown": -1, "heard": "", "pending": ""}
        changed = {name: row[name] for name in ("session", "shown", "heard", "pending")}
        with self._engine.begin() as db:
            added = insert(_places).values(row)
            theirs = (_places.c.user == user) & (_places.c.session != session)
            db.execute(added.on_conflict_do_update(index_elements=["place"], set_=changed, where=theirs))
            return Place(*db.execute(select(_places).where(_places.c.place == place)).one())

    def show(self, place: str, seq: int) -> None:
        """The turn ``seq`` was shown, so nothing is pending any more."""
        self._set(place, shown=seq, pending="")

    def hear(self, place: str, when: str) -> None:
        self._set(place, heard=when)

    def begin_answer(self, place: str, message: str) -> None:
        self._set(place, pending=message)

    def _set(self, place: str, **values: str | int) -> None:
        with self._engine.begin() as db:
            db.execute(update(_places).where(_places.c.place == place).values(**values))

    def _where(self, condition: object) -> list[Place]:
        with self._engine.connect() as db:
            rows = db.execute(select(_places).where(condition).order_by(_places.c.place))  # type: ignore[arg-type]
            return [Place(*row) for row in rows]
