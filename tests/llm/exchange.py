"""One request to a language model's server and the ways to answer it, in the form of OpenAI's chat completions over HTTP."""

from __future__ import annotations

import json
import select
import socket
import struct
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, cast

ENDLESS_SECONDS = 60.0  # after which even an endless behaviour ends, so that no test leaves a thread behind
TICK = 0.02
JSON_HEADERS = {"Content-Type": "application/json"}
_ENVELOPE = {"id": "chatcmpl-1", "created": 1_700_000_000, "model": "faulty"}


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

    def whole(self, status: int, body: str | bytes, headers: Mapping[str, str] = JSON_HEADERS) -> None:
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
            readable, _, _ = select.select([self._connection], [], [], min(left, TICK))
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
