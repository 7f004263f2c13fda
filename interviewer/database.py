"""How every SQLite file of ours is opened: durable, shared between processes, its tables made once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from filelock import FileLock
from sqlalchemy import URL, Engine, MetaData, create_engine, event
from sqlalchemy.exc import DatabaseError

from interviewer.errors import UsageError

_SECONDS_FOR_OTHERS = 30


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
