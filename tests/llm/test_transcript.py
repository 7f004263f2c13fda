from __future__ import annotations

import json
import logging
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import ToolMessage

from interviewer.errors import ModelUnavailable
from interviewer.llm import ModelFailed, TurnModel, open_language_model
from interviewer.models import ModelFault, Purpose
from interviewer.settings import Settings
from tests.llm.played import DATA, PROMPT, run_code

Play = Callable[[dict[str, Any], Path], None]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "played"


@pytest.fixture
def turn(folder: Path) -> Callable[..., TurnModel]:
    """A turn of a process that was just started."""

    def begin(seconds: float = 20.0) -> TurnModel:
        opened = open_language_model(Settings(model=f"transcript:{folder}", model_seconds=seconds))
        assert opened
        return opened.turn()

    return begin


@contextmanager
def played(folder: Path, play: Play) -> Iterator[None]:
    """Somebody watches the folder and answers every request with ``play(request, file of the answer)``."""
    done = threading.Event()

    def watch() -> None:
        seen: set[Path] = set()
        while not done.wait(0.02):
            for path in set(folder.glob("*.request.json")) - seen:
                seen.add(path)
                request = json.loads(path.read_text("utf-8"))
                play(request, folder / request["answer_file"])

    player = threading.Thread(target=watch)
    player.start()
    try:
        yield
    finally:
        done.set()
        player.join()


def says(answer: Any) -> Play:
    return lambda _, file: file.write_text(json.dumps(answer), "utf-8") and None


def test_a_request_says_what_is_asked_and_how_to_answer(folder: Path, turn: Callable[..., TurnModel]) -> None:
    with played(folder, says({"data": {"verdict": "covered"}})):
        assert turn().data(Purpose.SECOND_LOOK, DATA, lambda data: data) == {"verdict": "covered"}
    [path] = folder.glob("*.request.json")
    request = json.loads(path.read_text("utf-8"))
    assert path.name == request["answer_file"].replace("answer", "request")
    assert path.name.startswith("second-look-")
    assert '{"data": ...}' in request["how"] and request["answer_file"] in request["how"]
    assert (request["purpose"], request["prompt"], request["version"], request["digest"]) == (
        "second look",
        "example",
        3,
        "0123456789ab",
    )
    assert request["messages"] == [
        {"role": "system", "content": PROMPT.system, "tool_calls": []},
        {"role": "user", "content": PROMPT.user, "tool_calls": []},
    ]
    assert request["tools"] == []
    assert request["answer_schema"]["properties"]["verdict"] == {"enum": ["covered", "missing"]}


def test_a_folder_of_answers_replays_without_anybody_and_is_left_as_it_was(
    folder: Path, turn: Callable[..., TurnModel]
) -> None:
    def converse(turn: TurnModel) -> str:
        first = turn.message(Purpose.EXPERIMENT, PROMPT, [], [run_code]).message
        result = ToolMessage("1", tool_call_id=first.tool_calls[0]["id"])
        return turn.message(Purpose.EXPERIMENT, PROMPT, [first, result], [run_code]).text

    def play(request: dict[str, Any], file: Path) -> None:
        call = {"tool_calls": [{"name": "run_code", "args": {"code": "print(1)"}}]}
        says({"text": "It printed 1."} if request["messages"][-1]["role"] == "tool" else call)(request, file)

    with played(folder, play):
        assert converse(turn()) == "It printed 1."
    for path in folder.glob("*.request.json"):
        path.unlink()
    left = sorted(folder.iterdir())
    assert len(left) == 2
    began = time.monotonic()
    assert converse(turn(seconds=1.0)) == "It printed 1."
    assert time.monotonic() - began < 1.0
    assert sorted(folder.iterdir()) == left


def test_an_answer_that_came_too_late_serves_the_next_time(folder: Path, turn: Callable[..., TurnModel]) -> None:
    with pytest.raises(ModelFailed) as failed:
        turn(seconds=0.3).text(Purpose.VOICE, PROMPT)
    assert failed.value.fault is ModelFault.TIMEOUT
    [path] = folder.iterdir()
    says({"text": "There."})({}, folder / json.loads(path.read_text("utf-8"))["answer_file"])
    assert turn().text(Purpose.VOICE, PROMPT) == "There."


def test_a_half_written_answer_is_waited_for(folder: Path, turn: Callable[..., TurnModel]) -> None:
    def slowly(_: dict[str, Any], file: Path) -> None:
        for part in ('{"text', '{"text": "as', '{"text": "asked"}'):
            file.write_text(part, "utf-8")
            time.sleep(0.3)

    with played(folder, slowly):
        assert turn().text(Purpose.VOICE, PROMPT) == "asked"


def test_a_byte_order_mark_does_no_harm(folder: Path, turn: Callable[..., TurnModel]) -> None:
    with played(folder, lambda _, file: file.write_text('{"text": "äußerst"}', "utf-8-sig") and None):
        assert turn().text(Purpose.VOICE, PROMPT) == "äußerst"


@pytest.mark.parametrize(
    ("content", "place"),
    [
        ('{"text": "SECRET"}', "data are asked for"),
        ('{"data": {"verdict": "SECRET"}}', "data.verdict: "),
        ('{"data": {"SECRET": 1}}', "data: "),
        ('{"tool_calls": [{"args": {}}]}', "tool_calls.0.name: "),
        ('{"data": 1, "text": "SECRET"}', "exactly one of"),
        ('{"fault": "SECRET"}', "fault: "),
        ('{"data":\n SECRET', "line 2, column 2: no JSON"),
    ],
)
def test_an_answer_of_the_wrong_form_fails_and_the_log_says_where(
    folder: Path, turn: Callable[..., TurnModel], caplog: pytest.LogCaptureFixture, content: str, place: str
) -> None:
    with (
        caplog.at_level(logging.WARNING),
        played(folder, lambda _, file: file.write_text(content, "utf-8") and None),
        pytest.raises(ModelFailed) as failed,
    ):
        turn().data(Purpose.JUDGE, DATA, lambda data: data)
    assert failed.value.fault is ModelFault.MALFORMED
    [said] = [record.getMessage() for record in caplog.records]
    assert place in said and ".answer.json" in said
    assert "SECRET" not in said


def test_faults_can_be_played(folder: Path, turn: Callable[..., TurnModel]) -> None:
    with played(folder, says({"fault": "refused"})), pytest.raises(ModelFailed) as failed:
        turn().data(Purpose.JUDGE, DATA, lambda data: data)
    assert failed.value.fault is ModelFault.REFUSED


def test_the_player_of_the_page_plays(folder: Path, turn: Callable[..., TurnModel]) -> None:
    page = (Path(__file__).parents[2] / "docs" / "models.md").read_text("utf-8")
    [code] = re.findall(r"^```python\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    folder.mkdir()
    with subprocess.Popen([sys.executable, "-c", code, folder]) as player:
        try:
            assert turn().text(Purpose.VOICE, PROMPT) == "Could you say more?"
            with pytest.raises(ModelFailed, match="refused"):
                turn().data(Purpose.JUDGE, DATA, lambda data: data)
        finally:
            player.kill()


def test_a_folder_that_cannot_be_had_is_said_at_once(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ModelUnavailable, match=r"transcript:DIR"):
        open_language_model(Settings(model=f"transcript:{tmp_path}/file/played"))
