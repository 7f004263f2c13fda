"""What all readers of public sets share: text from a file, a case from its fields, and how a file is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import ValidationError

from eval.cases import Case
from interviewer.errors import UsageError


def refused(place: Path | str, why: str) -> UsageError:
    """The error to raise. ``place``: the file, with the line where it is known."""
    return UsageError(f"{place}: {why}. Nothing was graded.")


def make_case(place: str, **fields: Any) -> Case:
    """Raises UsageError that names ``place`` and the field where this is no case."""
    try:
        return Case.model_validate(fields)
    except ValidationError as error:
        first = error.errors()[0]
        raise refused(place, f"{'.'.join(map(str, first['loc'])) or 'case'}: {first['msg']}") from error


def number(place: str, name: str, text: str | float | None) -> float:
    """``text`` as a number. Raises UsageError that says which field of what place is none."""
    try:
        return float(text if text is not None else "")
    except (TypeError, ValueError, OverflowError) as error:
        raise refused(place, f"{name} is no number: {text!r}") from error


def label_of(text: str) -> str:
    """A class as we write it: "Partially correct" → ``partially_correct``."""
    return "_".join(text.replace("-", " ").lower().split())


def text_of(path: Path) -> str:
    """UTF-8, or Latin-1 as the older sets have it."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise refused(path, f"it can't be read: {error.strerror or error}") from error
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")
