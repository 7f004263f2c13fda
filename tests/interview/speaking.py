"""What the tests of phrasing share: a turn that asks for a follow-up, and a chat model that says what it was given."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Collection
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGenerationChunk, ChatResult

from interviewer.interview.asked import Asked
from interviewer.llm import LanguageModel, TurnModel
from interviewer.llm.opening import Opened
from interviewer.models import PointVerdict, Question, Standing, Verdict
from interviewer.settings import Settings

Piece = str | Exception | Callable[[], object]


class Speaking(BaseChatModel):
    """Streams its pieces; an exception among them is raised, a function is called and waited for."""

    pieces: tuple[Any, ...]

    async def _astream(self, messages: list[BaseMessage], *_: Any, **__: Any) -> AsyncIterator[ChatGenerationChunk]:
        for piece in self.pieces:
            if isinstance(piece, Exception):
                raise piece
            if callable(piece):
                await asyncio.to_thread(piece)
            else:
                yield ChatGenerationChunk(message=AIMessageChunk(content=piece))
        yield ChatGenerationChunk(message=AIMessageChunk(content="", response_metadata={"finish_reason": "stop"}))

    def _generate(self, *_: Any, **__: Any) -> ChatResult:
        raise NotImplementedError

    @property
    def _llm_type(self) -> str:
        return "speaking"


def saying(settings: Settings, *pieces: Piece) -> TurnModel:
    opened = Opened("speaking", Speaking(pieces=pieces))
    return LanguageModel(settings, opened, opened).turn()


def verdict(
    question: Question,
    standings: dict[str, Standing] | None = None,
    quotes: dict[str, str] | None = None,
) -> Verdict:
    """On everything; points that ``standings`` doesn't name are missing."""
    points = tuple(
        PointVerdict(
            point=p.id,
            claim=p.claim,
            verdict=(standings or {}).get(p.id, Standing.MISSING),
            weight=p.weight,
            quote=(quotes or {}).get(p.id, ""),
            probability=0.9,
        )
        for p in question.points
    )
    return Verdict(points=points, score=0.0, confidence=0.9, judge="test")


def asked_for(
    question: Question,
    point: str,
    message: str,
    *,
    covered: Collection[str] = (),
    contradicted: bool = False,
    **given: Any,
) -> Asked:
    """A follow-up on ``point`` after ``message``, with these points covered before."""
    standings = dict.fromkeys(covered, Standing.COVERED)
    standings |= {point: Standing.CONTRADICTED} if contradicted else {}
    this = verdict(question, {point: Standing.CONTRADICTED} if contradicted else {})
    return Asked(
        question=question,
        point=point,
        message=message,
        **{"verdict": verdict(question, standings), "graded": this, **given},
    )
