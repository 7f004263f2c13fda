"""Where figures go that are asked for as a file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from interviewer.errors import UsageError

Json = Annotated[Path | None, typer.Option("--json", help="Write all figures here.")]


def write_json(path: Path | None, figures: Mapping[str, Any]) -> None:
    """Does nothing where no path was given."""
    if path:
        write_text(path, json.dumps(figures, indent=1, ensure_ascii=False) + "\n")


def write_text(path: Path, text: str) -> None:
    """Raises UsageError where that can't be done."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(
            f"{path} can't be written: {error}. What was graded is kept; the same command with another path takes it from there."
        ) from error
