"""What files a surface put beside the report of a session, so that they are put there once.

Promises that what was noted is on disk before the next step is taken. Whether files that were noted as brought were shown too, the
surface has to find out where it showed them.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Boolean, Column, ForeignKey, String, Table, select
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.engine import Engine

from interviewer.store.tables import metadata

_enclosures = Table(
    "enclosures",
    metadata,
    Column("session", String, ForeignKey("sessions.id"), primary_key=True),
    Column("files", String, nullable=False),
    Column("settled", Boolean, nullable=False),
)


@dataclass(frozen=True)
class Enclosure:
    """``files``: the surface's names of what it brought; ``settled``: nothing more is to be done about it."""

    files: tuple[str, ...]
    settled: bool


class Enclosures:
    def __init__(self, engine: Engine):
        self._engine = engine

    def at(self, session: str) -> Enclosure | None:
        """None before anything was brought."""
        with self._engine.connect() as db:
            row = db.execute(select(_enclosures).where(_enclosures.c.session == session)).first()
        return Enclosure(tuple(row.files.split()), row.settled) if row else None

    def bring(self, session: str, files: tuple[str, ...]) -> None:
        """They are there, and are shown next."""
        self._set(session, " ".join(files), False)

    def settle(self, session: str) -> None:
        """They were shown, or can't be."""
        self._set(session, "", True)

    def _set(self, session: str, files: str, settled: bool) -> None:
        row = {"session": session, "files": files, "settled": settled}
        with self._engine.begin() as db:
            db.execute(insert(_enclosures).values(row).on_conflict_do_update(index_elements=["session"], set_=row))
