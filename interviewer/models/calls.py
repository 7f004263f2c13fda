"""What was asked of a language model, what became of it and what it cost."""

from __future__ import annotations

from enum import StrEnum
from typing import Self

from interviewer.models.base import Value


class Purpose(StrEnum):
    """What the model was asked for."""

    JUDGE = "judge"
    SECOND_LOOK = "second look"
    EXPERIMENT = "experiment"
    VOICE = "voice"
    CHECK = "check"


class ModelFault(StrEnum):
    """What a language model, or the way to it, can do wrong."""

    TIMEOUT = "timeout"
    RATE_LIMITED = "rate limited"
    SERVER = "server error"
    NETWORK = "no connection"
    CUT_OFF = "cut off"
    EMPTY = "empty"
    MALFORMED = "malformed"
    ENDLESS = "endless"
    REFUSED = "refused"
    REJECTED = "request rejected"
    KEY = "key refused"
    BUDGET = "budget used up"
    RESTING = "left alone after faults"
    BROKEN = "broken"


class ModelCall(Value):
    """One request, with all its attempts. ``prompt`` and ``version`` name the prompt, ``digest`` is the start of the hash of
    its file. ``fault`` is empty where an answer came. ``estimated``: the server did not say how many tokens it took.
    ``money``: US dollars; None where no price is set. ``cached``: nothing was asked, since the answer had been kept; its tokens
    and seconds are those of the call that it came from, and count for no limit."""

    purpose: Purpose
    model: str
    prompt: str
    version: int
    digest: str
    fault: ModelFault | None = None
    attempts: int = 1
    tokens_in: int = 0
    tokens_out: int = 0
    estimated: bool = False
    seconds: float = 0.0
    money: float | None = None
    cached: bool = False


class Spent(Value):
    """What calls have used so far; ``money`` counts those with a price."""

    calls: int = 0
    tokens: int = 0
    seconds: float = 0.0
    money: float = 0.0

    def plus(self, call: ModelCall) -> Self:
        if call.cached:
            return self
        return self.model_copy(
            update={
                "calls": self.calls + call.attempts,
                "tokens": self.tokens + call.tokens_in + call.tokens_out,
                "seconds": self.seconds + call.seconds,
                "money": self.money + (call.money or 0.0),
            }
        )
