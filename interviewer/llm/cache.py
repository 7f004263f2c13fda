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

from interviewer.database import Kept
from interviewer.llm.asking import Said
from interviewer.llm.opening import SAMPLING, Opened
from interviewer.models import Value

_NOT_SENT = frozenset({"id", "usage_metadata", "response_metadata"})


class Answer(Value):
    """``seconds``: that it took to get it, with its retries."""

    said: Said
    seconds: float


class AnswerCache:
    """The answers in the database file at ``path``, shared between threads and processes."""

    def __init__(self, path: Path):
        self._kept = Kept(path, "Move it away to ask for all answers anew.")

    def get(self, key: str) -> Answer | None:
        body = self._kept.get([key]).get(key)
        return Answer.model_validate_json(body) if body else None

    def put(self, key: str, answer: Answer) -> None:
        self._kept.put({key: answer.model_dump_json()})


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
