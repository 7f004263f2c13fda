"""Sessions, turns and reviews in SQLite (SQLAlchemy Core, so that a shared Postgres is a change of address).

Promises: a turn that was added is on disk when ``add_turn`` returns; adding the same turn again changes
nothing; a turn once stored never changes. Does not decide who may read what.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.engine import Connection, Engine, Row

from interviewer.database import open_database
from interviewer.errors import UnknownSession, UsageError
from interviewer.models import Evidence, Filing, Judgement, Plan, Turn, Verdict
from interviewer.store.enclosures import Enclosures
from interviewer.store.forgetting import forget
from interviewer.store.history import Closed, read_closed
from interviewer.store.inbox import Inbox
from interviewer.store.places import Places
from interviewer.store.reviews import Review, file_review, keep_evidence, read_reviews, record_decision
from interviewer.store.standings import Standings
from interviewer.store.tables import metadata
from interviewer.store.tables import sessions as _sessions
from interviewer.store.tables import turns as _turns


@dataclass(frozen=True)
class SessionRow:
    id: str
    user: str
    plan: Plan | None
    begun: str
    ended: str | None


class Store:
    """All that is remembered of interviews, in the database file at ``path`` (made when missing)."""

    def __init__(self, path: Path):
        self._engine = open_database(
            path, metadata, "Sessions can't be had. Put a copy of the file back, or move it away to begin anew."
        )
        self.places = Places(self._engine)
        self.enclosures = Enclosures(self._engine)
        self.standings = Standings(self._engine)

    @property
    def engine(self) -> Engine:
        """For the rooms beside this one that keep their rows in the same file."""
        return self._engine

    def inbox(self, locks: Path) -> Inbox:
        """This process's view of what came from outside and is to be handled once; see there for ``locks``."""
        return Inbox(self._engine, locks)

    def forget(self, user: str) -> int:
        """Deletes every row that belongs to ``user``, and says how many sessions there were. What graphs keep of a session
        is not here: see ``Interviews.forget``."""
        return forget(self._engine, user)

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
        self,
        session_id: str,
        turn: Turn,
        *,
        closed: Evidence | None = None,
        filed: Sequence[Filing] = (),
        ended: bool = False,
    ) -> None:
        """Stores the interviewer's turn and what comes with it, in one transaction: the question that it closed, what
        it puts in the queue of reviews, and that the interview has ended. A turn that is stored already brings nothing
        again."""
        with self._engine.begin() as db:
            if not _add_turn(db, session_id, turn, None):
                return
            if closed:
                keep_evidence(db, session_id, closed)
            for filing in filed:
                file_review(db, session_id, filing, _now())
            if ended:
                this = (_sessions.c.id == session_id) & _sessions.c.ended.is_(None)
                db.execute(update(_sessions).where(this).values(ended=_now()))

    def closed(self, user: str) -> list[Closed]:
        """Every question that the user answered or skipped, in the order of the sessions' beginnings."""
        with self._engine.connect() as db:
            return read_closed(db, user)

    def reviews(self, *, open_only: bool = False, session: str | None = None, user: str | None = None) -> list[Review]:
        """In the order of filing; of one session, of one user, or all."""
        with self._engine.connect() as db:
            return read_reviews(db, open_only=open_only, session=session, user=user)

    def review(self, review_id: int) -> Review:
        """Raises UsageError where there is none."""
        with self._engine.connect() as db:
            found = read_reviews(db, review_id=review_id)
        if not found:
            raise UsageError(f"There is no review {review_id}. `interviewer review list --all` shows those there are.")
        return found[0]

    def decide(self, review_id: int, judgement: Judgement, *, comment: str, reviewer: str, verdict: Verdict) -> Review:
        """Records a person's decision and the verdict that they stand for. Raises UsageError where it was decided
        already: the first decision is kept."""
        self.review(review_id)
        with self._engine.begin() as db:
            recorded = record_decision(db, review_id, judgement, comment, reviewer, verdict, _now("milliseconds"))
        if not recorded:
            raise UsageError(f"Review {review_id} was decided already; its decision was kept.")
        return self.review(review_id)


def _add_turn(db: Connection, session_id: str, turn: Turn, key: str | None) -> bool:
    body = turn.model_dump_json(exclude_defaults=True)
    row = {"session": session_id, "seq": turn.seq, "key": key, "body": body}
    return db.execute(insert(_turns).values(row).on_conflict_do_nothing()).rowcount == 1


def _session_row(row: Row[Any]) -> SessionRow:
    plan = Plan.model_validate(json.loads(row.plan)) if row.plan else None
    return SessionRow(row.id, row.user, plan, row.begun, row.ended)


def _now(precision: str = "seconds") -> str:
    return datetime.now(UTC).isoformat(timespec=precision)
