"""The tables of the library and how its file is opened (SQLAlchemy Core on SQLite).

A question is kept as it was read; what is asked of it is derived anew, so that a better derivation needs no migration.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sqlalchemy import (
    Boolean,
    Column,
    Engine,
    Float,
    ForeignKey,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    create_engine,
    event,
)
from sqlalchemy.exc import DatabaseError

from interviewer.errors import UsageError

metadata = MetaData()

documents = Table(
    "documents",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("path", String, nullable=False, unique=True),  # absolute, links resolved
    Column("slug", String, nullable=False, unique=True),
    Column("source", String, nullable=False, unique=True),  # how references name it
    Column("title", String),
    Column("sha256", String, nullable=False),
    Column("read_at", String, nullable=False),
)
questions = Table(
    "questions",
    metadata,
    Column("seq", Integer, primary_key=True),
    Column("id", String, nullable=False, unique=True),
    Column("document", Integer, ForeignKey("documents.id"), nullable=False, index=True),
    Column("position", Integer, nullable=False),
    Column("live", Boolean, nullable=False),
    Column("digest", String, nullable=False),
    Column("topic", String, nullable=False),
    Column("body", Text, nullable=False),
)
decisions = Table(
    "decisions",
    metadata,
    Column("seq", Integer, primary_key=True),
    Column("kind", String, nullable=False),
    Column("left", Text, nullable=False),
    Column("right", Text, nullable=False),
    Column("decided_at", String, nullable=False),
)
clusters = Table(
    "clusters",
    metadata,
    Column("member", String, primary_key=True),
    Column("cluster", String, nullable=False),
    Column("similarity", Float, nullable=False),
)
facts = Table("facts", metadata, Column("name", String, primary_key=True), Column("value", String, nullable=False))


def open_library(path: Path) -> Engine:
    """The library's file, made with its tables where it is missing. Raises UsageError where it is something else."""
    path.parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(f"sqlite:///{path}", connect_args={"timeout": 30})

    @event.listens_for(engine, "connect")
    def _set_up(connection: Any, _record: Any) -> None:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA foreign_keys=ON")

    try:
        metadata.create_all(engine)
    except DatabaseError as error:
        engine.dispose()
        raise UsageError(
            f"The library of imported documents at {path} can't be read ({error.orig}), so imported questions can't be "
            "had; the file was left as it is. Put a copy of it back, or move it away and ingest the documents again."
        ) from error
    return engine
