"""Deadlines: nothing is awaited beyond them, and the connection is really closed."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from interviewer.llm import ModelFailed
from interviewer.llm import asking as llm_asking
from interviewer.llm.asking import run
from interviewer.models import ModelFault
from tests.llm import behaviours
from tests.llm.asked import KINDS, LATE, ask, model_at, outcome, outcomes, warm
from tests.llm.exchange import Answer, Behaviour, ToolCall
from tests.llm.faulty import FaultyServer

SECONDS = 2.5  # a busy machine takes more than one to connect
WITHOUT_END: dict[str, Behaviour] = {
    "silence": behaviours.silence(),
    "headers, byte by byte": behaviours.trickled_headers(),
    "comments": behaviours.trickle(),
    "single bytes": behaviours.trickle(every=0.05, piece=":"),
    "slow text": behaviours.endless(every=0.1),
    "chunks of nothing, fast": behaviours.endless_nothing(),
    "a line": behaviours.endless_line(),
    "slower than allowed": behaviours.slowly(5),
}


@pytest.fixture(autouse=True, scope="module")
def warmed(tmp_path_factory: pytest.TempPathFactory) -> None:
    warm(tmp_path_factory.mktemp("home"))


@pytest.mark.parametrize("name", WITHOUT_END)
def test_a_call_ends_at_its_deadline_and_the_server_sees_the_connection_close(name: str, tmp_path: Path) -> None:
    with outcomes(WITHOUT_END[name], tmp_path, model_seconds=SECONDS) as asked:
        assert [each.fault for each in asked] == [ModelFault.TIMEOUT] * 3
        for each in asked:
            assert each.seconds < SECONDS + LATE
            assert len(each.requests) == 1
            [request] = each.requests
            assert request.ended(LATE)
            assert request.closed_at is not None and request.closed_at - request.at < SECONDS + LATE


@pytest.mark.parametrize("behaviour", [behaviours.endless("and so on " * 20), behaviours.endless_call()])
def test_an_answer_without_end_is_cut_long_before_its_deadline(behaviour: Behaviour, tmp_path: Path) -> None:
    with outcomes(behaviour, tmp_path, model_seconds=20) as asked:
        for each in asked:
            assert each.fault is ModelFault.ENDLESS
            assert each.seconds < 10
            assert sum(map(len, each.heard)) <= llm_asking.MOST_CHARACTERS
            assert each.requests[0].ended(LATE)


def test_nothing_is_handed_over_once_the_call_has_ended(tmp_path: Path) -> None:
    heard: list[str] = []
    with FaultyServer(otherwise=behaviours.endless(every=0.02)) as server:
        with pytest.raises(ModelFailed):
            ask(model_at(server, tmp_path, model_seconds=0.5).turn(), "text", heard.append)
        count = len(heard)
        time.sleep(0.3)
    assert 0 < count == len(heard)


def test_pieces_are_handed_over_as_they_come_and_without_white_space_before_them(tmp_path: Path) -> None:
    at: list[tuple[str, float]] = []
    with FaultyServer([behaviours.in_pieces([" \n", " Say", " more", "."], every=0.15)]) as server:
        said = ask(model_at(server, tmp_path).turn(), "text", lambda piece: at.append((piece, time.monotonic())))
    assert said == "Say more."
    assert [piece for piece, _ in at] == ["Say", " more", "."]
    assert at[-1][1] - at[0][1] > 0.2


def test_a_listener_that_fails_ends_the_call_and_closes_the_connection(tmp_path: Path) -> None:
    def fail(_: str) -> None:
        raise RuntimeError("the page is gone")

    with FaultyServer(otherwise=behaviours.endless(every=0.05)) as server:
        with pytest.raises(ModelFailed) as raised:
            ask(model_at(server, tmp_path, model_seconds=10).turn(), "text", fail)
        assert server.requests[0].ended(LATE)
    assert raised.value.fault is ModelFault.BROKEN


def test_a_listener_that_blocks_holds_nobody_beyond_the_deadline(tmp_path: Path) -> None:
    released = threading.Event()

    def block(_: str) -> None:
        released.wait(10)

    with FaultyServer() as server:
        turn = model_at(server, tmp_path, model_seconds=0.5).turn()
        began = time.monotonic()
        try:
            with pytest.raises(ModelFailed, match="timeout"):
                ask(turn, "text", block)
            assert time.monotonic() - began < 0.5 + LATE
        finally:
            released.set()


def test_broken_brackets_of_a_tool_call_hold_up_nobody(tmp_path: Path) -> None:
    """LangChain mends such JSON in quadratic time, on the loop that all calls share."""
    brackets = behaviours.calls("run_code", "{" * 5_000)
    with FaultyServer(otherwise=brackets) as odd, FaultyServer() as well, ThreadPoolExecutor(2) as threads:
        first = threads.submit(outcome, odd, tmp_path, "message", model_seconds=1)
        time.sleep(0.1)
        second = threads.submit(outcome, well, tmp_path, "text", model_seconds=20)
        assert first.result().fault in (ModelFault.MALFORMED, ModelFault.TIMEOUT)
        assert first.result().seconds < 1 + LATE
        assert second.result().fault is None


def test_half_a_program_is_no_program(tmp_path: Path) -> None:
    with FaultyServer(otherwise=behaviours.calls("run_code", '{"code": "import shutil; shutil.rmtree(')) as server:
        assert outcome(server, tmp_path, "message").fault is ModelFault.MALFORMED


def test_a_program_that_the_limit_on_tokens_cut_is_not_asked_for_again(tmp_path: Path) -> None:
    cut = Answer(tools=[ToolCall("run_code", '{"code": "x = ')], finish="length")
    with FaultyServer(otherwise=lambda exchange: exchange.send(cut)) as server:
        asked = outcome(server, tmp_path, "message")
    assert (asked.fault, len(asked.requests)) == (ModelFault.ENDLESS, 1)


def test_a_call_without_an_id_gets_one(tmp_path: Path) -> None:
    with FaultyServer(otherwise=behaviours.calls("run_code", {"code": "1"}, id=None)) as server:
        assert "'id': 'call_0'" in outcome(server, tmp_path, "message").said


def test_connections_are_used_again_after_good_answers(tmp_path: Path) -> None:
    with FaultyServer() as server:
        model = model_at(server, tmp_path)
        for _ in range(5):
            ask(model.turn(), "text")
        assert server.connections == 1


@pytest.mark.parametrize("kind", KINDS)
def test_a_model_answers_again_after_each_fault(kind: str, tmp_path: Path) -> None:
    """No connection that was cut is used for the next request."""
    good = behaviours.good(data={"verdict": "covered"})
    with FaultyServer([behaviours.cut(reset=True), good, behaviours.not_http(), good], otherwise=good) as server:
        for _ in range(2):
            assert outcome(server, tmp_path, kind).call.attempts <= 2
        assert outcome(server, tmp_path, kind).fault is None


@pytest.fixture
def another_loop() -> Iterator[None]:
    """What is done to the loop in a test is not done to the next."""
    yield
    llm_asking._running = None


def test_work_that_holds_up_the_loop_is_given_up(another_loop: None) -> None:
    async def block() -> None:
        time.sleep(3)

    began = time.monotonic()
    with pytest.raises(ModelFailed) as raised:
        run(block(), 0.2)
    assert raised.value.fault is ModelFault.TIMEOUT
    assert time.monotonic() - began < 0.2 + LATE


def test_a_loop_that_died_is_replaced(another_loop: None) -> None:
    async def die() -> None:
        asyncio.get_running_loop().stop()

    with pytest.raises(ModelFailed):
        run(die(), 0.1)
    assert run(_answer(), 5) == 42


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks here")
def test_a_fork_has_a_loop_of_its_own() -> None:
    assert run(_answer(), 5) == 42
    child = os.fork()
    if child == 0:
        try:
            os._exit(run(_answer(), 5))
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 42


async def _answer() -> int:
    return 42
