"""Where the folders are that come with the package: beside it in a checkout, inside it where it was installed."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path


def bundled(name: str) -> Path:
    """The folder ``corpus`` or ``prompts``."""
    beside = Path(__file__).resolve().parents[1] / name
    return beside if beside.is_dir() else Path(str(files("interviewer") / "_data" / name))
