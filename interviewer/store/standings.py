"""Who practised, of those who want it seen.

Promises that nobody stands there who didn't join, and that no score does.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Column, String, Table, delete, func, select
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.engine import Engine

from interviewer.store.tables import metadata, sessions

_standings = Table(
    "standings",
    metadata,
    Column("user", String, primary_key=True),
    Column("name", String, nullable=False),
)


@dataclass(frozen=True)
class Practised:
    """``interviews``: how many the person finished; ``last``: when the last one ended (ISO 8601), empty without one."""

    name: str
    interviews: int
    last: str


class Standings:
    def __init__(self, engine: Engine):
        self._engine = engine

    def join(self, user: str, name: str) -> None:
        """``name`` is what the others see; joining again changes it."""
        row = insert(_standings).values(user=user, name=name)
        with self._engine.begin() as db:
            db.execute(row.on_conflict_do_update(index_elements=["user"], set_={"name": name}))

    def leave(self, user: str) -> bool:
        """Whether the user had joined."""
        with self._engine.begin() as db:
            return db.execute(delete(_standings).where(_standings.c.user == user)).rowcount == 1

    def read(self, prefix: str) -> list[Practised]:
        """Those who joined and whose user begins with ``prefix``; who finished most interviews first."""
        count = func.count(sessions.c.ended)
        query = (
            select(_standings.c.name, count, func.coalesce(func.max(sessions.c.ended), ""))
            .join_from(_standings, sessions, sessions.c.user == _standings.c.user, isouter=True)
            .where(_standings.c.user.startswith(prefix, autoescape=True))
            .group_by(_standings.c.user)
            .order_by(count.desc(), _standings.c.name)
        )
        with self._engine.connect() as db:
            return [Practised(*row) for row in db.execute(query)]
