from __future__ import annotations

import time
from collections.abc import Callable

import httpx
import pytest
from langchain_core.messages import ToolMessage

from interviewer.llm import ModelFailed
from interviewer.llm.played import Answer, Message, Request, ToolCall
from interviewer.llm.scripted import ScriptedModel
from interviewer.models import ModelFault, Purpose
from interviewer.settings import Settings
from tests.llm.played import DATA, PROMPT, run_code, turn_of

LOOK = ToolCall(name="run_code", args={"code": "print(1)"})


def test_text_comes_word_by_word_and_whole(settings: Settings) -> None:
    pieces: list[str] = []
    turn = turn_of(ScriptedModel(answer=lambda _: Answer(text="What does\n  backward free?")), settings)
    assert turn.text(Purpose.VOICE, PROMPT, pieces.append) == "What does\n  backward free?"
    assert "".join(pieces) == "What does\n  backward free?"
    assert len(pieces) == 4


def test_data_come_as_they_were_given(settings: Settings) -> None:
    data = {"verdict": "covered"}
    turn = turn_of(ScriptedModel(answer=lambda _: Answer(data=data)), settings)
    assert turn.data(Purpose.JUDGE, DATA, lambda given: given) == data


def test_the_script_is_told_what_was_asked(settings: Settings) -> None:
    asked: list[Request] = []

    def answer(request: Request) -> Answer:
        asked.append(request)
        return Answer(data={"verdict": "missing"}) if request.answer_schema else Answer(text="no")

    turn = turn_of(ScriptedModel(answer=answer), settings)
    turn.data(Purpose.SECOND_LOOK, DATA, lambda given: given)
    turn.message(Purpose.EXPERIMENT, PROMPT, [], [run_code])
    data, agent = asked
    assert (data.purpose, data.prompt, data.version, data.digest) == ("second look", "example", 3, "0123456789ab")
    assert data.messages == (
        Message(role="system", content=PROMPT.system),
        Message(role="user", content=PROMPT.user),
    )
    assert data.answer_schema and data.answer_schema["properties"] == {"verdict": {"enum": ["covered", "missing"]}}
    assert agent.answer_schema is None
    assert [tool.name for tool in agent.tools] == ["run_code"]
    assert agent.tools[0].parameters["required"] == ["code"]


def test_an_agent_gets_calls_and_hands_back_what_they_came_to(settings: Settings) -> None:
    asked: list[Request] = []

    def answer(request: Request) -> Answer:
        asked.append(request)
        return Answer(text="It printed 1.") if request.messages[-1].role == "tool" else Answer(tool_calls=(LOOK,))

    turn = turn_of(ScriptedModel(answer=answer), settings)
    first = turn.message(Purpose.EXPERIMENT, PROMPT, [], [run_code]).message
    [call] = first.tool_calls
    assert (call["name"], call["args"]) == ("run_code", {"code": "print(1)"})
    result = ToolMessage("1", tool_call_id=call["id"])
    assert turn.message(Purpose.EXPERIMENT, PROMPT, [first, result], [run_code]).text == "It printed 1."
    assert asked[1].messages[2:] == (
        Message(role="assistant", content="", tool_calls=(LOOK,)),
        Message(role="tool", content="1"),
    )


def _raise(error: Exception) -> Answer:
    raise error


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (lambda: Answer(fault=ModelFault.REFUSED), ModelFault.REFUSED),
        (lambda: Answer(text="covered, I think"), ModelFault.MALFORMED),
        (lambda: Answer(data={"verdict": "perfect"}), ModelFault.MALFORMED),
        (lambda: Answer(text=""), ModelFault.EMPTY),
        (lambda: Answer(text="on and on " * 3000), ModelFault.ENDLESS),
        (lambda: _raise(httpx.ConnectError("")), ModelFault.NETWORK),
        (lambda: _raise(ZeroDivisionError()), ModelFault.BROKEN),
    ],
)
def test_what_goes_wrong_ends_as_with_any_model(
    settings: Settings, answer: Callable[[], Answer], fault: ModelFault
) -> None:
    def accept(data: dict[str, str]) -> str:
        return {"covered": "yes", "missing": "no"}[data["verdict"]]

    turn = turn_of(ScriptedModel(answer=lambda _: answer()), settings)
    with pytest.raises(ModelFailed) as failed:
        turn.data(Purpose.JUDGE, DATA, accept)
    assert failed.value.fault is fault


def test_a_script_that_dawdles_is_not_waited_for(settings: Settings) -> None:
    def answer(_: Request) -> Answer:
        time.sleep(1.5)
        return Answer(text="late")

    turn = turn_of(ScriptedModel(answer=answer), settings.model_copy(update={"model_seconds": 0.2}))
    began = time.monotonic()
    with pytest.raises(ModelFailed) as failed:
        turn.text(Purpose.VOICE, PROMPT)
    assert failed.value.fault is ModelFault.TIMEOUT
    assert time.monotonic() - began < 1


def test_it_answers_outside_an_interview_too() -> None:
    model = ScriptedModel(answer=lambda request: Answer(text=request.messages[0].content.upper()))
    assert model.invoke("hello").text == "HELLO"


@pytest.mark.parametrize(
    "given", [{}, {"text": "a", "data": 1}, {"tool_calls": []}, {"fault": None}, {"fault": "bored"}, {"words": "a"}]
)
def test_an_answer_is_exactly_one_thing(given: dict[str, object]) -> None:
    with pytest.raises(ValueError):
        Answer.model_validate(given)


def test_the_same_request_has_the_same_name_and_another_one_has_another() -> None:
    request = Request(
        purpose="second look", prompt="judge", version=1, digest="a", messages=(Message(role="user", content="Hm."),)
    )
    assert request.name.startswith("second-look-")
    assert request.model_copy(update={"version": 2, "digest": "b"}).name == request.name
    for change in (
        {"purpose": "judge"},
        {"messages": (Message(role="system", content="Hm."),)},
        {"answer_schema": {"type": "object"}},
    ):
        assert request.model_copy(update=change).name != request.name
