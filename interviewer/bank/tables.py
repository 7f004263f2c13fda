"""The tables of the library and how its file is opened (SQLAlchemy Core on SQLite).

A question is kept as it was read; what is asked of it is derived anew, so that a better derivation needs no migration.
"""

from __future__ import annotations

from pathlib import Path

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
)

from interviewer.database import open_database

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
    return open_database(
        path,
        metadata,
        "Imported questions can't be had. Put a copy of the file back, or move it away and ingest the documents again.",
    )
