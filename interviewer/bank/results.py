"""What an ingestion tells its caller; ``model_dump(mode="json", exclude_none=True)`` is the command's JSON."""

from __future__ import annotations

from interviewer.models import Choice, Kind, Value


class QuickCheck(Value):
    question: str
    options: tuple[str, ...]
    correct: str


class IngestedQuestion(Value):
    id: str
    question: str
    kind: Kind
    quick_check: QuickCheck | None = None


class IngestResult(Value):
    """One document: how many questions are new or back, other than before, as before, and gone; and all it holds."""

    path: str
    added: int
    changed: int
    unchanged: int
    retired: int
    questions: tuple[IngestedQuestion, ...]


def quick_check(choice: Choice | None) -> QuickCheck | None:
    return QuickCheck(question=choice.question, options=choice.options, correct=choice.correct) if choice else None
