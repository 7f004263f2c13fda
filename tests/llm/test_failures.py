"""Every fault of a server, through the whole door: named rightly, in time, and tried again only where that helps."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from interviewer.llm import model as llm_model
from interviewer.llm.failures import ModelFailed, failure_of, in_words
from interviewer.models import ModelFault
from tests.llm import behaviours
from tests.llm.asked import KINDS, LATE, Outcome, ask, model_at, outcome, outcomes, warm
from tests.llm.exchange import Behaviour
from tests.llm.faulty import FaultyServer

ONCE = dict.fromkeys(KINDS, 1)
TWICE = dict.fromkeys(KINDS, 2)
TEXT_ONCE = TWICE | {"text": 1}  # since something of it was handed over

SAID: dict[str, tuple[Behaviour, ModelFault, dict[str, int]]] = {
    "400": (behaviours.status(400), ModelFault.REJECTED, ONCE),
    "401": (behaviours.status(401), ModelFault.KEY, ONCE),
    "403": (behaviours.status(403), ModelFault.KEY, ONCE),
    "404": (behaviours.status(404), ModelFault.REJECTED, ONCE),
    "429": (behaviours.status(429), ModelFault.RATE_LIMITED, TWICE),
    "429, after what is no time": (behaviours.status(429, "soon"), ModelFault.RATE_LIMITED, TWICE),
    "500": (behaviours.status(500), ModelFault.SERVER, TWICE),
    "502 of a proxy": (behaviours.status(502, body="<html>Bad gateway</html>"), ModelFault.SERVER, TWICE),
    "503": (behaviours.status(503), ModelFault.SERVER, TWICE),
    "504": (behaviours.status(504), ModelFault.TIMEOUT, ONCE),
    "an error in the stream": (behaviours.error_in_stream(), ModelFault.SERVER, TWICE),
    "an error in the stream, after text": (behaviours.error_in_stream("Say"), ModelFault.SERVER, TEXT_ONCE),
    "a filter": (behaviours.filtered(), ModelFault.REFUSED, ONCE),
    "a filter, after text": (behaviours.filtered("Say"), ModelFault.REFUSED, ONCE),
}
OF_THE_CONNECTION: dict[str, tuple[Behaviour, ModelFault, dict[str, int]]] = {
    "closed before headers": (behaviours.hang_up(), ModelFault.CUT_OFF, TWICE),
    "reset before headers": (behaviours.reset_at_once(), ModelFault.CUT_OFF, TWICE),
    "no HTTP": (behaviours.not_http(), ModelFault.CUT_OFF, TWICE),
    "cut": (behaviours.cut(), ModelFault.CUT_OFF, TEXT_ONCE),
    "cut before text": (behaviours.cut(""), ModelFault.CUT_OFF, TWICE),
    "cut by a reset": (behaviours.cut(reset=True), ModelFault.CUT_OFF, TEXT_ONCE),
    "ended well, unfinished": (behaviours.cut(clean=True), ModelFault.CUT_OFF, TEXT_ONCE),
}
OF_THE_ANSWER: dict[str, tuple[Behaviour, ModelFault, dict[str, int]]] = {
    "empty": (behaviours.empty(), ModelFault.EMPTY, TWICE),
    "white space": (behaviours.blank(), ModelFault.EMPTY, TWICE),
    "no chunks": (behaviours.no_chunks(), ModelFault.MALFORMED, TWICE),
    "the limit on tokens": (behaviours.too_long(), ModelFault.ENDLESS, ONCE),
    "endless text": (behaviours.endless("and so on " * 20), ModelFault.ENDLESS, ONCE),
    "endless tool call": (behaviours.endless_call(), ModelFault.ENDLESS, ONCE),
    "a page": (behaviours.html_page(), ModelFault.MALFORMED, TWICE),
    "an event that is no JSON": (behaviours.invalid_stream(), ModelFault.MALFORMED, TWICE),
    "an event that is a list": (behaviours.invalid_stream("[1, 2]"), ModelFault.MALFORMED, TWICE),
    "an event that is a number": (behaviours.invalid_stream("17"), ModelFault.MALFORMED, TWICE),
    "no choices": (behaviours.invalid_stream('{"choices": null}'), ModelFault.EMPTY, TWICE),
    "no text at all": (behaviours.not_utf8(), ModelFault.MALFORMED, TWICE),
    "a tool call that is no JSON": (behaviours.calls("run_code", '{"code": "print('), ModelFault.MALFORMED, TWICE),
}
FAULTS = SAID | OF_THE_CONNECTION | OF_THE_ANSWER


@pytest.fixture(autouse=True, scope="module")
def warmed(tmp_path_factory: pytest.TempPathFactory) -> None:
    warm(tmp_path_factory.mktemp("home"))


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_has_its_name_and_is_tried_again_only_where_that_helps(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(llm_model, "_PAUSE", 0.05)
    behaviour, fault, requests = FAULTS[name]
    seconds = 4 if fault is ModelFault.TIMEOUT else 30  # a busy machine reads slowly
    with outcomes(behaviour, tmp_path, model_seconds=seconds) as asked:
        assert {each.kind: each.fault for each in asked} == dict.fromkeys(KINDS, fault)
        assert {each.kind: len(each.requests) for each in asked} == requests
        assert {each.kind: each.call.attempts for each in asked} == requests
        assert all(each.seconds < 4 + LATE for each in asked)


@pytest.mark.parametrize(
    ("behaviour", "fault", "requests"),
    [
        (behaviours.malformed(), ModelFault.MALFORMED, 2),
        (behaviours.says("no braces at all"), ModelFault.MALFORMED, 2),
        (behaviours.says('{"verdict": "covered"'), ModelFault.MALFORMED, 2),
        (behaviours.says('{"a":' * 4_000), ModelFault.MALFORMED, 2),
        (behaviours.wrong_schema(), ModelFault.MALFORMED, 2),
        (behaviours.gives(None), ModelFault.MALFORMED, 2),
        (behaviours.gives([]), ModelFault.MALFORMED, 2),
        (behaviours.gives({"verdict": "superb"}), ModelFault.MALFORMED, 2),
        (behaviours.calls("run_code", {"code": "1"}), ModelFault.MALFORMED, 2),
        (behaviours.refusal(), ModelFault.REFUSED, 1),
    ],
)
def test_data_of_another_form_are_asked_for_once_more_and_a_refusal_is_taken(
    behaviour: Behaviour, fault: ModelFault, requests: int, tmp_path: Path
) -> None:
    with FaultyServer(otherwise=behaviour) as server:
        asked = outcome(server, tmp_path, "data")
    assert (asked.fault, len(asked.requests)) == (fault, requests)


def test_text_that_is_only_calls_of_tools_nobody_offered_is_none(tmp_path: Path) -> None:
    with FaultyServer(otherwise=behaviours.calls("run_code", {"code": "1"})) as server:
        assert outcome(server, tmp_path, "text").fault is ModelFault.MALFORMED


@pytest.mark.parametrize("said", ['```json\n{"verdict": "covered"}\n```', 'Here it is: {"verdict": "covered"} Enjoy!'])
def test_json_may_have_something_around_it(said: str, tmp_path: Path) -> None:
    with FaultyServer([behaviours.says(said)]) as server:
        asked = outcome(server, tmp_path, "data")
    assert (asked.said, asked.call.attempts) == ("covered", 1)


@pytest.mark.parametrize("kind", KINDS)
def test_nobody_listens(kind: str, tmp_path: Path) -> None:
    with FaultyServer() as server:
        pass
    asked = outcome(server, tmp_path, kind)
    assert (asked.fault, asked.call.attempts) == (ModelFault.NETWORK, 2)


@pytest.mark.parametrize("name", ["cut", "an error in the stream, after text", "ended well, unfinished"])
def test_text_that_broke_off_was_handed_over_once(name: str, tmp_path: Path) -> None:
    with FaultyServer([FAULTS[name][0]]) as server:
        asked = outcome(server, tmp_path, "text")
    assert asked.fault and "".join(asked.heard) in ("Say more about", "Say")


def test_text_that_nobody_hears_is_tried_again(tmp_path: Path) -> None:
    with FaultyServer([behaviours.cut()]) as server:
        assert ask(model_at(server, tmp_path).turn(), "text") == "Say more about that."
    assert len(server.requests) == 2


@pytest.mark.parametrize("retry_after", [lambda: 1, lambda: behaviours.in_seconds(3)])  # a date loses up to a second
def test_a_server_that_names_a_time_is_tried_again_then(retry_after: Callable[[], Any], tmp_path: Path) -> None:
    with FaultyServer(
        [behaviours.status(429, retry_after())], otherwise=behaviours.good(data={"verdict": "covered"})
    ) as server:
        asked = outcome(server, tmp_path, "data", model_seconds=6)
    first, second = server.requests
    assert asked.said == "covered"
    assert 0.9 < second.at - first.at < 4


@pytest.mark.parametrize("retry_after", [lambda: 30, lambda: "1e400", lambda: behaviours.in_seconds(60)])
def test_a_time_after_the_deadline_is_not_waited_for_and_the_model_left_alone_till_then(
    retry_after: Callable[[], Any], tmp_path: Path
) -> None:
    with FaultyServer([behaviours.status(503, retry_after())]) as server:
        model = model_at(server, tmp_path)
        began = time.monotonic()
        for fault in (ModelFault.SERVER, ModelFault.RESTING):
            turn = model.turn()
            with pytest.raises(ModelFailed, match=fault.value):
                ask(turn, "text")
            assert turn.calls[0].fault is fault
    assert time.monotonic() - began < LATE
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "-7"}, 0.0),
        ({"retry-after": "nan"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 -0000"}, None),  # a date without a zone
        ({}, None),
        (None, None),
    ],
)
def test_when_to_come_again_is_read_from_what_was_sent(headers: Any, wait: float | None) -> None:
    error = Exception()
    error.response = SimpleNamespace(status_code=429, headers=headers)  # type: ignore[attr-defined]
    failure = failure_of(error)
    assert (failure.fault, failure.wait) == (ModelFault.RATE_LIMITED, wait)


def test_a_date_is_the_seconds_until_then() -> None:
    error = Exception()
    at = datetime.now(UTC) + timedelta(seconds=90)
    headers = {"retry-after": at.strftime("%a, %d %b %Y %H:%M:%S GMT")}
    error.response = SimpleNamespace(status_code=429, headers=headers)  # type: ignore[attr-defined]
    wait = failure_of(error).wait
    assert wait is not None and 85 < wait <= 90


@pytest.mark.parametrize(
    ("error", "fault"),
    [
        (httpx.ReadTimeout("x"), ModelFault.TIMEOUT),
        (TimeoutError(), ModelFault.TIMEOUT),
        (httpx.ConnectError("x"), ModelFault.NETWORK),
        (ConnectionResetError(), ModelFault.NETWORK),
        (httpx.RemoteProtocolError("x"), ModelFault.CUT_OFF),
        (RuntimeError("x"), ModelFault.BROKEN),
        (KeyError("x"), ModelFault.BROKEN),
    ],
)
def test_what_is_raised_is_named_by_its_class(error: Exception, fault: ModelFault) -> None:
    assert failure_of(error).fault is fault
    try:
        raise OSError("around it") from error
    except OSError as around:
        assert failure_of(around).fault is fault


def test_both_copies_of_the_http_client_are_known() -> None:
    """openai and anthropic bring httpx2, google-genai and ollama httpx; neither's classes are the other's."""
    copy = pytest.importorskip("httpx2")
    assert failure_of(copy.ConnectError("x")).fault is ModelFault.NETWORK
    assert failure_of(copy.ReadTimeout("x")).fault is ModelFault.TIMEOUT


def test_a_failure_says_nothing_of_what_was_sent_or_received(tmp_path: Path) -> None:
    body = '{"error": {"message": "your key sk-secret and your prompt You are tried out."}}'
    with (
        FaultyServer(otherwise=behaviours.status(400, body=body)) as server,
        pytest.raises(ModelFailed, match="HTTP 400") as raised,
    ):
        ask(model_at(server, tmp_path).turn(), "text")
    assert "sk-secret" not in str(raised.value) and raised.value.__cause__ is None


def test_every_fault_has_words_for_a_person() -> None:
    assert all(in_words(fault) for fault in ModelFault)


def test_a_good_answer_has_no_fault(tmp_path: Path) -> None:
    with outcomes(behaviours.good(data={"verdict": "covered"}), tmp_path) as asked:
        assert [each.said for each in asked] == ["covered", "Say more about that.", "Say more about that."]
        assert all(_took(each) == (None, 1, 100, 10, False) for each in asked)


def _took(asked: Outcome) -> tuple[Any, ...]:
    call = asked.call
    return call.fault, call.attempts, call.tokens_in, call.tokens_out, call.estimated
