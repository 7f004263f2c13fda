"""One request to a chat model, on one event loop for the whole process, so that a deadline closes the connection.

Promises that nothing is awaited beyond the deadline and that no answer grows beyond MOST_CHARACTERS. Does not try again.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Sequence
from contextlib import aclosing
from functools import lru_cache
from typing import Any, TypeVar

from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.runnables import Runnable, RunnableConfig

from interviewer.llm.failures import ModelFailed, failure_of
from interviewer.models import ModelFault, Value

MOST_CHARACTERS = 24_000
_CHARACTERS_A_TOKEN = 4
_ENDS = ("finish_reason", "stop_reason", "done_reason")
_CUT = frozenset({"length", "max_tokens", "model_length"})
_DECLINED = frozenset({"content_filter", "refusal", "safety", "prohibited_content", "blocklist", "recitation"})

T = TypeVar("T")


class Said(Value):
    """An answer. ``data``: where data were asked for, the JSON value. ``estimated``: tokens are counted from characters."""

    text: str
    data: Any = None
    message: AIMessage
    tokens_in: int
    tokens_out: int
    estimated: bool


async def ask(
    model: Runnable[Any, Any],
    messages: Sequence[BaseMessage],
    config: RunnableConfig,
    seconds: float,
    on_text: Callable[[str], None] = lambda _: None,
) -> Said:
    """The whole answer, streamed to ``on_text`` as it comes. ``model`` gives message chunks, or, asked for data, dicts that
    hold ``raw`` chunks and what was ``parsed``. Raises ModelFailed."""
    try:
        async with asyncio.timeout(seconds):
            whole, data, unparsed = await _collected(model, messages, config, on_text)
    except Exception as error:
        raise failure_of(error) from error
    return _checked(whole, data, unparsed, messages)


async def _collected(
    model: Runnable[Any, Any], messages: Sequence[BaseMessage], config: RunnableConfig, on_text: Callable[[str], None]
) -> tuple[AIMessageChunk | None, Any, BaseException | None]:
    whole: AIMessageChunk | None = None
    data: Any = None
    unparsed: BaseException | None = None
    size = 0
    async with aclosing(model.astream(messages, config)) as chunks:  # type: ignore[type-var]
        async for chunk in chunks:
            piece = chunk
            if isinstance(chunk, dict):
                data, unparsed = chunk.get("parsed", data), chunk.get("parsing_error", unparsed)
                piece = chunk.get("raw")
            if piece is None:
                continue
            size += len(piece.text) + sum(len(call["args"] or "") for call in piece.tool_call_chunks)
            if size > MOST_CHARACTERS:
                raise ModelFailed(ModelFault.ENDLESS, f"over {MOST_CHARACTERS} characters")
            whole = piece if whole is None else whole + piece
            if piece.text:
                on_text(piece.text)
    return whole, data, unparsed


def _checked(
    whole: AIMessageChunk | None, data: Any, unparsed: BaseException | None, messages: Sequence[BaseMessage]
) -> Said:
    """Raises ModelFailed where the answer is none, or not whole."""
    if whole is None or not (whole.text.strip() or whole.tool_calls or whole.invalid_tool_calls or data is not None):
        raise ModelFailed(ModelFault.REFUSED if _ended(whole) in _DECLINED else ModelFault.EMPTY)
    ended = _ended(whole)
    if ended in _DECLINED or whole.additional_kwargs.get("refusal"):
        raise ModelFailed(ModelFault.REFUSED, ended)
    if not ended or ended in _CUT:
        raise ModelFailed(ModelFault.CUT_OFF, ended or "no end")
    if unparsed is not None or whole.invalid_tool_calls:
        raise ModelFailed(ModelFault.MALFORMED, type(unparsed).__name__)
    usage = whole.usage_metadata
    sent = sum(len(message.text) for message in messages)
    return Said(
        text=whole.text.strip(),
        data=data,
        message=AIMessage(content=whole.content, tool_calls=whole.tool_calls),
        tokens_in=usage["input_tokens"] if usage else sent // _CHARACTERS_A_TOKEN,
        tokens_out=usage["output_tokens"] if usage else len(whole.text) // _CHARACTERS_A_TOKEN,
        estimated=usage is None,
    )


def _ended(whole: AIMessageChunk | None) -> str:
    """How the server says that the answer ended, in lower case; empty where it didn't say."""
    metadata = whole.response_metadata if whole else {}
    return next((str(metadata[name]).lower() for name in _ENDS if metadata.get(name)), "")


def run(work: Coroutine[Any, Any, T]) -> T:
    """Runs ``work`` on the loop and waits for it."""
    return asyncio.run_coroutine_threadsafe(work, loop()).result()


@lru_cache(maxsize=1)
def loop() -> asyncio.AbstractEventLoop:
    made = asyncio.new_event_loop()
    threading.Thread(target=made.run_forever, name="language-model", daemon=True).start()
    return made
