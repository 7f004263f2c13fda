"""Answers of language models, kept on disk under a hash of all that they depend on, so that nobody pays twice for one.

Kept are answers that were accepted, and never a fault, a key or what was sent. An answer has no age: whoever wants others
moves the file away. Only the harness keeps answers; an interview asks anew.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from langchain_core.messages import BaseMessage, message_to_dict
from sqlalchemy import Column, MetaData, String, Table, Text, select
from sqlalchemy.dialects.sqlite import insert

from interviewer.database import open_database
from interviewer.llm.asking import Said
from interviewer.llm.opening import SAMPLING, Opened
from interviewer.models import Value

_metadata = MetaData()
_answers = Table("answers", _metadata, Column("key", String, primary_key=True), Column("body", Text, nullable=False))
_NOT_SENT = frozenset({"id", "usage_metadata", "response_metadata"})


class Kept(Value):
    """``seconds``: that it took to get it, with its retries."""

    said: Said
    seconds: float


class AnswerCache:
    """The answers in the database file at ``path``, shared between threads and processes."""

    def __init__(self, path: Path):
        self._engine = open_database(path, _metadata, "Move it away to ask for all answers anew.")

    def get(self, key: str) -> Kept | None:
        with self._engine.connect() as db:
            body = db.execute(select(_answers.c.body).where(_answers.c.key == key)).scalar()
        return Kept.model_validate_json(body) if body else None

    def put(self, key: str, kept: Kept) -> None:
        new = insert(_answers).values(key=key, body=kept.model_dump_json())
        with self._engine.begin() as db:
            db.execute(new.on_conflict_do_update(index_elements=["key"], set_={"body": new.excluded.body}))


def key_of(opened: Opened, messages: Sequence[BaseMessage], wanted: Any) -> str:
    """Of one request. ``wanted``: the schema of the data or the tools, as they are sent; None for text."""
    depends = {
        "model": opened.name,
        "place": opened.place,
        "sampling": SAMPLING,
        "messages": [_sent(message) for message in messages],
        "wanted": wanted,
    }
    return hashlib.sha256(json.dumps(depends, sort_keys=True, default=str).encode("utf-8", "replace")).hexdigest()


def _sent(message: BaseMessage) -> dict[str, Any]:
    whole = message_to_dict(message)
    return {"type": whole["type"], **{name: value for name, value in whole["data"].items() if name not in _NOT_SENT}}
