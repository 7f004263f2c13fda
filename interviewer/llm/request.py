"""What is asked of a model, and the call that becomes of it, with the tokens of all its attempts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import BaseMessage
from langchain_core.runnables import Runnable, RunnableConfig

from interviewer.llm.asking import tokens_of
from interviewer.llm.failures import Took
from interviewer.llm.opening import Opened
from interviewer.models import ModelCall, Purpose
from interviewer.prompts import Rendered


@dataclass(frozen=True)
class ModelRequest:
    """``model``: ``opened``'s chat model with what it is to answer bound to it; ``sent``: the messages as it sees them; ``wanted``: what is
    sent beside them, a schema or tools."""

    purpose: Purpose
    opened: Opened
    model: Runnable[Any, Any]
    prompt: Rendered
    sent: Sequence[BaseMessage]
    wanted: Any = None

    @property
    def tokens(self) -> int:
        """An estimate of what goes in."""
        return tokens_of(self.sent)

    def as_call(self) -> ModelCall:
        """The call before its first attempt."""
        return ModelCall(
            purpose=self.purpose,
            model=self.opened.name,
            prompt=self.prompt.name,
            version=self.prompt.version,
            digest=self.prompt.digest,
            attempts=0,
        )

    def config(self) -> RunnableConfig:
        """By which a tracing service tells it from others."""
        return {
            "run_name": self.purpose.value,
            "metadata": {
                "purpose": self.purpose.value,
                "prompt": self.prompt.name,
                "version": self.prompt.version,
                "digest": self.prompt.digest,
                "schema": self.prompt.schema_,
            },
        }


class Attempts:
    """``call``: as it is told of."""

    def __init__(self, request: ModelRequest):
        self.call = request.as_call()
        self._request = request
        self._counted = True

    def begin(self) -> None:
        self.settle()
        self._counted = False
        self.call = self.call.model_copy(update={"attempts": self.call.attempts + 1})

    def settle(self) -> None:
        """What an attempt took that never answered is estimated by what it was sent."""
        if not self._counted:
            self._add(Took(self._request.tokens, 0, True))
        self._counted = True

    def count(self, took: Took | None) -> None:
        if took:
            self._add(took)
            self._counted = True

    def _add(self, took: Took) -> None:
        call = self.call
        tokens_in, tokens_out = call.tokens_in + took.tokens_in, call.tokens_out + took.tokens_out
        self.call = call.model_copy(
            update={
                "tokens_in": tokens_in,
                "tokens_out": tokens_out,
                "estimated": call.estimated or took.estimated,
                "money": self._request.opened.money(tokens_in, tokens_out),
            }
        )
