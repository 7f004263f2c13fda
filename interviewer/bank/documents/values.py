"""What a question document says, as frozen values."""

from __future__ import annotations

from pathlib import Path

from interviewer.models import Choice, Doubt, Sentence, Value


class DocumentQuestion(Value):
    """One question as its document gives it.

    ``answer`` is Markdown and empty where the document has none. ``label`` is the document's own name for the
    sort of question, such as "Conceptual". A quick check stands in ``choice`` alone, not in ``answer``.
    ``indentation_lost``: code in the answer needs indentation that the page had dropped. ``doubted``: claims of the
    answer that the bank took for wrong or old when it read it.
    """

    section: str | None = None
    number: int | None = None
    label: str | None = None
    question: Sentence
    answer: str = ""
    indentation_lost: bool = False
    choice: Choice | None = None
    doubted: tuple[Doubt, ...] = ()


class Document(Value):
    """A document that was read: ``sha256`` is that of the file's bytes, ``questions`` keep their order."""

    path: Path
    title: str
    sha256: str
    questions: tuple[DocumentQuestion, ...]


class Reading(Value):
    """What one shape makes of a document.

    ``certain``: the document marks its questions in so many words, so that no other shape can explain it better.
    """

    title: str | None
    questions: tuple[DocumentQuestion, ...]
    certain: bool = False

    @property
    def answered(self) -> int:
        return sum(1 for question in self.questions if question.answer or question.choice)
