"""Answers that were kept: used again for the same request alone, at no cost, and nothing else is kept. Over real HTTP."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, ToolMessage
from pydantic import SecretStr

from interviewer.errors import UsageError
from interviewer.llm import LanguageModel, ModelFailed, TurnModel, open_language_model
from interviewer.llm.cache import AnswerCache
from interviewer.llm.opening import open_judge, place_of
from interviewer.models import ModelFault, Purpose, Spent
from interviewer.settings import Settings
from tests.llm.behaviours import calls, gives, good, malformed, says, status
from tests.llm.faulty import FaultyServer
from tests.llm.played import DATA, PROMPT, run_code

KEY = "sk-of-nobody-0123456789"
COVERED = {"verdict": "covered"}

Open = Callable[..., LanguageModel]


@pytest.fixture
def server() -> Iterator[FaultyServer]:
    with FaultyServer(otherwise=good(data=COVERED)) as running:
        yield running


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "calls.sqlite3"


@pytest.fixture
def opened(server: FaultyServer, file: Path) -> Open:
    def open_(**values: Any) -> LanguageModel:
        given = {"model": "openai:any", "model_url": server.url, "model_key": SecretStr(KEY), **values}
        made = open_language_model(Settings(**given), AnswerCache(file))
        assert made
        return made

    return open_


def _asked(turn: TurnModel) -> Any:
    return turn.data(Purpose.JUDGE, DATA, lambda data: data["verdict"])


def test_the_same_request_is_answered_again_without_a_call_and_at_no_cost(server: FaultyServer, opened: Open) -> None:
    priced = {"model_price_in": 2.0, "model_price_out": 10.0}
    first, second = opened(**priced).turn(), opened(**priced).turn()
    assert _asked(first) == _asked(second) == "covered" and len(server.requests) == 1
    [paid], [free] = first.calls, second.calls
    assert (paid.cached, paid.attempts) == (False, 1) and paid.money and paid.tokens_in
    assert (free.cached, free.attempts, free.money, free.fault) == (True, 0, 0.0, None)
    assert (free.tokens_in, free.tokens_out, free.seconds) == (paid.tokens_in, paid.tokens_out, paid.seconds)
    assert Spent().plus(free) == Spent() != Spent().plus(paid)


def test_a_kept_answer_needs_no_budget(server: FaultyServer, opened: Open) -> None:
    _asked(opened().turn())
    nothing_left = opened(session_calls=1).turn(Spent(calls=1))
    assert _asked(nothing_left) == "covered" and len(server.requests) == 1


def test_without_a_cache_every_request_is_a_call(server: FaultyServer) -> None:
    house = open_language_model(Settings(model="openai:any", model_url=server.url))
    assert house
    for _ in range(2):
        _asked(house.turn())
    assert len(server.requests) == 2


def test_whatever_an_answer_depends_on_makes_another_request(server: FaultyServer, opened: Open) -> None:
    _asked(opened().turn())
    schema = {**DATA.schema_, "properties": {"verdict": {"enum": ["covered"]}}}  # type: ignore[dict-item]
    others: list[Callable[[], Any]] = [
        lambda: _asked(opened(model="openai:other").turn()),
        lambda: _asked(opened(model_url=server.url.replace("127.0.0.1", "localhost")).turn()),
        lambda: opened().turn().data(Purpose.JUDGE, DATA.model_copy(update={"user": "Say no."}), str),
        lambda: opened().turn().data(Purpose.JUDGE, DATA.model_copy(update={"system": "You rest."}), str),
        lambda: opened().turn().data(Purpose.JUDGE, DATA.model_copy(update={"schema_": schema}), str),
        lambda: opened().turn().text(Purpose.VOICE, PROMPT),
        lambda: opened().turn().message(Purpose.EXPERIMENT, PROMPT, [], [run_code]),
        lambda: opened().turn().message(Purpose.EXPERIMENT, PROMPT, [AIMessage("So far.")], [run_code]),
    ]
    for number, other in enumerate(others, start=2):
        other(), other()
        assert len(server.requests) == number


def test_a_key_a_price_or_a_limit_makes_no_other_request(server: FaultyServer, opened: Open) -> None:
    _asked(opened().turn())
    _asked(opened(model_key=SecretStr("another"), model_price_in=1.0, model_price_out=1.0, model_seconds=7).turn())
    assert len(server.requests) == 1


def test_a_fault_is_not_kept(server: FaultyServer, opened: Open) -> None:
    server.then(status(400), malformed(), malformed())
    for fault in (ModelFault.REJECTED, ModelFault.MALFORMED):
        with pytest.raises(ModelFailed) as failed:
            _asked(opened().turn())
        assert failed.value.fault is fault
    assert _asked(opened().turn()) == "covered" and len(server.requests) == 4


def test_of_two_attempts_the_accepted_answer_is_kept(server: FaultyServer, opened: Open) -> None:
    server.then(gives({"nothing": 1}))
    assert [_asked(opened().turn()) for _ in range(2)] == ["covered", "covered"]
    assert len(server.requests) == 2


def test_an_answer_that_is_no_longer_accepted_is_asked_for_anew(server: FaultyServer, opened: Open) -> None:
    server.then(gives({"verdict": "covered"}), gives({"verdict": "missing"}))

    def only_missing(data: Any) -> str:
        return {"missing": "missing"}[data["verdict"]]

    assert _asked(opened().turn()) == "covered"
    assert opened().turn().data(Purpose.JUDGE, DATA, only_missing) == "missing"
    assert _asked(opened().turn()) == "missing" and len(server.requests) == 2


def test_a_kept_text_is_handed_over_like_a_streamed_one(server: FaultyServer, opened: Open) -> None:
    server.then(says("And what frees it?"))
    heard: list[str] = []
    texts = [opened().turn().text(Purpose.VOICE, PROMPT, heard.append) for _ in range(2)]
    assert texts == ["And what frees it?"] * 2 and "".join(heard) == "And what frees it?" * 2


def test_an_agents_calls_are_kept_with_their_ids_so_that_what_follows_is_the_same_request(
    server: FaultyServer, opened: Open
) -> None:
    server.then(calls("run_code", {"code": "1"}), says("It prints 1."))
    for _ in range(2):
        turn = opened().turn()
        first = turn.message(Purpose.EXPERIMENT, PROMPT, [], [run_code])
        [call] = first.message.tool_calls
        assert (call["name"], call["args"]) == ("run_code", {"code": "1"})
        so_far = [first.message, ToolMessage("1", tool_call_id=call["id"])]
        assert turn.message(Purpose.EXPERIMENT, PROMPT, so_far, [run_code]).text == "It prints 1."
    assert len(server.requests) == 2


def test_neither_keys_nor_what_was_sent_are_in_the_file(opened: Open, file: Path) -> None:
    _asked(opened().turn())
    with sqlite3.connect(file) as db:
        rows = [" ".join(row) for row in db.execute("select * from kept")]
    assert len(rows) == 1
    assert all(text not in rows[0] for text in (KEY, DATA.system, DATA.user))


@pytest.mark.models
def test_another_file_of_the_same_name_is_another_model(smollm_file: Path, smollm: str, tmp_path: Path) -> None:
    file = tmp_path / "model.gguf"
    file.symlink_to(smollm_file)  # so that it is served already
    before = open_judge(Settings(model=f"gguf:{file}"))
    assert open_judge(Settings(model=f"gguf:{file}")).place == before.place
    file.unlink()
    file.write_bytes(b"other weights")
    assert place_of(f"gguf:{file}", None, before.chat) != before.place


def test_a_file_that_is_no_cache_is_left_as_it_is(file: Path) -> None:
    file.write_text("My notes, which are longer than a page of a database is at the least." * 20)
    with pytest.raises(UsageError, match="Move it away"):
        AnswerCache(file)
    assert file.read_text().startswith("My notes")
