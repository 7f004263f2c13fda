"""A chat model that a person or another program plays through files: each request is written as JSON, and the answer awaited
as JSON beside it. docs/models.md tells the protocol.

Promises that the same request finds its answer at once, however often it is asked, so that a folder of answers replays an
interview; and that neither a request nor an answer is ever read half-written. Does not delete anything.
"""

from __future__ import annotations

import asyncio
import json
import time
import uuid
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match
from pydantic import ValidationError, field_validator

from interviewer.errors import ModelUnavailable
from interviewer.llm.failures import ModelFailed
from interviewer.llm.played import Answer, PlayedModel, Request
from interviewer.models import ModelFault

_LOOK_EVERY = 0.1  # seconds
_HALF_WRITTEN = 2.0  # seconds that a file which is no JSON may stay as it is, before it counts as an answer


class TranscriptModel(PlayedModel):
    """``folder`` is made where it isn't there. Raises ModelUnavailable where that can't be."""

    folder: Path

    @field_validator("folder")
    @classmethod
    def _made(cls, folder: Path) -> Path:
        folder = folder.expanduser()
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ModelUnavailable(
                f"Requests to the language model can't be written to {folder}: {error.strerror}. Nothing was started. Name a "
                "folder that you may write to as transcript:DIR."
            ) from error
        return folder

    async def answered(self, request: Request) -> Answer:
        """Waits for the answer's file. Raises ModelFailed where what it holds is no answer to this request."""
        answer = self.folder / f"{request.name}.answer.json"
        if not answer.exists():
            self._write(request, answer.name)
        content = await _settled(answer)
        try:
            return _read(content, request)
        except _WrongForm as error:
            raise ModelFailed(ModelFault.MALFORMED, f"{answer}: {error}") from error

    def _write(self, request: Request, answer: str) -> None:
        whole = {"how": _how(request, answer), "answer_file": answer, **request.model_dump(mode="json")}
        part = self.folder / f".{request.name}.{uuid.uuid4().hex}.part"
        part.write_text(json.dumps(whole, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
        part.replace(self.folder / f"{request.name}.request.json")


class _WrongForm(Exception):
    """Says where. Never holds what was answered, since it goes to the log."""


def _how(request: Request, answer: str) -> str:
    if request.answer_schema is not None:
        form = '{"data": ...} where the data follow answer_schema'
    elif request.tools:
        form = '{"tool_calls": [{"name": ..., "args": {...}}]} with calls of the tools, or {"text": "..."} to end'
    else:
        form = '{"text": "..."}'
    return f'Write {form} to {answer} beside this file. {{"fault": "refused"}} plays a model that fails.'


async def _settled(path: Path) -> str:
    """What the file holds, once it is there and JSON; or, where it stays something else, that."""
    before, since = None, 0.0
    while True:
        if (content := _content(path)) is not None:
            if _is_json(content) or (content == before and time.monotonic() - since > _HALF_WRITTEN):
                return content
            if content != before:
                before, since = content, time.monotonic()
        await asyncio.sleep(_LOOK_EVERY)


def _content(path: Path) -> str | None:
    try:
        return path.read_bytes().decode("utf-8-sig", "replace")
    except FileNotFoundError:
        return None


def _is_json(content: str) -> bool:
    try:
        json.loads(content)
    except ValueError:
        return False
    return True


def _read(content: str, request: Request) -> Answer:
    """Raises _WrongForm."""
    try:
        answer = Answer.model_validate(json.loads(content))
    except json.JSONDecodeError as error:
        raise _WrongForm(f"line {error.lineno}, column {error.colno}: no JSON") from error
    except ValidationError as error:
        raise _WrongForm("; ".join(f"{_place(e['loc'])}{e['msg']}" for e in error.errors()[:3])) from error
    if answer.fault is None and request.answer_schema is not None:
        _check_data(answer, request.answer_schema)
    return answer


def _check_data(answer: Answer, schema: dict[str, Any]) -> None:
    if "data" not in answer.model_fields_set:
        raise _WrongForm("data are asked for, as answer_schema of the request says")
    if error := best_match(Draft202012Validator(schema).iter_errors(answer.data)):
        raise _WrongForm(f"{_place(('data', *error.absolute_path))}not as the schema's {error.validator!r} wants it")


def _place(path: tuple[str | int, ...]) -> str:
    return ".".join(map(str, path)) + ": " if path else ""
