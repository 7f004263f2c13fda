"""Prompts and models tried on labelled replies, over real HTTP: figures follow from what the model says, and no answer is
asked for twice."""

from __future__ import annotations

import io
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr
from rich.console import Console

from eval.cases import Case, our_cases
from eval.commands.prompts import prompts, settings_for, tables
from eval.prompts import Pair, check_prompt, run, sample
from interviewer.bank.bank import Bank
from interviewer.bundled import bundled
from interviewer.embedding import Embedder
from interviewer.errors import UsageError
from interviewer.grading.guard import earning
from interviewer.grading.judge import EmbeddedJudge
from interviewer.house import House
from interviewer.interview.session import Interviews
from interviewer.llm import LazyModel, open_language_model
from interviewer.llm.cache import AnswerCache
from interviewer.models import Standing
from interviewer.sandbox import Sandbox
from interviewer.settings import Settings
from tests.llm.behaviours import gives, status
from tests.llm.exchange import Behaviour, Received
from tests.llm.faulty import FaultyServer

QUESTIONS = (
    "distributed-checkpoint",
    "custom-loss",
    "functional-vs-module",
    "forward-mode-func",
    "compile-graph-breaks",
)
STYLES = ("good", "half", "misconception")
CASES = [case for case in our_cases("dev") if case.question_id in QUESTIONS and case.style in STYLES]
SOME = CASES[::2]
FIGURES = ("overall", "points", "misconceptions", "opinion", "quotes", "beside_embedded", "rows")


def _first_words(case: Case) -> str:
    return earning(case.answer, case.question)[0].text[:300]


def _says(request: Received, standing_of: Callable[[Case, str], str], quote: Callable[[Case], str]) -> dict[str, Any]:
    case = max((c for c in CASES if c.answer in request.text), key=lambda c: len(c.answer))
    assert request.schema
    asked = request.schema["properties"]
    points = {name: standing_of(case, name) for name in asked["points"]["properties"]}
    held = asked.get("misconceptions", {"properties": {}})["properties"]
    return {
        "points": {n: {"verdict": s, "quote": "" if s == "missing" else quote(case)} for n, s in points.items()},
        "misconceptions": {n: {"held": n in case.misconceptions, "quote": quote(case)} for n in held},
        "claim": "",
    }


def like_the_labels(request: Received) -> dict[str, Any]:
    return _says(request, lambda case, point: case.points[point].value, _first_words)


def always_missing(request: Received) -> dict[str, Any]:
    said = _says(request, lambda _, __: "missing", _first_words)
    return said | {"misconceptions": {name: {"held": False, "quote": ""} for name in said["misconceptions"]}}


def with_invented_words(request: Received) -> dict[str, Any]:
    return _says(request, lambda _, __: "covered", lambda _: "nobody ever said these words")


@pytest.fixture
def house(settings: Settings, embedder: Embedder, bank: Bank, judge: EmbeddedJudge, interviews: Interviews) -> House:
    return House(settings, embedder, bank, judge, Sandbox(settings), interviews, LazyModel(settings))


@pytest.fixture
def tried(house: House, tmp_path: Path) -> Callable[..., dict[str, Any]]:
    """The figures of the first pair; the answers are kept for the length of a test."""

    def run_(server: FaultyServer, *names: str, cases: list[Case] = CASES, **values: Any) -> dict[str, Any]:
        opened = open_language_model(
            Settings(**{"model": "openai:any", "model_url": server.url, **values}),
            AnswerCache(tmp_path / "calls.sqlite3"),
        )
        assert opened
        pairs = [Pair(name, "any", opened, 3) for name in names or ("judge",)]
        return run(cases, house, pairs, 2, lambda _, __: lambda: None)

    return run_


def _figures(pair: Mapping[str, Any]) -> dict[str, Any]:
    return {name: pair[name] for name in FIGURES}


def test_a_second_run_makes_no_call_and_gives_the_same_figures(tried: Callable[..., dict[str, Any]]) -> None:
    with FaultyServer(otherwise=gives(like_the_labels)) as server:
        first, asked = tried(server, cases=SOME)["pairs"][0], len(server.requests)
        second = tried(server, cases=SOME)["pairs"][0]
        assert asked == first["use"]["requests"] >= len(SOME) and len(server.requests) == asked
    assert _figures(second) == _figures(first)
    assert (first["use"]["from_cache"], second["use"]["from_cache"], second["use"]["requests"]) == (0, 1, 0)
    for name in ("calls", "tokens_in", "tokens_out", "seconds", "median_seconds"):
        assert second["use"][name] == first["use"][name], name


def test_a_model_that_answers_like_the_labels_is_near_perfect(tried: Callable[..., dict[str, Any]]) -> None:
    with FaultyServer(otherwise=gives(like_the_labels)) as server:
        found = tried(server)
    [pair] = found["pairs"]
    assert pair["judged"] == pair["overall"]["n"] == len(CASES) and pair["unscored"] == 0
    assert pair["opinion"]["first"]["accuracy"] == 1 and pair["quotes"]["refused"] == 0
    assert all(row[true] == 1 for true, row in pair["opinion"]["says"].items())
    assert {true: row["said"] for true, row in pair["opinion"]["says_held"].items()} == {"held": 1, "not held": 0}
    assert pair["points"]["all"]["accuracy"] > max(0.9, found["embedded"]["points"]["all"]["accuracy"])
    assert pair["misconceptions"]["f1"] > 0.9
    better = pair["beside_embedded"]["differences"]
    assert better["pearson"]["difference"] > 0 > better["rmse"]["difference"] and better["rmse"]["interval"]


def test_a_model_that_always_says_missing_agrees_as_often_as_points_are_missing(
    tried: Callable[..., dict[str, Any]],
) -> None:
    with FaultyServer(otherwise=gives(always_missing)) as server:
        found = tried(server)
    [pair] = found["pairs"]
    first = pair["opinion"]["first"]
    labels = [standing for case in CASES for standing in case.points.values()]
    assert first["n"] == len(labels)
    assert first["accuracy"] == pytest.approx(labels.count(Standing.MISSING) / len(labels), abs=1e-3)
    assert first["classes"]["missing"]["recall"] == 1 and first["classes"]["covered"]["recall"] == 0
    assert all(row["missing"] == 1 for row in pair["opinion"]["says"].values())
    assert (pair["quotes"]["given"], pair["quotes"]["share"]) == (0, None)
    assert pair["looked_twice"] > 0 and pair["disagreed"] > 0


def test_invented_quotes_are_counted_and_earn_nothing(tried: Callable[..., dict[str, Any]]) -> None:
    with FaultyServer(otherwise=gives(with_invented_words)) as server:
        [pair] = tried(server, cases=SOME)["pairs"]
    assert pair["quotes"]["share"] == 1 and pair["quotes"]["given"] > len(SOME)
    assert all(row["missing"] == 1 for row in pair["opinion"]["says"].values())


def test_another_prompt_and_another_model_are_asked_anew(
    tried: Callable[..., dict[str, Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Path(shutil.copytree(bundled("prompts"), tmp_path / "prompts"))
    terse = (folder / "judge.md").read_text().replace("name: judge", "name: judge-terse")
    (folder / "judge-terse.md").write_text(terse.replace("How to read:", "Read so:"))
    monkeypatch.setattr("interviewer.prompts.bundled", lambda _: folder)
    some = CASES[:2]
    with FaultyServer(otherwise=gives(like_the_labels)) as server:
        pairs = tried(server, "judge", "judge-terse", cases=some)["pairs"]
        assert [pair["use"]["from_cache"] for pair in pairs] == [0, pytest.approx(0, abs=0.5)]
        assert sum("Read so:" in request.text for request in server.requests) == len(some)
        assert pairs[0]["digests"]["judge"] != pairs[1]["digests"]["judge-terse"]
        before = len(server.requests)
        assert tried(server, model="openai:other", cases=some)["pairs"][0]["use"]["from_cache"] == 0
        assert len(server.requests) > before


def test_a_reply_that_the_model_failed_on_is_left_out_with_its_reason_and_asked_for_again(
    tried: Callable[..., dict[str, Any]],
) -> None:
    def answers(request: Received) -> Behaviour:
        return status(400) if CASES[1].answer in request.text and broken else gives(like_the_labels)

    broken = True
    with FaultyServer(answers) as server:
        [pair] = tried(server, cases=CASES[:3])["pairs"]
        assert pair["unscored_because"] == {"The language model does not take this kind of request.": 1}
        assert pair["faults"] == {"request rejected": 1} and pair["overall"]["n"] == 2
        assert [row["given"] is None for row in pair["rows"]] == [False, True, False]
        assert pair["beside_embedded"]["left_out"]["unscored"] == 1
        broken, before = False, len(server.requests)
        [pair] = tried(server, cases=CASES[:3])["pairs"]
        assert pair["unscored"] == 0 and pair["faults"] == {}
        assert all(CASES[1].answer in request.text for request in server.requests[before:])


def test_the_limit_on_money_holds_for_all_replies_together(tried: Callable[..., dict[str, Any]]) -> None:
    with FaultyServer(otherwise=gives(like_the_labels)) as server:
        priced = {"model_price_in": 1e6, "model_price_out": 1e6, "session_dollars": 1.0}
        [pair] = tried(server, cases=SOME, **priced)["pairs"]
        assert 0 < len(server.requests) <= 6  # what was under way at a time, each with a second look
    assert pair["faults"]["budget used up"] >= len(SOME) - 3
    assert pair["unscored_because"].keys() == {"The language model was not asked, since a limit on its use is reached."}


def test_a_server_that_fails_is_given_pauses_and_then_left_alone(
    tried: Callable[..., dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("eval.trying.PAUSE", 0.1)
    monkeypatch.setattr("eval.trying.PAUSES", 1)
    with FaultyServer(otherwise=status(503)) as server:
        [pair] = tried(server, cases=SOME)["pairs"]
        assert set(pair["faults"]) == {"server error", "left alone after faults"}
        assert 2 * 8 <= len(server.requests) < 2 * len(SOME)
    with FaultyServer([status(503)] * 10, otherwise=gives(like_the_labels)) as server:
        [pair] = tried(server, cases=SOME)["pairs"]
        assert set(pair["faults"]) == {"server error"} and pair["overall"]["n"] >= len(SOME) - 5


def test_a_refused_key_is_not_tried_again_and_again(tried: Callable[..., dict[str, Any]]) -> None:
    with FaultyServer(otherwise=status(401)) as server:
        found = tried(server, cases=SOME)
        assert len(server.requests) <= 3
    [pair] = found["pairs"]
    assert "overall" not in pair and pair["unscored"] == len(SOME)
    assert set(pair["faults"]) == {"key refused", "left alone after faults"}
    for table in tables({"run": "made", **found}):
        Console(quiet=True).print(table)


def test_tables_fit_a_terminal(tried: Callable[..., dict[str, Any]]) -> None:
    with FaultyServer(otherwise=gives(like_the_labels)) as server:
        found = {"run": "made", **tried(server, cases=CASES[:3])}
    console = Console(width=80, record=True, file=io.StringIO())
    for table in tables(found):
        console.print(table)
    text = console.export_text()
    assert "…" not in text and all(len(line) <= 80 for line in text.splitlines())


def test_without_a_model_nothing_is_asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("INTERVIEWER_MODEL", raising=False)
    cases = tmp_path / "cases.jsonl"
    cases.write_text('{"question": "?", "answer": "!", "score": 1}\n')
    with pytest.raises(UsageError, match="--model") as refused:
        prompts([cases])
    assert refused.value.exit_code == 2


@pytest.mark.parametrize(("name", "said"), [("no-such", "There is no prompt"), ("second-look", "can't judge replies")])
def test_a_prompt_that_cant_judge_is_refused_before_anything_is_asked(name: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        check_prompt(name)


def test_a_key_goes_nowhere_but_to_the_provider_and_address_that_it_was_set_for() -> None:
    settings = Settings(
        model="openai:a",
        model_url="http://here:1/v1",
        model_key=SecretStr("k"),
        model_price_in=1.0,
        model_price_out=2.0,
    )
    same, sibling, elsewhere, other, own = (
        settings_for(label, settings)
        for label in ("openai:a", "openai:b@http://here:1/v1", "openai:a@http://there/v1", "anthropic:c", "openai:b")
    )
    assert (same.model, same.model_url, same.model_key, same.model_price_out) == (
        "openai:a",
        "http://here:1/v1",
        settings.model_key,
        2.0,
    )
    assert (sibling.model, sibling.model_key, sibling.model_price_in) == ("openai:b", settings.model_key, None)
    assert elsewhere.model_url == "http://there/v1"
    assert [s.model_key for s in (elsewhere, other, own)] == [None] * 3 and other.model_url is None


def test_a_name_that_is_none_is_refused() -> None:
    with pytest.raises(UsageError, match="provider:name"):
        settings_for("gpt", Settings())


def test_a_limit_on_money_needs_the_prices_of_the_model() -> None:
    settings = Settings(model="openai:a", model_price_in=1.0, model_price_out=1.0, session_dollars=1.0)
    assert settings_for("openai:a", settings).session_dollars == 1.0
    with pytest.raises(UsageError, match="SESSION_DOLLARS"):
        settings_for("openai:b", settings)


def test_a_sample_is_always_the_same_in_order_and_within_a_larger_one() -> None:
    cases = our_cases("dev")
    twenty, fifty = sample(cases, 20), sample(cases, 50)
    assert len(twenty) == 20 and twenty == sample(cases, 20)
    assert [c.id for c in fifty if c in twenty] == [c.id for c in twenty] and [c for c in cases if c in fifty] == fifty
    assert len({c.style for c in twenty}) > 4 and sample(cases, None) == cases
