"""What was accepted from outside and must be handled once, although it may be sent again: to this process, to another, or
after a restart.

Promises: ``take`` says yes once for an id, over all processes; what was taken and not finished when its process died is
handed to the next process that asks. Ids are kept as hashes and for three days, bodies only until they are handled.
Does not promise that a handler ran at most once: what it does must bear being done again.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout
from sqlalchemy import Column, Float, String, Table, Text, delete, select, update
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.engine import Engine

from interviewer.store.tables import metadata

_KEPT = 3 * 24 * 3600.0  # seconds; whoever sends things again gives up within a day
_LOOKED_FOR_OLD = 3600.0

_inbox = Table(
    "inbox",
    metadata,
    Column("id", String, primary_key=True),
    Column("at", Float, nullable=False, index=True),
    Column("worker", String),
    Column("user", String),
    Column("body", Text),
)


class Inbox:
    """One process's view of the inbox. ``locks``: the folder in which it holds a lock file as long as it lives, which is how
    others see that it does. ``now``: seconds since the epoch."""

    def __init__(self, engine: Engine, locks: Path, now: Callable[[], float] = time.time):
        self._engine = engine
        self._locks = locks
        self._now = now
        self._worker = secrets.token_hex(6)
        self._cleaned = float("-inf")
        locks.mkdir(parents=True, exist_ok=True)
        self._alive = self._lock_of(self._worker)
        self._alive.acquire(timeout=1)

    def take(self, name: str, body: Any, user: str | None = None) -> bool:
        """Whether ``name`` was never taken before. ``body`` (JSON) is kept until ``finish``; ``user`` is whose it is."""
        self._clean()
        row = {"id": _id(name), "at": self._now(), "worker": self._worker, "user": user, "body": json.dumps(body)}
        with self._engine.begin() as db:
            return db.execute(insert(_inbox).values(row).on_conflict_do_nothing()).rowcount == 1

    def finish(self, name: str) -> None:
        """Its body is deleted; that it was handled is remembered."""
        with self._engine.begin() as db:
            db.execute(update(_inbox).where(_inbox.c.id == _id(name)).values(body=None, user=None, worker=None))

    def unfinished(self) -> list[Any]:
        """The bodies of what processes that are gone left behind, oldest first. They are this process's from now on."""
        with self._engine.connect() as db:
            workers = set(db.scalars(select(_inbox.c.worker).distinct().where(_inbox.c.body.is_not(None))))
        found: list[tuple[float, Any]] = []
        for worker in sorted(workers - {self._worker, None}):
            lock = self._lock_of(worker)
            try:
                with lock.acquire(timeout=0), self._engine.begin() as db:
                    theirs = (_inbox.c.worker == worker) & _inbox.c.body.is_not(None)
                    found += [(row.at, json.loads(row.body)) for row in db.execute(select(_inbox).where(theirs))]
                    db.execute(update(_inbox).where(theirs).values(worker=self._worker))
            except Timeout:
                continue  # it lives
            Path(lock.lock_file).unlink(missing_ok=True)
        return [body for _, body in sorted(found, key=lambda each: each[0])]

    def close(self) -> None:
        """From now on this process counts as gone."""
        self._alive.release()

    def _lock_of(self, worker: str) -> FileLock:
        return FileLock(self._locks / f"inbox-{worker}.lock", is_singleton=False)

    def _clean(self) -> None:
        now = self._now()
        if now - self._cleaned > _LOOKED_FOR_OLD:
            self._cleaned = now
            with self._engine.begin() as db:
                db.execute(delete(_inbox).where(_inbox.c.at < now - _KEPT))


def _id(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()
