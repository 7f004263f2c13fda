"""What leaves the machine and what the log, an error and a repr hold: real calls over real HTTP, with the log wide open."""

from __future__ import annotations

import json
import logging
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from interviewer.bank.bank import Bank
from interviewer.errors import ModelUnavailable
from interviewer.grading.judge import EmbeddedJudge
from interviewer.interview.session import Interviews
from interviewer.llm import LanguageModel, LazyModel, ModelFailed, open_language_model
from interviewer.llm.opening import open_judge
from interviewer.models import Plan, Purpose
from interviewer.prompts import Rendered
from interviewer.sandbox import Sandbox
from interviewer.settings import Settings
from tests.llm.behaviours import calls, good, says, status
from tests.llm.exchange import Received
from tests.llm.faulty import FaultyServer

KEY = "not-in-any-known-form-1"
LOOKS_LIKE_A_KEY = "sk-proj-0123456789abcdefghij"
SAID = "A view shares storage, says Ada"
ANSWER = "And when would it copy"
PROMPT = Rendered(
    name="voice",
    version=1,
    digest="0123456789ab",
    system="You interview.",
    user=f"I'm Ada Lovelace, {LOOKS_LIKE_A_KEY}.\n{SAID}",
    schema_={"type": "object", "properties": {"said": {"type": "string"}}, "required": ["said"]},
)


@pytest.fixture(autouse=True)
def wide_open(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)


def model(server: FaultyServer, home: Path, **settings: Any) -> LanguageModel:
    opened = open_language_model(
        Settings(home=home, model="openai:tiny", model_url=server.url, model_key=KEY, **settings)
    )
    assert opened
    return opened


def logged(caplog: pytest.LogCaptureFixture) -> str:
    """All records of all loggers, with their tracebacks."""
    return "\n".join(logging.Formatter("%(name)s %(message)s").format(record) for record in caplog.records)


def echo(request: Received) -> str:
    return f"{ANSWER}? {key_of(request)} {request.text}"


def key_of(request: Received) -> str:
    return {name.lower(): value for name, value in request.headers.items()}["authorization"].removeprefix("Bearer ")


def ask_in_every_way(opened: LanguageModel) -> None:
    """Text, data and an agent's message, answered or not."""
    turn = opened.turn()
    for ask in (
        lambda: turn.text(Purpose.VOICE, PROMPT),
        lambda: turn.data(Purpose.JUDGE, PROMPT, lambda data: data["said"]),
        lambda: turn.message(Purpose.EXPERIMENT, PROMPT, [], []),
    ):
        try:
            ask()
        except ModelFailed as error:
            assert KEY not in "".join(traceback.format_exception(error))
            assert SAID not in "".join(traceback.format_exception(error))


@pytest.mark.parametrize(
    "behaviour",
    [
        says(echo),
        status(401, body=json.dumps({"error": {"message": f"wrong key {KEY}: {SAID}"}})),
        status(500, retry_after=0, body=f"{KEY} {SAID}"),
        status(400, body=json.dumps({"error": {"message": f"{SAID} {ANSWER}", "code": KEY}})),
        calls("unknown", {"said": ANSWER, "key": KEY}),
    ],
    ids=["echo", "key", "server", "rejected", "tool"],
)
def test_no_line_of_the_log_holds_a_key_or_what_was_said(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, behaviour: Any
) -> None:
    with FaultyServer([], otherwise=behaviour) as server:
        ask_in_every_way(model(server, tmp_path))
        assert key_of(server.requests[0]) == KEY and SAID in server.requests[0].text
    log = logged(caplog)
    assert "openai:tiny, asked for voice with voice 1 (0123456789ab)" in log
    for what in (KEY, LOOKS_LIKE_A_KEY, SAID, ANSWER, "Lovelace"):
        assert what not in log


def test_asked_for_the_log_holds_both_sides_and_still_no_key(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with FaultyServer([], otherwise=says(echo)) as server:
        ask_in_every_way(model(server, tmp_path, log_replies=True))
    log = logged(caplog)
    assert "to openai:tiny: " in log and "from openai:tiny: " in log
    assert SAID in log and ANSWER in log and "Lovelace" in log
    assert KEY not in log and LOOKS_LIKE_A_KEY not in log


def test_asked_for_both_the_log_holds_no_more_than_the_model_saw(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with FaultyServer([], otherwise=says(f"Hello! I'm Grace Hopper. {ANSWER}?")) as server:
        model(server, tmp_path, log_replies=True, redact=True).turn().text(Purpose.VOICE, PROMPT)
    assert server.requests[0].text == f"You interview.\nI'm [name], [key].\n{SAID}"
    log = logged(caplog)
    assert SAID in log and ANSWER in log
    assert "Lovelace" not in log and "Hopper" not in log and LOOKS_LIKE_A_KEY not in log


def test_the_log_shows_messages_at_debug_only(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    with FaultyServer([], otherwise=says(echo)) as server:
        ask_in_every_way(model(server, tmp_path, log_replies=True))
    assert SAID not in logged(caplog)


def test_nothing_said_begins_a_line_of_the_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with FaultyServer([], otherwise=says("Fine.\nERROR all is lost")) as server:
        model(server, tmp_path, log_replies=True).turn().text(Purpose.VOICE, PROMPT)
    assert not any(line.startswith("ERROR") for line in logged(caplog).splitlines())


def test_keys_stand_in_no_repr() -> None:
    settings = Settings(
        model="openai:tiny", model_key=KEY, voice_key=KEY, model_url=f"http://ada:{KEY}@host", voice_url=f"http://ada:{KEY}@host"
    )  # fmt: skip
    assert KEY not in f"{settings!r} {settings}"
    chat = open_judge(Settings(model="openai:tiny", model_key=KEY, model_url="http://host/v1")).chat
    assert KEY not in f"{chat!r} {chat}"


@pytest.mark.parametrize("key", [KEY, LOOKS_LIKE_A_KEY])
def test_a_library_that_repeats_the_key_in_its_error_is_not_repeated(
    key: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    import langchain.chat_models

    def refuse(name: str, **given: Any) -> None:
        raise RuntimeError(f"cannot use {given['api_key']}")

    monkeypatch.setattr(langchain.chat_models, "init_chat_model", refuse)
    settings = Settings(model="openai:tiny", model_key=key)
    with pytest.raises(ModelUnavailable, match=r"can't be set up: cannot use \[key\] Nothing was sent") as caught:
        open_language_model(settings)
    assert key not in "".join(traceback.format_exception(caught.value))
    lazy = LazyModel(settings)
    assert lazy() is None
    assert key not in lazy.problem and key not in logged(caplog)


def test_what_a_library_finds_wrong_is_said_without_what_it_was_given(monkeypatch: pytest.MonkeyPatch) -> None:
    import langchain.chat_models
    from pydantic import BaseModel, model_validator

    class Strict(BaseModel):
        api_key: str

        @model_validator(mode="after")
        def _never(self) -> Strict:
            raise ValueError("a region is missing")

    monkeypatch.setattr(
        langchain.chat_models, "init_chat_model", lambda name, **given: Strict(api_key=given["api_key"])
    )
    with pytest.raises(ModelUnavailable, match="a region is missing") as caught:
        open_language_model(Settings(model="openai:tiny", model_key=KEY))
    assert KEY[-6:] not in "".join(traceback.format_exception(caught.value))


@pytest.mark.models
def test_the_store_holds_no_key(settings: Settings, bank: Bank, judge: EmbeddedJudge) -> None:
    with FaultyServer([], otherwise=good()) as server:
        opened = model(server, settings.home)
        interviews = Interviews(settings, bank=bank, judge=judge, sandbox=Sandbox(settings), model=lambda: opened)
        session = interviews.begin(Plan(only=("view-vs-reshape",)))
        session.reply("A view shares storage with its base.")
        server.then(*[status(401, body=json.dumps({"error": {"message": KEY}}))] * 9)
        session.reply("And reshape copies where it must.")
        assert server.requests
    files = [path for path in settings.home.rglob("*") if path.is_file()]
    assert files
    assert [path.name for path in files if KEY.encode() in path.read_bytes()] == []


class Connections:
    """What this process opens towards a network, as the interpreter itself tells."""

    def __init__(self) -> None:
        self.seen: list[str] = []
        self.watching = False
        sys.addaudithook(self._hear)  # stays until the process ends, and is deaf outside the test

    def _hear(self, event: str, args: tuple[Any, ...]) -> None:
        if not self.watching or not event.startswith("socket."):
            return
        if event in ("socket.getaddrinfo", "socket.gethostbyname", "socket.sendto"):
            self.seen.append(f"{event} {args}")
        if event in ("socket.connect", "socket.bind") and isinstance(args[1], tuple):
            self.seen.append(f"{event} {args[1]}")


@pytest.fixture(scope="module")
def interpreter() -> Connections:
    return Connections()


@pytest.fixture
def connections(interpreter: Connections) -> Iterator[list[str]]:
    interpreter.seen.clear()
    interpreter.watching = True
    yield interpreter.seen
    interpreter.watching = False


@pytest.mark.models
def test_with_no_model_named_a_turn_opens_no_connection(interviews: Interviews, connections: list[str]) -> None:
    session = interviews.begin(Plan(only=("view-vs-reshape",)))
    session.reply("A view shares storage with its base; reshape copies where it must.")
    session.reply("hint")
    session.reply("skip")
    assert connections == []


def test_the_watch_sees_a_connection(tmp_path: Path, connections: list[str]) -> None:
    with FaultyServer([], otherwise=good()) as server:
        model(server, tmp_path).turn().text(Purpose.VOICE, PROMPT)
    assert any(str(server.url.split(":")[-1].split("/")[0]) in seen for seen in connections if "connect" in seen)


def test_with_no_model_named_there_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", LOOKS_LIKE_A_KEY)
    settings = Settings(home=tmp_path)
    assert open_language_model(settings) is None
    assert LazyModel(settings)() is None
