"""The tables of the store, all in one database file."""

from __future__ import annotations

from sqlalchemy import Column, Float, ForeignKey, Integer, MetaData, String, Table, Text, UniqueConstraint

metadata = MetaData()

sessions = Table(
    "sessions",
    metadata,
    Column("id", String, primary_key=True),
    Column("user", String, nullable=False, index=True),
    Column("plan", Text),
    Column("begun", String, nullable=False),
    Column("ended", String),
)

turns = Table(
    "turns",
    metadata,
    Column("session", String, ForeignKey("sessions.id"), primary_key=True),
    Column("seq", Integer, primary_key=True),
    Column("key", String),
    Column("body", Text, nullable=False),
    UniqueConstraint("session", "key"),
)

# Each question as it was when it closed. Kept apart from the queue, since a question may be disputed before it closes,
# and long after.
evidence = Table(
    "evidence",
    metadata,
    Column("session", String, ForeignKey("sessions.id"), primary_key=True),
    Column("question", String, primary_key=True),
    Column("body", Text, nullable=False),
)

queue = Table(
    "review_queue",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("session", String, ForeignKey("sessions.id"), nullable=False),
    Column("question", String, nullable=False),
    Column("kind", String, nullable=False),
    Column("reason", Text, nullable=False),
    Column("opened", String, nullable=False),
    Column("judgement", String),
    Column("comment", Text),
    Column("reviewer", String),
    Column("decided", String),
    Column("verdict", Text),
    UniqueConstraint("session", "question", "kind"),
)

# Who may come in, for interviewer/access: the ids of tickets and links are hashes of what their holders have.
# ``user`` is whose they are, so that forgetting somebody takes these rows too. Times are seconds since the epoch.
tickets = Table(
    "tickets",
    metadata,
    Column("id", String, primary_key=True),
    Column("user", String, nullable=False, index=True),
    Column("name", String, nullable=False),
    Column("only", String, nullable=False),
    Column("means", String, nullable=False),
    Column("proof", String, nullable=False),
    Column("made", Float, nullable=False),
    Column("seen", Float, nullable=False),
)

invitations = Table(
    "invitations",
    metadata,
    Column("id", String, primary_key=True),
    Column("token", String, nullable=False, unique=True),
    Column("user", String, nullable=False, unique=True),
    Column("title", String, nullable=False),
    Column("name", String, nullable=False),
    Column("plan", Text, nullable=False),
    Column("made", Float, nullable=False),
    Column("expires", Float, nullable=False),
    Column("revoked", Float),
)

links = Table(
    "links",
    metadata,
    Column("id", String, primary_key=True),
    Column("user", String, nullable=False),
    Column("session", String, ForeignKey("sessions.id"), nullable=False),
    Column("name", String, nullable=False),
    Column("expires", Float, nullable=False),
)
