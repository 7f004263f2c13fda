"""Graded replies: how each point stands, and by which words."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from interviewer.models.base import Value


class Standing(StrEnum):
    COVERED = "covered"
    PARTIAL = "partial"
    MISSING = "missing"
    CONTRADICTED = "contradicted"


class PointVerdict(Value):
    """How one point stands. ``quote`` stands word for word in the reply, or is empty."""

    point: str
    claim: str
    verdict: Standing
    weight: int
    quote: str = ""
    probability: float = Field(ge=0, le=1)
    misconception: str = ""
    proven_by_run: bool = False


class HeldMisconception(Value):
    id: str
    quote: str
    correction: str


class Verdict(Value):
    """A graded reply. ``score`` is computed from ``points``; None with a reason in ``unscored``. ``judge`` names who judged,
    ``notes`` says what a reader should know of how it was done, such as why a language model had no part in it. ``disagreed``:
    the points on which two judges differ still; ``testable``: words of the reply that running something would settle."""

    points: tuple[PointVerdict, ...]
    misconceptions: tuple[HeldMisconception, ...] = ()
    score: float | None
    confidence: float = Field(ge=0, le=1)
    unscored: str = ""
    judge: str
    notes: tuple[str, ...] = ()
    disagreed: tuple[str, ...] = ()
    testable: str = ""
