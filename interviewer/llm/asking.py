"""One request to a chat model, on one event loop for the whole process, so that a deadline closes the connection.

Promises that nothing is awaited beyond the deadline, whoever is at fault, and that no answer grows beyond MOST_CHARACTERS.
Does not try again.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import json
import threading
from collections.abc import Callable, Coroutine, Sequence
from contextlib import aclosing, suppress
from functools import reduce
from typing import Any, TypeVar

from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, message_chunk_to_message
from langchain_core.messages.ai import add_ai_message_chunks, add_usage
from langchain_core.runnables import Runnable, RunnableConfig

from interviewer.llm.failures import ModelFailed, Took, failure_of
from interviewer.models import ModelFault, Value

MOST_CHARACTERS = 24_000
# LangChain repairs JSON of tool calls in quadratic time, on the loop: 24,000 brackets take it half a minute.
MOST_OF_CALLS = 8_000
_CHARACTERS_A_TOKEN = 4
_GRACE = 0.3  # seconds that the loop may be late
_ENDS = ("finish_reason", "stop_reason", "done_reason")
_TOO_LONG = frozenset({"length", "max_tokens", "model_length"})
_DECLINED = frozenset({"content_filter", "refusal", "safety", "prohibited_content", "blocklist", "recitation"})
# What providers' libraries stumble over where a server's answer has another form than they think.
_STUMBLES = (LookupError, AttributeError, TypeError, ValueError, AssertionError, RecursionError)

T = TypeVar("T")


class Said(Value):
    """An answer. ``estimated``: tokens are counted from characters."""

    text: str
    message: AIMessage
    tokens_in: int
    tokens_out: int
    estimated: bool

    @property
    def took(self) -> Took:
        return Took(self.tokens_in, self.tokens_out, self.estimated)


async def ask(
    model: Runnable[Any, Any],
    messages: Sequence[BaseMessage],
    config: RunnableConfig,
    seconds: float,
    on_text: Callable[[str], None] = lambda _: None,
) -> Said:
    """The whole answer of ``model``, which gives message chunks; its text is handed to ``on_text`` as it comes. Raises
    ModelFailed."""
    heard = _Heard(on_text)
    try:
        async with asyncio.timeout(seconds):
            await heard.listen(model, messages, config)
        return heard.said(messages)
    except Exception as error:
        failure = failure_of(error)
        if failure.fault is ModelFault.BROKEN and isinstance(error, _STUMBLES):
            failure = ModelFailed(ModelFault.MALFORMED, type(error).__name__)
        failure.took = failure.took or heard.took(messages)
        raise failure from error


def json_of(said: Said) -> Any:
    """The JSON that was said: as a call of a tool, as providers without a better way are asked for it, or as text, with
    whatever stands around its outermost braces. Raises ValueError."""
    if said.message.tool_calls:
        return said.message.tool_calls[0]["args"]
    whole = said.text
    for text in (whole, whole[whole.find("{") : whole.rfind("}") + 1]):
        with suppress(ValueError, RecursionError):
            return json.loads(text, strict=False)
    raise ValueError("no JSON")


def tokens_of(messages: Sequence[BaseMessage]) -> int:
    """An estimate, by characters."""
    return sum(len(message.text) for message in messages) // _CHARACTERS_A_TOKEN


class _Heard:
    """What came so far. Chunks are put together once, at the end: one by one that takes quadratic time."""

    def __init__(self, on_text: Callable[[str], None]):
        self._on_text = on_text
        self._chunks: list[AIMessageChunk] = []
        self._in_text = self._in_calls = 0
        self._spoke = False

    async def listen(self, model: Runnable[Any, Any], messages: Sequence[BaseMessage], config: RunnableConfig) -> None:
        task = asyncio.current_task()
        async with aclosing(model.astream(messages, config)) as chunks:  # type: ignore[type-var]
            async for chunk in chunks:
                if task and task.cancelling():
                    raise asyncio.CancelledError  # asyncio.wait_for, of Python 3.11, loses it where chunks come fast
                self._chunks.append(chunk)
                self._in_text += max(1, len(chunk.text))  # chunks of nothing have an end too
                self._in_calls += sum(len(call["args"] or "") for call in chunk.tool_call_chunks)
                if self._in_text > MOST_CHARACTERS:
                    raise ModelFailed(ModelFault.ENDLESS, f"over {MOST_CHARACTERS} characters")
                if self._in_calls > MOST_OF_CALLS:
                    raise ModelFailed(ModelFault.ENDLESS, f"over {MOST_OF_CALLS} characters of tool calls")
                self._hand(chunk.text)

    def said(self, messages: Sequence[BaseMessage]) -> Said:
        """Raises ModelFailed where the answer is none, or not whole."""
        ended = _ended(self._chunks)
        if ended in _DECLINED or any(chunk.additional_kwargs.get("refusal") for chunk in self._chunks):
            raise ModelFailed(ModelFault.REFUSED, ended)
        if ended in _TOO_LONG:  # the same request would come to the same end
            raise ModelFailed(ModelFault.ENDLESS, ended)
        if not _is_json(self._chunks):
            raise ModelFailed(ModelFault.MALFORMED, "a tool call that is no JSON")
        whole = _together(self._chunks)
        if whole is None or not (whole.text.strip() or whole.tool_calls or whole.invalid_tool_calls):
            raise ModelFailed(ModelFault.EMPTY)
        if not ended:
            raise ModelFailed(ModelFault.CUT_OFF, "no end")
        if whole.invalid_tool_calls:
            raise ModelFailed(ModelFault.MALFORMED, "a tool call of another form")
        took = self.took(messages)
        message = message_chunk_to_message(whole)
        assert isinstance(message, AIMessage)
        for number, call in enumerate(message.tool_calls):
            call["id"] = call["id"] or f"call_{number}"  # some servers give none, and a tool's answer must name one
        return Said(text=whole.text.strip(), message=message, **took._asdict())

    def took(self, messages: Sequence[BaseMessage]) -> Took:
        """The tokens so far: as the server counts them, else estimated."""
        if told := [chunk.usage_metadata for chunk in self._chunks if chunk.usage_metadata]:
            usage = reduce(add_usage, told)
            return Took(usage["input_tokens"], usage["output_tokens"], False)
        came = sum(len(chunk.text) for chunk in self._chunks) + self._in_calls
        return Took(tokens_of(messages), came // _CHARACTERS_A_TOKEN, True)

    def _hand(self, text: str) -> None:
        """White space before the first word is kept back: it is no part of the answer, and may be all that comes."""
        if not self._spoke:
            text = text.lstrip()
        if text:
            self._spoke = True
            self._on_text(text)


def _together(chunks: Sequence[AIMessageChunk]) -> AIMessageChunk | None:
    return add_ai_message_chunks(chunks[0], *chunks[1:]) if chunks else None


def _is_json(chunks: Sequence[AIMessageChunk]) -> bool:
    """Whether the arguments of every tool call are whole: LangChain would mend what is cut, and half a program would run."""
    arguments: dict[Any, str] = {}
    for chunk in chunks:
        for call in chunk.tool_call_chunks:
            index = len(arguments) if call["index"] is None else f"index {call['index']}"
            arguments[index] = arguments.get(index, "") + (call["args"] or "")
    try:
        return all(isinstance(json.loads(text, strict=False), dict) for text in arguments.values() if text)
    except (ValueError, RecursionError):
        return False


def _ended(chunks: Sequence[AIMessageChunk]) -> str:
    """How the server says that the answer ended, in lower case; empty where it didn't say."""
    told = (chunk.response_metadata.get(name) for chunk in reversed(chunks) for name in _ENDS)
    return next((str(end).lower() for end in told if end), "")


def run(work: Coroutine[Any, Any, T], seconds: float) -> T:
    """Runs ``work`` on the loop and waits for it. ``work`` ends by itself after ``seconds``; where it can't, since something
    holds up the loop, it is given up. Raises ModelFailed then."""
    waited_for = asyncio.run_coroutine_threadsafe(work, _thread().loop)
    try:
        return waited_for.result(max(0.0, seconds) + _GRACE)
    except concurrent.futures.TimeoutError as error:
        raise ModelFailed(ModelFault.TIMEOUT, "given up") from error
    finally:
        waited_for.cancel()


class _Thread(threading.Thread):
    def __init__(self) -> None:
        super().__init__(name="language-model", daemon=True)
        self.loop = asyncio.new_event_loop()
        self.start()

    def run(self) -> None:
        self.loop.run_forever()


_lock = threading.Lock()
_running: _Thread | None = None


def _thread() -> _Thread:
    """The one of this process; another where it died, as it does in a fork."""
    global _running
    with _lock:
        if _running is None or not _running.is_alive():
            _running = _Thread()
        return _running
