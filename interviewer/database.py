"""How every SQLite file of ours is opened: durable, shared between processes, its tables made once; and the simplest of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from filelock import FileLock
from sqlalchemy import URL, Column, Engine, MetaData, String, Table, Text, create_engine, event, select
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.exc import DatabaseError

from interviewer.errors import UsageError

_SECONDS_FOR_OTHERS = 30
_AT_A_TIME = 500  # keys in one query


class Kept:
    """Texts under keys in the database file at ``path``, which holds nothing else: results that took long or cost money.
    Shared between threads and processes. ``lost`` as for ``open_database``."""

    def __init__(self, path: Path, lost: str):
        tables = MetaData()
        self._texts = Table(
            "kept", tables, Column("key", String, primary_key=True), Column("body", Text, nullable=False)
        )
        self._engine = open_database(path, tables, lost)

    def get(self, keys: Iterable[str]) -> dict[str, str]:
        """Those of them that are there."""
        wanted, found = sorted(set(keys)), dict[str, str]()
        with self._engine.connect() as db:
            for start in range(0, len(wanted), _AT_A_TIME):
                these = self._texts.c.key.in_(wanted[start : start + _AT_A_TIME])
                found.update((row.key, row.body) for row in db.execute(select(self._texts).where(these)))
        return found

    def put(self, texts: Mapping[str, str]) -> None:
        """In place of what was there under the same keys."""
        if texts:
            new = insert(self._texts)
            rows = [{"key": key, "body": body} for key, body in texts.items()]
            with self._engine.begin() as db:
                db.execute(new.on_conflict_do_update(index_elements=["key"], set_={"body": new.excluded.body}), rows)


def open_database(path: Path, tables: MetaData, lost: str) -> Engine:
    """The database at ``path``, made where it is missing. Raises UsageError where the place can't be written to or
    the file is something else; ``lost`` says what can't be had then and what to do."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(path.with_suffix(".lock"), timeout=_SECONDS_FOR_OTHERS):
            engine = create_engine(
                URL.create("sqlite", database=str(path)), connect_args={"timeout": _SECONDS_FOR_OTHERS}
            )
            event.listen(engine, "connect", _set_up)
            tables.create_all(engine)
    except OSError as error:
        raise UsageError(
            f"{path.parent} can't be used: {error.strerror or error}. Nothing was changed. "
            "Set INTERVIEWER_HOME to a folder that you may write to."
        ) from error
    except DatabaseError as error:
        raise UsageError(f"{path} can't be read ({error.orig}). The file was left as it is. {lost}") from error
    return engine


def _set_up(connection: Any, _record: Any) -> None:
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("PRAGMA foreign_keys=ON")
    connection.execute("PRAGMA secure_delete=ON")  # what was deleted is not left lying in the file
