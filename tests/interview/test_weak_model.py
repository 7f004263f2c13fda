"""A real and very weak language model, over a real server: the interview goes on, and nobody gains by its weakness.

`make soak` plays all hostile replies, the ordinary tests a sample of every kind.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml

from interviewer.bank.bank import Bank
from interviewer.embedding import Embedder
from interviewer.grading.judge import EmbeddedJudge
from interviewer.grading.panel import PanelJudge
from interviewer.grading.score import CREDIT
from interviewer.interview.experimenting import experiment
from interviewer.interview.session import Interviews
from interviewer.llm import LanguageModel, ModelFailed, open_language_model
from interviewer.llm.opening import SAMPLING
from interviewer.models import ModelCall, ModelFault, PartKind, Purpose, Value, Verdict
from interviewer.settings import Settings
from tests.interview.acting import CLAIM, QUESTION, REPLY, NoSandbox, Shelf
from tests.interview.tiny import ADDS, LAYERS, PLAN, QUESTIONS, SUM
from tests.llm.played import PROMPT

pytestmark = [pytest.mark.models, pytest.mark.long, pytest.mark.timeout(1800)]

ALL = bool(os.environ.get("INTERVIEWER_SOAK"))
MOST_TOKENS = 200  # an answer to a tiny question takes 160; what goes on is a loop, and would take a minute


class Hostile(Value):
    """See hostile.yaml."""

    kind: str
    reply: str
    right: bool = False
    sample: bool = False

    @property
    def whole(self) -> str:
        return f"{SUM}\n\n{self.reply}" if self.right else self.reply


HOSTILE = [
    Hostile.model_validate(each)
    for each in yaml.safe_load(Path(__file__).with_name("hostile.yaml").read_text(encoding="utf-8"))
]


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory, smollm: str) -> Settings:
    home = tmp_path_factory.mktemp("home")
    return Settings(home=home, model="openai:smollm", model_url=smollm, model_seconds=300, turn_seconds=900)


@pytest.fixture
def sent() -> list[dict[str, Any]]:
    """The bodies of all requests."""
    return []


@pytest.fixture
def model(settings: Settings, sent: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch) -> LanguageModel:
    async def note(request: httpx.Request) -> None:
        sent.append(json.loads(request.content))

    monkeypatch.setitem(SAMPLING, "max_tokens", MOST_TOKENS)
    monkeypatch.setitem(SAMPLING, "frequency_penalty", 0.3)  # without it every other answer is a loop
    opened = open_language_model(settings)
    assert opened
    opened.judge.chat.http_async_client.event_hooks = {"request": [note]}  # type: ignore[attr-defined]
    return opened


def answered(calls: list[ModelCall], *purposes: Purpose) -> list[ModelCall]:
    return [call for call in calls if call.purpose in purposes and call.fault is None]


def test_a_whole_interview_is_held(
    settings: Settings,
    embedder: Embedder,
    judge: EmbeddedJudge,
    model: LanguageModel,
    sent: list[dict[str, Any]],
) -> None:
    interviews = Interviews(
        settings,
        bank=Bank(settings, embedder, QUESTIONS),
        judge=judge,
        sandbox=NoSandbox(),
        model=lambda: model,
    )
    session, heard = interviews.begin(PLAN), list[str]()
    given = [SUM, "skip", LAYERS, "end"]
    said = []
    while not session.ended:
        said.append(session.reply(given.pop(0), on_text=heard.append))
    turns = interviews.open(session.id).turns()
    assert turns[2::2] == said, "what was answered is not what is kept"
    assert [turn.seq for turn in turns] == list(range(len(turns)))
    report = next(part.report for part in turns[-1].parts if part.kind is PartKind.REPORT)
    assert report and [each.question for each in report.answered] == [q.id for q in QUESTIONS]
    for each in report.answered:
        check_quotes(each.verdict, "\n".join(each.replies))
    calls = [call for turn in turns for call in turn.calls]
    assert answered(calls, Purpose.JUDGE), [call.fault for call in calls]
    assert Purpose.VOICE in {call.purpose for call in calls}  # so weak a voice may talk on until it is stopped
    assert sum(call.attempts for call in calls) == turns[-1].spent.calls == len(sent)
    assert all(call.tokens_in and call.tokens_out for call in calls if call.fault is None)
    assert all(body["stream"] for body in sent)
    for body, call in zip(sent, once(calls), strict=True):
        assert ("response_format" in body) is (call.purpose in (Purpose.JUDGE, Purpose.SECOND_LOOK)), call.purpose
        assert ("tools" in body) is (call.purpose is Purpose.EXPERIMENT), call.purpose
    spoken = [part.text for turn in said for part in turn.parts if part.kind in (PartKind.SAY, PartKind.FOLLOW_UP)]
    assert set(heard) <= set(spoken)


def once(calls: list[ModelCall]) -> list[ModelCall]:
    """One for each request."""
    return [call for call in calls for _ in range(call.attempts)]


def test_text_comes_in_pieces(model: LanguageModel) -> None:
    pieces: list[str] = []
    with suppress(ModelFailed):  # so weak a model talks on until it is stopped
        model.turn().text(Purpose.CHECK, PROMPT, pieces.append)
    assert len(pieces) > 10 and all(len(piece) < 40 for piece in pieces)


def test_tools_are_offered_and_whatever_comes_of_it_ends(model: LanguageModel, sent: list[dict[str, Any]]) -> None:
    turn = model.turn()
    shown = experiment(
        turn,
        bank=Shelf(),
        sandbox=NoSandbox(),
        question=QUESTION,
        reply=REPLY,
        claim=CLAIM,
        progress=lambda _: None,
    )
    assert shown is None
    assert turn.calls[0].purpose is Purpose.EXPERIMENT and turn.calls[0].fault in (None, ModelFault.ENDLESS)
    names = [tool["function"]["name"] for tool in sent[0]["tools"]]
    assert names == ["test_claim", "search_bank", "hint", "settle"]


def test_hostile_and_empty_replies_gain_nothing(settings: Settings, judge: EmbeddedJudge, model: LanguageModel) -> None:
    played = [each for each in HOSTILE if ALL or each.sample]
    calls: list[ModelCall] = []

    def graded(reply: str) -> Verdict:
        turn = LanguageModel(settings, model.judge, model.voice).turn()  # faults before leave it no rest
        verdict = PanelJudge(judge, turn).grade(ADDS, reply, references=ADDS.references)
        calls.extend(turn.calls)
        check_quotes(verdict, reply)
        return verdict

    honest = most(judge.grade(ADDS, SUM), graded(SUM))
    wrong = []
    for each in played:
        score = graded(each.whole).score or 0
        if score > (honest if each.right else 0):
            wrong.append(f"{each.kind}, {score}: {each.reply}")
    assert not wrong, "\n".join(wrong)
    assert 0 < honest < 5
    assert len(answered(calls, Purpose.JUDGE)) >= len(calls) / 2, [call.fault for call in calls]


def most(*verdicts: Verdict) -> float:
    """The model may be unable to answer, and then the embedded judge judges alone; nobody is to gain by that either."""
    return max(verdict.score or 0 for verdict in verdicts)


def check_quotes(verdict: Verdict, reply: str) -> None:
    for point in verdict.points:
        assert point.quote in reply
        assert point.quote or not CREDIT[point.verdict], f"{point.point} is {point.verdict} without a quote"
    for held in verdict.misconceptions:
        assert held.quote and held.quote in reply


def test_the_hostile_replies_are_of_many_kinds() -> None:
    sample = [each for each in HOSTILE if each.sample]
    assert len(HOSTILE) >= 60 and len(sample) >= 12
    assert {each.right for each in sample} == {True, False}
    assert len({each.reply for each in HOSTILE}) >= 58
