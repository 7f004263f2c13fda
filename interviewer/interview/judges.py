"""Who judges a turn: the embedded judge alone, or with a language model beside it."""

from __future__ import annotations

from interviewer.grading.judge import EmbeddedJudge
from interviewer.grading.panel import PanelJudge
from interviewer.interview.state import Judge
from interviewer.llm import TurnModel


def judge_with(judge: Judge, model: TurnModel | None) -> Judge:
    """``judge``, seconded by ``model`` where there is one. A judge that is not the embedded one judges alone."""
    return PanelJudge(judge, model) if model and isinstance(judge, EmbeddedJudge) else judge
