"""What a FaultyServer can be told to do with a request.

``good``, ``says``, ``gives``, ``calls`` answer; ``slowly`` and ``in_pieces`` answer in another rhythm; all others are faults. A
behaviour is any function of an Exchange, so that a test can bring its own.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

from tests.llm.exchange import JSON_HEADERS, Answer, Behaviour, Exchange, Received, ToolCall

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
    headers = dict(JSON_HEADERS)
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
