"""A chat model whose answers come from a Python function: for tests and demonstrations, beside the real ones."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from interviewer.llm.played import Answer, PlayedModel, Request


class ScriptedModel(PlayedModel):
    """``answer`` is called in a thread of its own, so that one that dawdles meets the same deadline as a slow server. What
    it raises is raised to whoever asked."""

    answer: Callable[[Request], Answer]

    async def answered(self, request: Request) -> Answer:
        return await asyncio.to_thread(self.answer, request)
