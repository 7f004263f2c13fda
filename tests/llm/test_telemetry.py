"""What a span of a call tells, and that it tells nothing that anybody wrote."""

from __future__ import annotations

import logging
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

from interviewer.llm import LanguageModel, ModelFailed, open_language_model
from interviewer.llm.telemetry import provider, span
from interviewer.models import ModelCall, ModelFault, Purpose
from interviewer.prompts import Rendered
from interviewer.settings import Settings
from tests.llm.behaviours import gives, good, says, status
from tests.llm.faulty import FaultyServer

SECRET = "correct horse battery staple"
PROMPT = Rendered(name="voice", version=3, digest="0123456789ab", system=f"System {SECRET}", user=f"User {SECRET}")
KEY = "sk-proj-0123456789abcdefghij"


@pytest.fixture(autouse=True)
def collector(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[str, bytes]]]:
    """(path, body) of what an OTLP receiver was sent, and a provider of its own for each test."""
    received: list[tuple[str, bytes]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            received.append((self.path, self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://127.0.0.1:{server.server_port}")
    provider.cache_clear()
    yield received
    if provider.cache_info().currsize and (spans := provider()):
        spans.shutdown()
    provider.cache_clear()
    server.shutdown()
    server.server_close()


@pytest.fixture
def kept() -> InMemorySpanExporter:
    """What the process's provider has finished."""
    exporter = InMemorySpanExporter()
    spans = provider()
    assert spans
    spans.add_span_processor(SimpleSpanProcessor(exporter))
    return exporter


def model(server: FaultyServer, home: Path, **settings: Any) -> LanguageModel:
    given = {
        "home": home,
        "model": "openai:tiny",
        "model_url": server.url,
        "model_key": KEY,
        "telemetry": True,
        **settings,
    }
    opened = open_language_model(Settings(**given))
    assert opened
    return opened


def test_a_call_is_a_client_span_in_the_conventions(tmp_path: Path, kept: InMemorySpanExporter) -> None:
    with FaultyServer([good("Go on.", usage=(120, 7))]) as server:
        assert model(server, tmp_path).turn().text(Purpose.VOICE, PROMPT) == "Go on."
    [finished] = kept.get_finished_spans()
    assert (finished.name, finished.kind, finished.status.status_code) == (
        "chat tiny",
        SpanKind.CLIENT,
        StatusCode.UNSET,
    )
    assert dict(finished.attributes or {}) == {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "openai",
        "gen_ai.request.model": "tiny",
        "gen_ai.usage.input_tokens": 120,
        "gen_ai.usage.output_tokens": 7,
        "interviewer.purpose": "voice",
        "interviewer.prompt.name": "voice",
        "interviewer.prompt.version": 3,
        "interviewer.prompt.digest": "0123456789ab",
        "interviewer.usage.estimated": False,
    }


@pytest.mark.parametrize(
    ("behaviour", "fault"),
    [
        (status(401, body=f'{{"error": {{"message": "{SECRET} {KEY}"}}}}'), ModelFault.KEY),
        (status(400, body=SECRET), ModelFault.REJECTED),
        (says(""), ModelFault.EMPTY),
    ],
)
def test_a_fault_leaves_its_kind_and_no_text(
    tmp_path: Path, kept: InMemorySpanExporter, behaviour: Any, fault: str
) -> None:
    with FaultyServer([], otherwise=behaviour) as server, pytest.raises(ModelFailed):
        model(server, tmp_path).turn().text(Purpose.VOICE, PROMPT)
    [finished] = kept.get_finished_spans()
    assert (finished.attributes or {})["error.type"] == fault
    assert (finished.status.status_code, finished.status.description) == (StatusCode.ERROR, None)
    assert finished.events == ()
    assert SECRET not in finished.to_json() and KEY not in finished.to_json()


def test_what_an_answer_is_refused_for_is_not_told(tmp_path: Path, kept: InMemorySpanExporter) -> None:
    schema = {"type": "object", "properties": {"said": {"type": "string"}}, "required": ["said"]}

    def refuse(data: Any) -> None:
        raise ValueError(data)

    with FaultyServer([], otherwise=gives({"said": SECRET})) as server, pytest.raises(ModelFailed):
        model(server, tmp_path).turn().data(Purpose.JUDGE, PROMPT.model_copy(update={"schema_": schema}), refuse)
    [finished] = kept.get_finished_spans()
    assert (finished.attributes or {})["error.type"] == ModelFault.MALFORMED
    assert SECRET not in finished.to_json()


def test_any_exception_passes_through_and_is_told_by_kind_alone(kept: InMemorySpanExporter, tmp_path: Path) -> None:
    call = ModelCall(
        purpose=Purpose.CHECK, model=f"gguf:{tmp_path}/small.gguf", prompt="check", version=1, digest="0" * 12
    )
    with pytest.raises(ZeroDivisionError), span(Settings(telemetry=True), call):
        raise ZeroDivisionError(SECRET)
    [finished] = kept.get_finished_spans()
    assert (finished.attributes or {})["error.type"] == ModelFault.BROKEN
    assert finished.name == "chat small.gguf"
    assert str(tmp_path) not in finished.to_json() and SECRET not in finished.to_json()


def test_spans_arrive_where_the_environment_says(tmp_path: Path, collector: list[tuple[str, bytes]]) -> None:
    with FaultyServer([], otherwise=good("Go on.")) as server:
        model(server, tmp_path).turn().text(Purpose.VOICE, PROMPT)
    spans = provider()
    assert spans and spans.force_flush(10_000)
    [(path, body)] = collector
    assert path == "/v1/traces"
    [resource] = ExportTraceServiceRequest.FromString(body).resource_spans
    names = {each.key: each.value.string_value for each in resource.resource.attributes}
    assert names["service.name"] == "pytorch-interviewer"
    assert [each.name for each in resource.scope_spans[0].spans] == ["chat tiny"]
    assert SECRET.encode() not in body and KEY.encode() not in body and b"Go on." not in body


def test_a_receiver_that_is_not_there_costs_no_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "0.2")  # seconds, for which the end of the process waits
    with FaultyServer([], otherwise=good("Go on.")) as server:
        assert model(server, tmp_path).turn().text(Purpose.VOICE, PROMPT) == "Go on."


def test_off_nothing_is_set_up(tmp_path: Path, collector: list[tuple[str, bytes]]) -> None:
    with FaultyServer([], otherwise=good("Go on.")) as server:
        model(server, tmp_path, telemetry=False).turn().text(Purpose.VOICE, PROMPT)
    assert provider.cache_info().currsize == 0
    assert collector == []


def test_off_no_exporter_is_loaded() -> None:
    script = (
        "import sys; from interviewer.llm.telemetry import span; from interviewer.models import *; "
        "from interviewer.settings import Settings\n"
        "with span(Settings(), ModelCall(purpose=Purpose.CHECK, model='a:b', prompt='p', version=1, digest='d')): pass\n"
        "sys.exit('opentelemetry.exporter' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


def test_without_the_package_one_warning_and_an_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.exporter.otlp.proto.http.trace_exporter", None)
    with caplog.at_level(logging.WARNING), FaultyServer([], otherwise=good("Go on.")) as server:
        opened = model(server, tmp_path)
        assert [opened.turn().text(Purpose.VOICE, PROMPT) for _ in range(2)] == ["Go on.", "Go on."]
    [warning] = [record.getMessage() for record in caplog.records]
    assert "pip install 'pytorch-interviewer[telemetry]'" in warning


def test_an_environment_that_cannot_be_used_costs_no_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("OTEL_BSP_MAX_QUEUE_SIZE", "-1")
    with FaultyServer([], otherwise=good("Go on.")) as server:
        assert model(server, tmp_path).turn().text(Purpose.VOICE, PROMPT) == "Go on."
    assert "OTEL_* can't be used" in caplog.text
