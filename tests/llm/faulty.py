"""A language model's server that misbehaves as it is told: real HTTP on loopback, in the form of OpenAI's chat completions.

    with FaultyServer([status(503), silence()], otherwise=good()) as server:
        settings = Settings(home=home, model="openai:any", model_url=server.url)
        ...
    assert len(server.requests) == 2

Every request is played the next behaviour of the list, and ``otherwise`` once the list is used up; in place of a list stands
a function that is given the request and returns a behaviour. ``server.then(...)`` adds to the list while the server runs.

Behaviours are made by the functions below: ``good``, ``says``, ``gives``, ``calls`` answer; ``slowly`` and ``in_pieces`` answer
in another rhythm; all others are faults. A behaviour is any function of an Exchange, so that a test can bring its own.
Streams where the request asks for a stream, and answers in one piece where it doesn't.
"""

from __future__ import annotations

import json
import select
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from typing import Any, Self, cast

ENDLESS_SECONDS = 60.0  # after which even an endless behaviour ends, so that no test leaves a thread behind
_TICK = 0.02
_STATUS_HEADERS = {"Content-Type": "application/json"}


@dataclass
class Received:
    """A request. ``at``: time.monotonic() of its arrival. ``closed_at``: when the client was seen to hang up before all was
    sent to it, None where it didn't. ``headers``: with names in small letters. ``open``: the server is still at work on it."""

    number: int
    at: float
    headers: Mapping[str, str]
    body: Mapping[str, Any]
    closed_at: float | None = None
    open: bool = True
    _settled: threading.Condition = field(default_factory=threading.Condition, repr=False)

    @property
    def streams(self) -> bool:
        return bool(self.body.get("stream"))

    @property
    def schema(self) -> Mapping[str, Any] | None:
        """The JSON Schema that the answer is to have, None where text is asked for."""
        asked = self.body.get("response_format") or {}
        return cast("Mapping[str, Any] | None", asked.get("json_schema", {}).get("schema"))

    @property
    def tools(self) -> list[str]:
        return [tool["function"]["name"] for tool in self.body.get("tools", [])]

    @property
    def text(self) -> str:
        """All messages, one after the other."""
        return "\n".join(str(message.get("content") or "") for message in self.body.get("messages", []))

    @property
    def key(self) -> str:
        return self.headers.get("authorization", "").removeprefix("Bearer ")

    def ended(self, seconds: float = 2.0) -> bool:
        """Waits until the server is done with it; False where it still isn't after ``seconds``."""
        with self._settled:
            return self._settled.wait_for(lambda: not self.open, seconds)

    def _end(self) -> None:
        with self._settled:
            self.open = False
            self._settled.notify_all()


@dataclass(frozen=True)
class ToolCall:
    name: str
    arguments: str
    id: str | None = "call_1"


@dataclass(frozen=True)
class Answer:
    """``usage``: tokens in and out, None for a server that doesn't tell. ``pieces``: how many a stream cuts the text into.
    ``finish``: None for an answer that just stops."""

    text: str = ""
    tools: Sequence[ToolCall] = ()
    refusal: str | None = None
    finish: str | None = "stop"
    usage: tuple[int, int] | None = (100, 10)
    pieces: int = 4


class ClientGone(Exception):
    """The client has hung up; caught by the server."""


class Exchange:
    """One request and the way to answer it. All that is written goes out at once; raises ClientGone where nobody reads."""

    def __init__(self, request: Received, connection: socket.socket, stopping: threading.Event):
        self.request = request
        self.keep_alive = False
        self._connection = connection
        self._stopping = stopping
        self._spoke = False
        self._until = time.monotonic() + ENDLESS_SECONDS

    def head(self, status: int, headers: Mapping[str, str]) -> None:
        lines = [f"HTTP/1.1 {status} X", *(f"{name}: {value}" for name, value in headers.items()), "", ""]
        self.raw("\r\n".join(lines).encode())

    def whole(self, status: int, body: str | bytes, headers: Mapping[str, str] = _STATUS_HEADERS) -> None:
        """A complete response with its length; the connection can be used again."""
        sent = body.encode() if isinstance(body, str) else body
        self.head(status, {**headers, "Content-Length": str(len(sent))})
        self.raw(sent)
        self.keep_alive = True

    def begin_stream(self) -> None:
        self.head(200, {"Content-Type": "text/event-stream", "Transfer-Encoding": "chunked"})

    def piece(self, data: str | bytes) -> None:
        """Bytes of a stream that began."""
        sent = data.encode() if isinstance(data, str) else data
        self.raw(b"%x\r\n%s\r\n" % (len(sent), sent))

    def event(self, data: Any) -> None:
        self.piece(f"data: {data if isinstance(data, str) else json.dumps(data)}\n\n")

    def delta(self, finish: str | None = None, **delta: Any) -> None:
        if not self._spoke:
            delta["role"] = "assistant"
        self._spoke = True
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        self.event({**_ENVELOPE, "object": "chat.completion.chunk", "choices": [choice]})

    def end_stream(self) -> None:
        """Ends the body as HTTP wants it; says nothing of [DONE]."""
        self.raw(b"0\r\n\r\n")
        self.keep_alive = True

    def reset(self) -> None:
        """Closes the connection so that the client gets a reset and no end."""
        self._connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._connection.close()

    def raw(self, data: bytes) -> None:
        if self._stopping.is_set() or time.monotonic() > self._until:
            raise ClientGone
        try:
            self._connection.sendall(data)
        except OSError as error:
            self.request.closed_at = time.monotonic()
            raise ClientGone from error

    def wait(self, seconds: float) -> None:
        """Raises ClientGone as soon as the client hangs up, and when the server is stopped."""
        until = min(time.monotonic() + seconds, self._until)
        while (left := until - time.monotonic()) > 0:
            if self._stopping.is_set():
                raise ClientGone
            readable, _, _ = select.select([self._connection], [], [], min(left, _TICK))
            if readable and not self._peek():
                self.request.closed_at = time.monotonic()
                raise ClientGone

    def wait_until_closed(self) -> None:
        self.wait(ENDLESS_SECONDS)
        raise ClientGone

    def send(self, answer: Answer) -> None:
        """The whole answer, streamed where that was asked for."""
        if not self.request.streams:
            self.whole(200, json.dumps(_completion(answer)))
            return
        self.begin_stream()
        for start, end in _cuts(len(answer.text), answer.pieces):
            self.delta(content=answer.text[start:end])
        for index, call in enumerate(answer.tools):
            function = {"name": call.name, "arguments": ""}
            self.delta(tool_calls=[{"index": index, "id": call.id, "type": "function", "function": function}])
            for start, end in _cuts(len(call.arguments), answer.pieces):
                self.delta(tool_calls=[{"index": index, "function": {"arguments": call.arguments[start:end]}}])
        if answer.refusal is not None:
            self.delta(refusal=answer.refusal)
        if answer.finish is not None:
            self.delta(finish=answer.finish)
            self._usage(answer)
            self.event("[DONE]")
        self.end_stream()

    def _usage(self, answer: Answer) -> None:
        if answer.usage and self.request.body.get("stream_options", {}).get("include_usage"):
            self.event({**_ENVELOPE, "object": "chat.completion.chunk", "choices": [], "usage": _used(answer.usage)})

    def _peek(self) -> bytes:
        try:
            return self._connection.recv(1, socket.MSG_PEEK)
        except OSError:
            return b""


Behaviour = Callable[[Exchange], None]
Script = Iterable[Behaviour] | Callable[[Received], Behaviour]


class FaultyServer:
    """See the module. ``requests``: all that came so far, in order. Is a context manager: when it is left, nothing listens any
    more and every connection is closed."""

    def __init__(self, script: Script = (), otherwise: Behaviour | None = None):
        self.requests: list[Received] = []
        self._otherwise = otherwise or good()
        self._choose = script if callable(script) else None
        self._script = [] if callable(script) else list(script)
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._http = _Http(("127.0.0.1", 0), _Handler)
        self._http.play = self._play
        self._thread = threading.Thread(target=self._http.serve_forever, args=(_TICK,), daemon=True)

    @property
    def url(self) -> str:
        """What the setting model_url takes."""
        return f"http://127.0.0.1:{self._http.server_port}/v1"

    @property
    def connections(self) -> int:
        """How many were opened so far."""
        return self._http.connections

    def then(self, *behaviours: Behaviour) -> None:
        """Played after what is still to be played."""
        with self._lock:
            self._script += behaviours

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def _play(self, connection: socket.socket, headers: Mapping[str, str], body: Mapping[str, Any]) -> bool:
        """Whether the connection is to be kept."""
        with self._lock:
            request = Received(len(self.requests), time.monotonic(), headers, body)
            self.requests.append(request)
            behaviour = self._script.pop(0) if self._script else self._otherwise
        if self._choose:
            behaviour = self._choose(request)
        exchange = Exchange(request, connection, self._stopping)
        try:
            behaviour(exchange)
        except ClientGone:
            return False
        finally:
            request._end()
        return exchange.keep_alive and not self._stopping.is_set()


# Answers


def good(text: str = "Say more about that.", data: Any = None, usage: tuple[int, int] | None = (100, 10)) -> Behaviour:
    """What fits the request: ``data`` (a JSON value, a function of the request, or else the schema filled in) where a schema
    is asked for, ``text`` where none is."""

    def play(exchange: Exchange) -> None:
        schema = exchange.request.schema
        if schema is None:
            exchange.send(Answer(text, usage=usage))
        else:
            value = data(exchange.request) if callable(data) else data
            exchange.send(Answer(json.dumps(filled(schema) if value is None else value), usage=usage))

    return play


def says(text: str | Callable[[Received], str], finish: str | None = "stop", pieces: int = 4) -> Behaviour:
    """``text`` whatever was asked for."""
    return lambda exchange: exchange.send(
        Answer(text(exchange.request) if callable(text) else text, finish=finish, pieces=pieces)
    )


def gives(data: Any) -> Behaviour:
    """``data`` as JSON whatever was asked for; a function is given the request."""
    return says(lambda request: json.dumps(data(request) if callable(data) else data))


def calls(name: str, arguments: Mapping[str, Any] | str, id: str | None = "call_1") -> Behaviour:
    """A call of the tool ``name``; ``arguments`` as a text are sent as they are."""
    sent = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return lambda exchange: exchange.send(Answer(tools=[ToolCall(name, sent, id)], finish="tool_calls"))


def slowly(seconds: float, then: Behaviour | None = None) -> Behaviour:
    """Nothing for ``seconds``, then ``then`` (a good answer)."""

    def play(exchange: Exchange) -> None:
        exchange.wait(seconds)
        (then or good())(exchange)

    return play


def in_pieces(pieces: Sequence[str], every: float, then: Behaviour | None = None) -> Behaviour:
    """A stream of ``pieces``, one every so many seconds, and its end; ``then`` follows in place of the end."""

    def play(exchange: Exchange) -> None:
        exchange.begin_stream()
        for piece in pieces:
            exchange.delta(content=piece)
            exchange.wait(every)
        if then:
            then(exchange)
        else:
            exchange.delta(finish="stop")
            exchange.event("[DONE]")
            exchange.end_stream()

    return play


# Faults of the connection


def silence() -> Behaviour:
    """Takes the request and never answers."""
    return lambda exchange: exchange.wait_until_closed()


def trickle(every: float = 0.2, piece: str = ": still there\n\n") -> Behaviour:
    """A stream that never ends and never says anything, but always a little."""

    def play(exchange: Exchange) -> None:
        exchange.begin_stream()
        while True:
            exchange.piece(piece)
            exchange.wait(every)

    return play


def trickled_headers(every: float = 0.2) -> Behaviour:
    """Headers without an end, a byte at a time."""

    def play(exchange: Exchange) -> None:
        exchange.raw(b"HTTP/1.1 200 OK\r\nX-Long: ")
        while True:
            exchange.raw(b"x")
            exchange.wait(every)

    return play


def hang_up() -> Behaviour:
    """Closes the connection before any header."""
    return lambda exchange: None


def reset_at_once() -> Behaviour:
    return lambda exchange: exchange.reset()


def cut(text: str = "Say more about", reset: bool = False, clean: bool = False) -> Behaviour:
    """A stream that breaks off after ``text``: the connection is closed or ``reset``; ``clean``: the body ends as HTTP wants
    it, but nothing says that the answer is whole."""

    def play(exchange: Exchange) -> None:
        exchange.begin_stream()
        if text:
            exchange.delta(content=text)
        if reset:
            exchange.wait(0.05)  # else the reset overtakes what was sent
            exchange.reset()
        elif clean:
            exchange.end_stream()

    return play


# Faults that are said


def status(
    code: int, retry_after: float | datetime | str | None = None, body: str = '{"error": {"message": "no"}}'
) -> Behaviour:
    """An error of HTTP; ``retry_after``: the header of that name, seconds or a date."""
    headers = dict(_STATUS_HEADERS)
    if retry_after is not None:
        headers["Retry-After"] = (
            format_datetime(retry_after, usegmt=True) if isinstance(retry_after, datetime) else str(retry_after)
        )
    return lambda exchange: exchange.whole(code, body, headers)


def in_seconds(seconds: float) -> datetime:
    """A date for Retry-After. It has no fractions of a second."""
    return datetime.now(UTC) + timedelta(seconds=seconds)


def error_in_stream(text: str = "", error: Mapping[str, Any] | None = None) -> Behaviour:
    """A stream that begins well, with ``text``, and then holds an error in place of a chunk."""

    def play(exchange: Exchange) -> None:
        exchange.begin_stream()
        if text:
            exchange.delta(content=text)
        exchange.event({"error": error or {"message": "the engine died", "type": "server_error", "code": None}})
        exchange.end_stream()

    return play


def refusal(text: str = "I can't help with that.") -> Behaviour:
    """A refusal in the field of that name."""
    return lambda exchange: exchange.send(Answer(refusal=text))


def filtered(text: str = "") -> Behaviour:
    """Stopped by the provider's filter."""
    return says(text, finish="content_filter")


# Faults of the answer


def empty() -> Behaviour:
    return says("")


def blank() -> Behaviour:
    """White space alone."""
    return says(" \n\n ")


def no_chunks() -> Behaviour:
    """A stream of nothing but its end."""

    def play(exchange: Exchange) -> None:
        exchange.begin_stream()
        exchange.event("[DONE]")
        exchange.end_stream()

    return play


def malformed(text: str = '{"ready": tru, oh dear') -> Behaviour:
    """What is no JSON."""
    return says(text)


def wrong_schema() -> Behaviour:
    """JSON that nobody asked for."""
    return gives(["this", {"is": "not"}, 17])


def too_long(text: str = '{"ready": ') -> Behaviour:
    """Broken off by the limit on tokens."""
    return says(text, finish="length")


def endless(piece: str = "and so on ", every: float = 0.0) -> Behaviour:
    """Text without an end, as fast as it goes."""

    def play(exchange: Exchange) -> None:
        exchange.begin_stream()
        while True:
            exchange.delta(content=piece)
            if every:
                exchange.wait(every)

    return play


def endless_call(name: str = "run_python") -> Behaviour:
    """A tool call whose arguments have no end."""

    def play(exchange: Exchange) -> None:
        exchange.begin_stream()
        function = {"name": name, "arguments": '{"code": "'}
        exchange.delta(tool_calls=[{"index": 0, "id": "call_1", "type": "function", "function": function}])
        while True:
            exchange.delta(tool_calls=[{"index": 0, "function": {"arguments": "x = 1; " * 20}}])

    return play


def endless_nothing() -> Behaviour:
    """Chunks without text and without an end, as fast as it goes."""
    return endless(piece="")


def endless_line(megabytes: float | None = None) -> Behaviour:
    """One line of a stream: without an end, or of that size and then ended as a chunk of text should."""

    def play(exchange: Exchange) -> None:
        exchange.begin_stream()
        exchange.piece('data: {"id":"1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"')
        block, sent = "x" * 65_536, 0
        while megabytes is None or sent < megabytes * 1e6:
            exchange.piece(block)
            sent += len(block)
        exchange.piece('"}}]}\n\n')
        exchange.delta(finish="stop")
        exchange.event("[DONE]")
        exchange.end_stream()

    return play


def html_page() -> Behaviour:
    """The page of some proxy, with status 200."""
    page = "<!DOCTYPE html><html><body><h1>Please log in</h1></body></html>"
    return lambda exchange: exchange.whole(200, page, {"Content-Type": "text/html"})


def invalid_stream(event: str = '{"choices": [{"delta": ') -> Behaviour:
    """An event that is no JSON, or JSON that is no chunk, in a stream that ends well."""

    def play(exchange: Exchange) -> None:
        exchange.begin_stream()
        exchange.event(event)
        exchange.delta(finish="stop")
        exchange.event("[DONE]")
        exchange.end_stream()

    return play


def not_utf8() -> Behaviour:
    def play(exchange: Exchange) -> None:
        exchange.begin_stream()
        exchange.piece(b'data: {"choices": "\xff\xfe\x80"}\n\n')
        exchange.end_stream()

    return play


def not_http() -> Behaviour:
    return lambda exchange: exchange.raw(b"SSH-2.0-OpenSSH_9.6\r\n")


def filled(schema: Mapping[str, Any]) -> Any:
    """The plainest value that ``schema`` lets in."""
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][0]
    for name in ("anyOf", "oneOf"):
        if name in schema:
            return filled(schema[name][0])
    kind = schema.get("type", "string")
    kind = kind[0] if isinstance(kind, list) else kind
    if kind == "object":
        return {name: filled(inner) for name, inner in schema.get("properties", {}).items()}
    if kind == "array":
        return [filled(schema.get("items", {}))] * int(schema.get("minItems", 0))
    if kind in ("number", "integer"):
        return schema.get("minimum", 0)
    return {"boolean": True, "null": None, "string": "x" * int(schema.get("minLength", 0))}[kind]


_ENVELOPE = {"id": "chatcmpl-1", "created": 1_700_000_000, "model": "faulty"}


def _used(usage: tuple[int, int]) -> dict[str, int]:
    return {"prompt_tokens": usage[0], "completion_tokens": usage[1], "total_tokens": sum(usage)}


def _completion(answer: Answer) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": answer.text or None, "refusal": answer.refusal}
    if answer.tools:
        message["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in answer.tools
        ]
    choice = {"index": 0, "message": message, "finish_reason": answer.finish}
    usage = {"usage": _used(answer.usage)} if answer.usage else {}
    return {**_ENVELOPE, "object": "chat.completion", "choices": [choice], **usage}


def _cuts(length: int, pieces: int) -> list[tuple[int, int]]:
    marks = [length * index // pieces for index in range(pieces + 1)]
    return [(start, end) for start, end in pairwise(marks) if end > start]


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128
    connections = 0
    play: Callable[[socket.socket, Mapping[str, str], Mapping[str, Any]], bool]

    def process_request(self, request: Any, client_address: Any) -> None:
        self.connections += 1
        super().process_request(request, client_address)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that is gone is no news."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    timeout = ENDLESS_SECONDS

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"{}")
        if not self.path.endswith("/chat/completions"):
            self.send_error(404)
            return
        play = cast(_Http, self.server).play
        self.close_connection = not play(
            self.connection, {name.lower(): value for name, value in self.headers.items()}, body
        )

    def log_message(self, format: str, *args: Any) -> None:
        pass
