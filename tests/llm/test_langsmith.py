"""What LangSmith is shown where LANGSMITH_TRACING is on: nothing of an interview, and the model's calls as the model got them."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import langsmith
import langsmith.utils
import pytest
from langchain_core.tracers import langchain as langchain_tracer

from interviewer.bank.bank import Bank
from interviewer.grading.judge import EmbeddedJudge
from interviewer.interview.session import Interviews
from interviewer.llm import open_language_model
from interviewer.models import Plan
from interviewer.sandbox import Sandbox
from interviewer.settings import Settings
from tests.llm.behaviours import good
from tests.llm.faulty import FaultyServer

pytestmark = pytest.mark.models
REPLY = "I'm Ada Lovelace. A view shares its storage, said the zebra."


@pytest.fixture
def langsmith_server(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[bytes]]:
    """The bodies that came."""
    received: list[bytes] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            received.append(self.rfile.read(int(self.headers["Content-Length"])))
            self.answer(b"{}")

        def do_GET(self) -> None:
            self.answer(b"{}")

        def answer(self, body: bytes) -> None:
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    monkeypatch.setenv("LANGSMITH_TRACING", "true")
    monkeypatch.setenv("LANGSMITH_API_KEY", "any")
    monkeypatch.setenv("LANGSMITH_ENDPOINT", f"http://127.0.0.1:{server.server_port}")
    langsmith.utils.get_env_var.cache_clear()
    client = langsmith.Client(auto_batch_tracing=False)
    monkeypatch.setattr(langchain_tracer, "get_client", lambda: client)
    yield received
    monkeypatch.undo()
    langsmith.utils.get_env_var.cache_clear()
    server.shutdown()
    server.server_close()


def test_nothing_without_a_model(interviews: Interviews, langsmith_server: list[bytes]) -> None:
    interviews.begin(Plan(only=("view-vs-reshape",))).reply(REPLY)
    time.sleep(0.5)
    assert langsmith_server == []


def test_with_one_its_calls_as_it_got_them(
    settings: Settings, bank: Bank, judge: EmbeddedJudge, langsmith_server: list[bytes]
) -> None:
    with FaultyServer([], otherwise=good()) as server:
        model = open_language_model(
            Settings(home=settings.home, model="openai:tiny", model_url=server.url, redact=True)
        )
        interviews = Interviews(settings, bank=bank, judge=judge, sandbox=Sandbox(settings), model=lambda: model)
        interviews.begin(Plan(only=("view-vs-reshape",))).reply(REPLY)
    until = time.monotonic() + 10
    while not any(b"zebra" in body for body in langsmith_server) and time.monotonic() < until:
        time.sleep(0.05)
    assert any(b"I'm [name]. A view shares its storage, said the zebra." in body for body in langsmith_server)
    assert not any(b"Lovelace" in body for body in langsmith_server)
