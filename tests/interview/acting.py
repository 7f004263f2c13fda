"""A chat model that plays a script, the language model of a turn around it, and a claim for it to test."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessageChunk, BaseMessage
from langchain_core.messages.tool import tool_call_chunk
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from pydantic import Field

from interviewer.errors import UsageError
from interviewer.llm import LanguageModel, TurnModel
from interviewer.llm.opening import Opened
from interviewer.models import Hit, Kind, Level, Point, Question, Reference, Topic
from interviewer.settings import Settings

Line = str | list[tuple[str, dict[str, Any]]] | Exception
"""What is said: text, calls of tools by name, or a fault."""


class Actor(BaseChatModel):
    """Says the next line of ``script``, the last one over and over; ``heard`` is what it was sent."""

    script: list[Line]
    heard: list[list[BaseMessage]] = Field(default_factory=list)

    model_config = {"arbitrary_types_allowed": True}

    @property
    def _llm_type(self) -> str:
        return "actor"

    def bind_tools(self, tools: Sequence[BaseTool], **kwargs: Any) -> Runnable[Any, Any]:  # type: ignore[override]
        return self

    def _generate(self, *args: Any, **kwargs: Any) -> ChatResult:
        raise NotImplementedError("it streams")

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        line = self.script[min(len(self.heard), len(self.script) - 1)]
        self.heard.append(messages)
        if isinstance(line, Exception):
            raise line
        text = line if isinstance(line, str) else ""
        calls = [] if isinstance(line, str) else line
        chunks = [
            tool_call_chunk(name=name, args=json.dumps(args), id=f"call-{len(self.heard)}-{index}", index=index)
            for index, (name, args) in enumerate(calls)
        ]
        end = {"finish_reason": "tool_calls" if calls else "stop"}
        yield ChatGenerationChunk(message=AIMessageChunk(content=text, tool_call_chunks=chunks, response_metadata=end))


def played(settings: Settings, *script: Line) -> tuple[TurnModel, Actor]:
    actor = Actor(script=list(script))
    opened = Opened("actor", actor)
    return LanguageModel(settings, opened, opened).turn(), actor


def trying(claim: str, code: str) -> tuple[str, dict[str, Any]]:
    return "test_claim", {"claim": claim, "code": code}


# --- a claim, and rooms to test it in --------------------------------------------------------------

CLAIM = "each call of backward overwrites what .grad held"
REPLY = f"You zero the gradients by habit. In fact {CLAIM}, so it does no harm to leave it out."
QUESTION = Question(
    id="zeroing",
    question="Why do we call zero_grad()?",
    topic=Topic.TRAINING,
    level=Level.JUNIOR,
    kind=Kind.EXPLAIN,
    points=(Point(id="adds", claim="Gradients accumulate: they are summed over batches.", follow_up="And then?"),),
    hints=("Think of two batches.",),
    references=(Reference(source="bank", text="They accumulate."),),
)
RIGHT = """\
import torch

# The claim is false: gradients accumulate.
w = torch.ones(1, requires_grad=True)
for _ in range(2):
    (3 * w).sum().backward()
    print("grad", w.grad.item())
"""


class Shelf:
    """A bank of two questions, without an index: the bank has tests of its own."""

    other = Reference(source="bank", text="word " * 5_000)

    def questions(self) -> tuple[Question, ...]:
        return (QUESTION,)

    def get(self, question_id: str) -> Question:
        return QUESTION

    def references(self, question_id: str) -> tuple[Reference, ...]:
        return QUESTION.references if question_id == "zeroing" else (self.other,)

    def neighbours(self, question_id: str, k: int) -> list[Hit]:
        return []

    def search(self, text: str, k: int) -> list[Hit]:
        if not text:
            raise UsageError("A search needs some words.")
        return [
            Hit(id=name, question=f"About {name}?", score=0.5, source="bank", cluster=name)
            for name in ("zeroing", "momentum")
        ]


class NoSandbox:
    """Fails the test that runs anything."""

    def judge(self, *args: Any, **kwargs: Any) -> Any:
        raise AssertionError("something was run")

    experiment = judge
