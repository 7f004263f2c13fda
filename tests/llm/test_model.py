"""The door: what a turn and a session may use, when a model is left alone, and what is told of every call."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interviewer.llm import ModelFailed, TurnModel, open_language_model
from interviewer.llm import model as llm_model
from interviewer.models import ModelFault, Purpose, Spent
from interviewer.settings import Settings
from tests.llm import behaviours
from tests.llm.asked import KINDS, LATE, ask, model_at, warm
from tests.llm.exchange import Behaviour, Received
from tests.llm.faulty import FaultyServer
from tests.llm.played import PROMPT

GOOD = behaviours.good(data={"verdict": "covered"})


@pytest.fixture(autouse=True, scope="module")
def warmed(tmp_path_factory: pytest.TempPathFactory) -> None:
    warm(tmp_path_factory.mktemp("home"))


def fault_of(turn: TurnModel, kind: str = "text") -> ModelFault | None:
    try:
        ask(turn, kind)
    except ModelFailed as failure:
        assert turn.calls[-1].fault is failure.fault
        return failure.fault
    return None


def test_without_a_name_there_is_no_model(tmp_path: Path) -> None:
    assert open_language_model(Settings(home=tmp_path)) is None


# --- what may be used -----------------------------------------------------------------------------


def test_a_turn_makes_so_many_requests_with_its_retries_and_no_more(tmp_path: Path) -> None:
    with FaultyServer(otherwise=behaviours.status(500)) as server:
        turn = model_at(server, tmp_path, turn_calls=3).turn()
        assert [fault_of(turn) for _ in range(3)] == [ModelFault.SERVER, ModelFault.SERVER, ModelFault.BUDGET]
        assert len(server.requests) == 3
    assert [call.attempts for call in turn.calls] == [2, 1, 0]


def test_the_next_turn_may_ask_again_and_the_session_counts_them_all(tmp_path: Path) -> None:
    with FaultyServer([GOOD, GOOD], otherwise=behaviours.status(500)) as server:
        model = model_at(server, tmp_path, turn_calls=2, session_calls=3)
        first = model.turn()
        assert [fault_of(first) for _ in range(3)] == [None, None, ModelFault.BUDGET]
        spent = Spent()
        for call in first.calls:
            spent = spent.plus(call)
        second = model.turn(spent)
        assert fault_of(second) is ModelFault.SERVER
        assert second.calls[0].attempts == 1  # of the two that a fault may have
        assert fault_of(second) is ModelFault.BUDGET
    assert len(server.requests) == 3


@pytest.mark.parametrize("limit", ["turn_tokens", "session_tokens"])
def test_tokens_are_counted_as_the_server_says(limit: str, tmp_path: Path) -> None:
    with FaultyServer(otherwise=behaviours.good(usage=(300, 100))) as server:
        turn = model_at(server, tmp_path, **{limit: 800}).turn()
        assert [fault_of(turn) for _ in range(3)] == [None, None, ModelFault.BUDGET]
    assert len(server.requests) == 2


@pytest.mark.parametrize("limit", ["turn_tokens", "session_tokens"])
def test_what_is_too_long_for_the_budget_is_never_sent(limit: str, tmp_path: Path) -> None:
    with FaultyServer() as server:
        turn = model_at(server, tmp_path, **{limit: 1_000}).turn()
        with pytest.raises(ModelFailed, match="tokens"):
            turn.text(Purpose.VOICE, PROMPT.model_copy(update={"user": "x" * 8_000}))
    assert not server.requests


def test_an_answer_that_is_thrown_away_is_paid_for_too(tmp_path: Path) -> None:
    """Refused data, with all its attempts; and what was heard of an answer that had no end."""
    with FaultyServer([behaviours.gives({"verdict": "?"})] * 2, otherwise=behaviours.endless("x" * 1_000)) as server:
        turn = model_at(server, tmp_path, model_price_in=1, model_price_out=10).turn()
        assert fault_of(turn, "data") is ModelFault.MALFORMED
        assert fault_of(turn, "text") is ModelFault.ENDLESS
    malformed, endless = turn.calls
    assert (malformed.tokens_in, malformed.tokens_out, malformed.estimated) == (200, 20, False)
    assert malformed.money == pytest.approx((200 * 1 + 20 * 10) / 1e6)
    assert endless.estimated and endless.tokens_out > 5_000
    assert endless.money is not None and endless.money > 0.05


def test_a_retry_is_not_made_with_tokens_that_are_used_up(tmp_path: Path) -> None:
    with FaultyServer(otherwise=behaviours.gives({"verdict": "?"})) as server:
        assert fault_of(model_at(server, tmp_path, turn_tokens=110).turn(), "data") is ModelFault.MALFORMED
    assert len(server.requests) == 1


def test_money_is_spent_up_to_its_limit(tmp_path: Path) -> None:
    with FaultyServer(otherwise=behaviours.good(usage=(1_000, 1_000))) as server:
        prices: dict[str, Any] = {"model_price_in": 100, "model_price_out": 400, "session_dollars": 0.9}
        model = model_at(server, tmp_path, **prices)
        turn = model.turn(Spent(money=0.2))
        assert [fault_of(turn) for _ in range(3)] == [None, None, ModelFault.BUDGET]
    assert [call.money for call in turn.calls] == [pytest.approx(0.5), pytest.approx(0.5), None]


def test_the_seconds_of_a_turn_hold_for_all_its_calls_together(tmp_path: Path) -> None:
    with FaultyServer(otherwise=behaviours.silence()) as server:
        turn = model_at(server, tmp_path, model_seconds=1, turn_seconds=1.5).turn()
        began = time.monotonic()
        assert [fault_of(turn) for _ in range(3)] == [ModelFault.TIMEOUT, ModelFault.TIMEOUT, ModelFault.BUDGET]
        assert time.monotonic() - began < 1.5 + LATE
    assert len(server.requests) == 2


def test_what_else_a_turn_does_takes_nothing_from_the_seconds_of_its_calls(tmp_path: Path) -> None:
    """Loading the judge, or running code, on a slow machine."""
    with FaultyServer() as server:
        turn = model_at(server, tmp_path, model_seconds=1, turn_seconds=1).turn()
        time.sleep(1.2)
        assert fault_of(turn) is None


def test_a_limit_breaks_nothing_that_comes_before_it(tmp_path: Path) -> None:
    """Refused without being sent: told of, and no failure of the model."""
    with FaultyServer() as server:
        model = model_at(server, tmp_path, turn_calls=1)
        for _ in range(4):
            turn = model.turn()
            assert [fault_of(turn), fault_of(turn)] == [None, ModelFault.BUDGET]
    assert len(server.requests) == 4


@settings(max_examples=12, deadline=None)
@given(
    st.lists(st.sampled_from(["good", "500", "cut", "?", "429", "refused"]), max_size=8),
    st.integers(1, 6),
    st.integers(1, 8),
)
def test_whatever_a_server_does_no_budget_is_broken(
    tmp_path_factory: pytest.TempPathFactory, played: list[str], turn_calls: int, session_calls: int
) -> None:
    plays = {
        "good": GOOD,
        "500": behaviours.status(500, 0),
        "cut": behaviours.cut(),
        "?": behaviours.gives({"verdict": "?"}),
        "429": behaviours.status(429, 0),
        "refused": behaviours.refusal(),
    }
    with (
        FaultyServer([plays[name] for name in played], otherwise=GOOD) as server,
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr(llm_model, "_PAUSE", 0.01)
        home = tmp_path_factory.mktemp("home")
        model, spent = model_at(server, home, turn_calls=turn_calls, session_calls=session_calls), Spent()
        for _ in range(3):
            before, turn = len(server.requests), model.turn(spent)
            for kind in KINDS:
                fault_of(turn, kind)
            assert len(server.requests) - before == sum(call.attempts for call in turn.calls) <= turn_calls
            for call in turn.calls:
                spent = spent.plus(call)
        assert len(server.requests) == spent.calls <= session_calls


# --- left alone -----------------------------------------------------------------------------------


def test_after_three_failures_in_a_row_the_model_is_left_alone_and_comes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(llm_model, "_LEFT_ALONE_ELSE", 0.8)
    with FaultyServer([behaviours.filtered(), behaviours.filtered(), GOOD] + [behaviours.filtered()] * 3) as server:
        model = model_at(server, tmp_path)
        refused = [ModelFault.REFUSED]
        assert [fault_of(model.turn()) for _ in range(6)] == [*refused * 2, None, *refused * 3]
        assert [fault_of(model.turn(), kind) for kind in KINDS] == [ModelFault.RESTING] * 3
        assert len(server.requests) == 6
        assert model.resting(model.name)
        time.sleep(0.9)
        assert fault_of(model.turn()) is None
        server.then(behaviours.filtered())
        assert [fault_of(model.turn()) for _ in range(2)] == [*refused, None]  # it began to count anew


def test_one_failure_more_is_enough_where_it_was_left_alone_and_still_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(llm_model, "_LEFT_ALONE_ELSE", 0.5)
    with FaultyServer(otherwise=behaviours.filtered()) as server:
        model = model_at(server, tmp_path)
        for _ in range(3):
            fault_of(model.turn())
        time.sleep(0.6)
        assert [fault_of(model.turn()) for _ in range(2)] == [ModelFault.REFUSED, ModelFault.RESTING]
    assert len(server.requests) == 4


@pytest.mark.parametrize(("code", "fault"), [(401, ModelFault.KEY), (404, ModelFault.REJECTED)])
def test_a_key_or_a_request_that_is_refused_is_not_shown_again_at_once(
    code: int, fault: ModelFault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(llm_model, "_LEFT_ALONE", {fault: 0.5})
    with FaultyServer([behaviours.status(code)]) as server:
        model = model_at(server, tmp_path, model_key="sk-first")
        assert [fault_of(model.turn()) for _ in range(2)] == [fault, ModelFault.RESTING]
        time.sleep(0.6)
        assert fault_of(model.turn()) is None
    assert [request.key for request in server.requests] == ["sk-first", "sk-first"]


def test_a_voice_that_fails_leaves_the_judge_at_work(tmp_path: Path) -> None:
    with FaultyServer(otherwise=behaviours.status(401)) as voice, FaultyServer(otherwise=GOOD) as judge:
        model = model_at(judge, tmp_path, voice_model="openai:other", voice_url=voice.url, voice_key="sk-voice")
        turn = model.turn()
        faults = [fault_of(turn, kind) for kind in ("text", "data", "text", "message")]
    assert faults == [ModelFault.KEY, None, ModelFault.RESTING, None]
    assert [request.key for request in voice.requests] == ["sk-voice"]
    assert [call.model for call in turn.calls] == ["openai:other", "openai:any", "openai:other", "openai:any"]


# --- told of --------------------------------------------------------------------------------------


def test_every_call_is_told_of_answered_or_not(tmp_path: Path) -> None:
    plays = [GOOD, behaviours.status(503), GOOD, behaviours.refusal(), behaviours.calls("run_code", {"code": "1"})]
    with FaultyServer(plays, otherwise=behaviours.good(usage=None)) as server:
        turn = model_at(server, tmp_path, model_seconds=4).turn()
        faults = [fault_of(turn, kind) for kind in ("text", "data", "data", "message", "text")]
    assert faults == [None, None, ModelFault.REFUSED, None, None]
    assert [call.fault for call in turn.calls] == faults
    assert [call.purpose for call in turn.calls] == [
        Purpose.VOICE,
        Purpose.JUDGE,
        Purpose.JUDGE,
        Purpose.EXPERIMENT,
        Purpose.VOICE,
    ]
    assert [call.attempts for call in turn.calls] == [1, 2, 1, 1, 1]
    assert [call.estimated for call in turn.calls] == [False, True, False, False, True]
    assert all((call.prompt, call.version, call.digest) == ("example", 3, "0123456789ab") for call in turn.calls)
    assert all(call.tokens_in >= 1 and call.money is None for call in turn.calls)
    assert 0.3 < turn.calls[1].seconds < 4


def test_tokens_that_the_server_does_not_tell_are_estimated_of_both_sides(tmp_path: Path) -> None:
    with FaultyServer(otherwise=behaviours.good(text="word " * 80, usage=None)) as server:
        turn = model_at(server, tmp_path).turn()
        turn.text(Purpose.VOICE, PROMPT.model_copy(update={"system": "s" * 200, "user": "u" * 200}))
    [call] = turn.calls
    assert call.estimated and call.tokens_in == 100 and 95 <= call.tokens_out <= 101


def test_what_is_sent_is_the_prompt_its_schema_and_the_tools_and_nothing_else(tmp_path: Path) -> None:
    with FaultyServer(otherwise=GOOD) as server:
        turn = model_at(server, tmp_path).turn()
        for kind in KINDS:
            ask(turn, kind)
    data, text, message = server.requests
    for request in server.requests:
        assert [(each["role"], each["content"]) for each in request.body["messages"]] == [
            ("system", PROMPT.system),
            ("user", PROMPT.user),
        ]
        assert request.streams and request.key == "none"
        assert request.body.get("max_tokens", request.body.get("max_completion_tokens")) == 1_500
    assert data.schema and data.schema["properties"] == {"verdict": {"enum": ["covered", "missing"]}}
    assert (text.schema, text.tools) == (None, [])
    assert message.tools == ["run_code"]


# --- several at once ------------------------------------------------------------------------------


def test_many_threads_at_once_get_their_own_answers_and_calls(tmp_path: Path) -> None:
    def echo(request: Received) -> Behaviour:
        return behaviours.slowly(0.05 * (request.number % 3), behaviours.says(request.body["messages"][-1]["content"]))

    with FaultyServer(echo) as server:
        model = model_at(server, tmp_path, model_seconds=20)

        def ask_one(number: int) -> None:
            turn, heard = model.turn(), list[str]()
            for each in range(3):
                wanted = f"session {number}, question {each}: {'#' * (number + 1)}"
                prompt = PROMPT.model_copy(update={"user": wanted})
                assert turn.text(Purpose.VOICE, prompt, heard.append) == wanted
                assert "".join(heard) == wanted
                heard.clear()
            assert [call.fault for call in turn.calls] == [None] * 3

        with ThreadPoolExecutor(8) as threads:
            list(threads.map(ask_one, range(8)))
    assert len(server.requests) == 24


def test_one_that_waits_holds_up_no_other(tmp_path: Path) -> None:
    def first_waits(request: Received) -> Behaviour:
        return behaviours.silence() if "wait" in request.text else GOOD

    with FaultyServer(first_waits) as server:
        model = model_at(server, tmp_path, model_seconds=2)
        waiting = PROMPT.model_copy(update={"user": "wait"})
        with ThreadPoolExecutor(3) as threads:
            calls = [threads.submit(model.turn().text, Purpose.VOICE, waiting) for _ in range(3)]
            began = time.monotonic()
            assert fault_of(model.turn()) is None
            assert time.monotonic() - began < 1
            assert all(isinstance(call.exception(), ModelFailed) for call in calls)


def test_faults_of_many_threads_are_counted_and_the_rest_is_spared(tmp_path: Path) -> None:
    with FaultyServer(otherwise=behaviours.status(404)) as server:
        model = model_at(server, tmp_path, model_seconds=20)
        with ThreadPoolExecutor(8) as threads:
            faults = list(threads.map(lambda _: fault_of(model.turn()), range(24)))
    assert set(faults) <= {ModelFault.REJECTED, ModelFault.RESTING}
    assert len(server.requests) == faults.count(ModelFault.REJECTED) <= 8
