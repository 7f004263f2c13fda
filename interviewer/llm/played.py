"""What a played model is asked and what it answers, and a chat model that turns one into the other.

A played model is no network: a function (scripted.py) or whoever writes files (transcript.py) answers. Both get the same
Request and give the same Answer, and to LangChain both are a chat model like any other: they stream, bind tools and give
structured output. Does not count tokens, and does not check that an answer is sensible.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from typing import Any, Literal, Self

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
    message_chunk_to_message,
)
from langchain_core.messages.ai import add_ai_message_chunks
from langchain_core.messages.tool import tool_call_chunk
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable, RunnableConfig, RunnableLambda
from langchain_core.utils.function_calling import convert_to_json_schema, convert_to_openai_tool
from pydantic import Field, model_validator

from interviewer.llm.failures import ModelFailed
from interviewer.models import ModelFault, Value

_WORDS = re.compile(r"\s*\S+\s*")

Role = Literal["system", "user", "assistant", "tool"]


class ToolCall(Value):
    name: str
    args: dict[str, Any] = Field(default_factory=dict)


class Message(Value):
    """``tool_calls``: of the assistant. A tool's message holds what the call before it came to."""

    role: Role
    content: str
    tool_calls: tuple[ToolCall, ...] = ()


class Tool(Value):
    """``parameters``: a JSON Schema of the arguments."""

    name: str
    description: str = ""
    parameters: dict[str, Any] = Field(default_factory=dict)


class Request(Value):
    """One request, whole. ``prompt``, ``version`` and ``digest`` say which file of prompts/ it was made of.
    ``answer_schema``: of the data that are asked for, None where text or calls of ``tools`` are."""

    purpose: str
    prompt: str
    version: int
    digest: str
    messages: tuple[Message, ...]
    tools: tuple[Tool, ...] = ()
    answer_schema: dict[str, Any] | None = None

    @property
    def name(self) -> str:
        """The purpose and twelve hexadecimal digits that change with what is sent: the same for the same request, whoever
        asks it and when. A prompt's file that changed and sends the same is the same request."""
        sent = self.model_dump(mode="json", include={"purpose", "messages", "tools", "answer_schema"})
        digest = hashlib.sha256(json.dumps(sent, sort_keys=True).encode()).hexdigest()
        return f"{re.sub(r'[^a-z0-9]+', '-', self.purpose.lower())}-{digest[:12]}"


class Answer(Value):
    """Exactly one of the four. ``data`` may be any JSON; ``fault`` plays a model that fails so."""

    text: str = ""
    data: Any = None
    tool_calls: tuple[ToolCall, ...] = ()
    fault: ModelFault | None = None

    @model_validator(mode="after")
    def _exactly_one(self) -> Self:
        given = self.model_fields_set
        if len(given) != 1 or not (given <= {"text", "data"} or self.tool_calls or self.fault):
            raise ValueError("an answer holds exactly one of text, data, tool_calls (at least one) and fault")
        return self


class PlayedModel(BaseChatModel):
    """Subclasses say how a request is answered."""

    async def answered(self, request: Request) -> Answer:
        """The answer, awaited for as long as it takes; whoever asks may cancel. Raises ModelFailed where none can be had."""
        raise NotImplementedError

    @property
    def _llm_type(self) -> str:
        return "played"

    def bind_tools(
        self, tools: Sequence[Any], *, tool_choice: str | None = None, **kwargs: Any
    ) -> Runnable[LanguageModelInput, AIMessage]:
        return self.bind(tools=[convert_to_openai_tool(tool) for tool in tools], **kwargs)

    def with_structured_output(
        self, schema: dict[str, Any] | type, *, include_raw: bool = False, **kwargs: Any
    ) -> Runnable[LanguageModelInput, Any]:
        asked = self.bind(answer_schema=convert_to_json_schema(schema))
        return asked | RunnableLambda(_with_data if include_raw else _data)

    async def astream(
        self,
        input: LanguageModelInput,
        config: RunnableConfig | None = None,
        *,
        stop: list[str] | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[AIMessageChunk]:
        """As LangChain's, which hands the metadata of a call to _agenerate and not to _astream."""
        metadata = (config or {}).get("metadata", {})
        async for chunk in super().astream(input, config, stop=stop, metadata=metadata, **kwargs):
            yield chunk

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        *,
        metadata: Mapping[str, Any] | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        request = _request(messages, metadata or {}, kwargs)
        for chunk in _chunks(await self.answered(request), request):
            yield ChatGenerationChunk(message=chunk)

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return await self._generated(_request(messages, run_manager.metadata if run_manager else {}, kwargs))

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return asyncio.run(self._generated(_request(messages, run_manager.metadata if run_manager else {}, kwargs)))

    async def _generated(self, request: Request) -> ChatResult:
        first, *rest = _chunks(await self.answered(request), request)
        return ChatResult(
            generations=[ChatGeneration(message=message_chunk_to_message(add_ai_message_chunks(first, *rest)))]
        )


def _request(messages: Sequence[BaseMessage], metadata: Mapping[str, Any], bound: Mapping[str, Any]) -> Request:
    return Request(
        purpose=metadata.get("purpose", "chat"),
        prompt=metadata.get("prompt", ""),
        version=metadata.get("version", 0),
        digest=metadata.get("digest", ""),
        messages=tuple(
            Message(
                role=_role(message),
                content=message.text,
                tool_calls=tuple(
                    ToolCall(name=call["name"], args=call["args"]) for call in getattr(message, "tool_calls", ())
                ),
            )
            for message in messages
        ),
        tools=tuple(
            Tool(**{key: tool["function"][key] for key in Tool.model_fields if key in tool["function"]})
            for tool in bound.get("tools", ())
        ),
        answer_schema=bound.get("answer_schema"),
    )


def _role(message: BaseMessage) -> Role:
    match message:
        case SystemMessage():
            return "system"
        case HumanMessage():
            return "user"
        case ToolMessage():
            return "tool"
        case _:
            return "assistant"


def _chunks(answer: Answer, request: Request) -> Iterator[AIMessageChunk]:
    """As a server would stream it: text word by word, the last piece with the end. Raises ModelFailed where a fault was
    played."""
    if answer.fault:
        raise ModelFailed(answer.fault, "played")
    if answer.tool_calls:
        calls = [
            # Numbered, not drawn: an agent's next request quotes nothing that a replay would have otherwise.
            tool_call_chunk(name=call.name, args=json.dumps(call.args), id=f"{request.name}-{index}", index=index)
            for index, call in enumerate(answer.tool_calls)
        ]
        yield AIMessageChunk(content="", tool_call_chunks=calls)
    else:
        text = json.dumps(answer.data) if "data" in answer.model_fields_set else answer.text
        for piece in _WORDS.findall(text):
            yield AIMessageChunk(content=piece)
    yield AIMessageChunk(content="", response_metadata={"finish_reason": "stop"}, chunk_position="last")


def _data(message: AIMessage) -> Any:
    return json.loads(message.text)


def _with_data(message: AIMessage) -> dict[str, Any]:
    try:
        return {"raw": message, "parsed": _data(message), "parsing_error": None}
    except json.JSONDecodeError as error:
        return {"raw": message, "parsed": None, "parsing_error": error}
