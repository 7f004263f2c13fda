"""A language model behind a server of ours, and the three ways of asking it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from interviewer.llm import LanguageModel, ModelFailed, TurnModel, open_language_model
from interviewer.models import ModelCall, ModelFault, Purpose
from interviewer.settings import Settings
from tests.llm.behaviours import good
from tests.llm.exchange import Behaviour, Received
from tests.llm.faulty import FaultyServer
from tests.llm.played import DATA, PROMPT, run_code

KINDS = ("data", "text", "message")
LATE = 2.0  # seconds that a busy machine may take beyond a deadline; whatever is waited for takes longer still


def model_at(server: FaultyServer, home: Path, **settings: Any) -> LanguageModel:
    given: dict[str, Any] = {
        "model": "openai:any",
        "model_url": server.url,
        "model_seconds": 2,
        "home": home,
    } | settings
    model = open_language_model(Settings(**given))
    assert model is not None
    return model


def warm(home: Path) -> None:
    """Asks in all three ways. The first such calls of a process import for seconds, which is no fault of a server."""
    with outcomes(good(data={"verdict": "covered"}), home, model_seconds=60) as asked:
        assert not any(each.fault for each in asked)


def covered(data: Any) -> str:
    if data["verdict"] != "covered":
        raise ValueError(data)
    return str(data["verdict"])


def ask(turn: TurnModel, kind: str, on_text: Callable[[str], None] | None = None) -> str:
    """What was answered, as text."""
    match kind:
        case "data":
            return turn.data(Purpose.JUDGE, DATA, covered)
        case "text":
            return turn.text(Purpose.VOICE, PROMPT, on_text)
        case _:
            said = turn.message(Purpose.EXPERIMENT, PROMPT, [], [run_code])
            return said.text or str(said.message.tool_calls)


@dataclass
class Outcome:
    """Of one question to one model. ``seconds``: until it was answered or given up; ``heard``: what on_text was handed."""

    kind: str
    call: ModelCall
    seconds: float
    said: str
    requests: list[Received]
    heard: list[str] = field(default_factory=list)

    @property
    def fault(self) -> ModelFault | None:
        return self.call.fault


def outcome(server: FaultyServer, home: Path, kind: str, **settings: Any) -> Outcome:
    turn, heard, said = model_at(server, home, **settings).turn(), list[str](), ""
    began = time.monotonic()
    try:
        said = ask(turn, kind, heard.append)
    except ModelFailed as failure:
        assert failure.fault is turn.calls[0].fault
    seconds = time.monotonic() - began
    [call] = turn.calls
    return Outcome(kind, call, seconds, said, server.requests, heard)


@contextmanager
def outcomes(behaviour: Behaviour, home: Path, **settings: Any) -> Iterator[list[Outcome]]:
    """Of the three ways of asking, at the same time, each of a server that always does ``behaviour``. The servers run on
    until the block is left."""
    with (
        FaultyServer(otherwise=behaviour) as data,
        FaultyServer(otherwise=behaviour) as text,
        FaultyServer(otherwise=behaviour) as message,
        ThreadPoolExecutor(3) as threads,
    ):
        yield list(
            threads.map(lambda server, kind: outcome(server, home, kind, **settings), (data, text, message), KINDS)
        )
