"""Sessions, turns and reviews in SQLite (SQLAlchemy Core, so that a shared Postgres is a change of address).

Promises: a turn that was added is on disk when ``add_turn`` returns; adding the same turn again changes
nothing; a turn once stored never changes. Does not decide who may read what.
"""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import (
    Column,
    ForeignKey,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    select,
    update,
)
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.engine import Connection, Row

from interviewer.database import open_database
from interviewer.errors import UnknownSession, UsageError
from interviewer.models import Plan, Turn

_metadata = MetaData()

_sessions = Table(
    "sessions",
    _metadata,
    Column("id", String, primary_key=True),
    Column("user", String, nullable=False, index=True),
    Column("plan", Text),
    Column("begun", String, nullable=False),
    Column("ended", String),
)
_turns = Table(
    "turns",
    _metadata,
    Column("session", String, ForeignKey("sessions.id"), primary_key=True),
    Column("seq", Integer, primary_key=True),
    Column("key", String),
    Column("body", Text, nullable=False),
    UniqueConstraint("session", "key"),
)
_reviews = Table(
    "reviews",
    _metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("session", String, ForeignKey("sessions.id"), nullable=False),
    Column("seq", Integer, nullable=False),
    Column("question", String, nullable=False),
    Column("reason", Text, nullable=False),
    Column("opened", String, nullable=False),
    Column("decision", String),
    Column("comment", Text),
    Column("decided", String),
    UniqueConstraint("session", "seq"),
)


@dataclass(frozen=True)
class SessionRow:
    id: str
    user: str
    plan: Plan | None
    begun: str
    ended: str | None


@dataclass(frozen=True)
class Review:
    """A disputed grade, waiting for a person or decided by one (``upheld`` or ``changed``)."""

    id: int
    session: str
    seq: int
    question: str
    reason: str
    opened: str
    decision: str | None
    comment: str | None
    decided: str | None


class Store:
    """All that is remembered of interviews, in the database file at ``path`` (made when missing)."""

    def __init__(self, path: Path):
        self._engine = open_database(
            path, _metadata, "Sessions can't be had. Put a copy of the file back, or move it away to begin anew."
        )

    def begin(self, user: str, plan: Plan | None) -> str:
        """A new session's id."""
        session_id = secrets.token_hex(6)
        row = {"id": session_id, "user": user, "plan": plan and plan.model_dump_json(), "begun": _now()}
        with self._engine.begin() as db:
            db.execute(insert(_sessions).values(row))
        return session_id

    def session(self, session_id: str) -> SessionRow:
        """Raises UnknownSession where there is none."""
        with self._engine.connect() as db:
            row = db.execute(select(_sessions).where(_sessions.c.id == session_id)).first()
        if row is None:
            raise UnknownSession(session_id)
        return _session_row(row)

    def sessions(self, user: str | None = None) -> list[SessionRow]:
        """Newest first; of one user, or all."""
        query = select(_sessions).order_by(_sessions.c.begun.desc(), _sessions.c.id)
        if user is not None:
            query = query.where(_sessions.c.user == user)
        with self._engine.connect() as db:
            return [_session_row(row) for row in db.execute(query)]

    def turns(self, session_id: str) -> list[Turn]:
        """Everything said, in order."""
        query = select(_turns.c.body).where(_turns.c.session == session_id).order_by(_turns.c.seq)
        with self._engine.connect() as db:
            return [Turn.model_validate_json(body) for (body,) in db.execute(query)]

    def add_turn(self, session_id: str, turn: Turn, key: str | None = None) -> bool:
        """Stores ``turn`` unless its ``seq`` or its ``key`` is stored already; says whether it was new."""
        with self._engine.begin() as db:
            return _add_turn(db, session_id, turn, key)

    def seq_of(self, session_id: str, key: str) -> int | None:
        """The ``seq`` of the turn that came with this ``key``."""
        query = select(_turns.c.seq).where(_turns.c.session == session_id, _turns.c.key == key)
        with self._engine.connect() as db:
            return db.execute(query).scalar()

    def answer(
        self, session_id: str, turn: Turn, *, dispute: tuple[str, str] | None = None, ended: bool = False
    ) -> None:
        """Stores the interviewer's turn and what comes with it, in one transaction: the (question, reason) of a
        dispute, and that the interview has ended."""
        with self._engine.begin() as db:
            _add_turn(db, session_id, turn, None)
            if dispute:
                question, reason = dispute
                row = {"session": session_id, "seq": turn.seq, "question": question, "reason": reason, "opened": _now()}
                db.execute(insert(_reviews).values(row).on_conflict_do_nothing())
            if ended:
                this = (_sessions.c.id == session_id) & _sessions.c.ended.is_(None)
                db.execute(update(_sessions).where(this).values(ended=_now()))

    def reviews(self, *, open_only: bool = False) -> list[Review]:
        query = select(_reviews).order_by(_reviews.c.id)
        if open_only:
            query = query.where(_reviews.c.decision.is_(None))
        with self._engine.connect() as db:
            return [Review(**row._mapping) for row in db.execute(query)]

    def review(self, review_id: int) -> Review:
        found = [r for r in self.reviews() if r.id == review_id]
        if not found:
            raise UsageError(f"There is no review {review_id}. `interviewer review list` shows those there are.")
        return found[0]

    def decide(self, review_id: int, decision: str, comment: str) -> Review:
        """Records a person's decision; a review is decided once."""
        self.review(review_id)
        waiting = (_reviews.c.id == review_id) & _reviews.c.decision.is_(None)
        with self._engine.begin() as db:
            values = {"decision": decision, "comment": comment, "decided": _now()}
            decided = db.execute(update(_reviews).where(waiting).values(values)).rowcount
        if not decided:
            raise UsageError(f"Review {review_id} was decided already; its decision was kept.")
        return self.review(review_id)


def _add_turn(db: Connection, session_id: str, turn: Turn, key: str | None) -> bool:
    body = turn.model_dump_json(exclude_defaults=True)
    row = {"session": session_id, "seq": turn.seq, "key": key, "body": body}
    return db.execute(insert(_turns).values(row).on_conflict_do_nothing()).rowcount == 1


def _session_row(row: Row[Any]) -> SessionRow:
    plan = Plan.model_validate(json.loads(row.plan)) if row.plan else None
    return SessionRow(row.id, row.user, plan, row.begun, row.ended)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
