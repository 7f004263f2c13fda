"""A document's path into a Document: every shape reads it, and the one that explains it best is taken."""

from __future__ import annotations

from pathlib import Path

from interviewer.bank.documents.code_blocks import lost_indentation
from interviewer.bank.documents.loading import load
from interviewer.bank.documents.page import Page
from interviewer.bank.documents.shapes import SHAPES
from interviewer.bank.documents.values import Document, DocumentQuestion, Reading
from interviewer.errors import DocumentRefused


def read_document(path: Path) -> Document:
    """The questions of the document at ``path``, in its order. Raises DocumentRefused where it cannot be read.

    The same bytes always give the same questions.
    """
    text, sha256 = load(path)
    reading = _best_reading(Page.of(text))
    if reading is None:
        raise DocumentRefused(
            str(path),
            "no questions with answers were found. Number the questions, head each with `Question N:`, or put each "
            "answer as a bulleted list below its question.",
        )
    questions = tuple(_mark_lost_indentation(question) for question in reading.questions)
    return Document(path=path, title=reading.title or path.stem, sha256=sha256, questions=questions)


def _best_reading(page: Page) -> Reading | None:
    """The reading with most answered questions; on equal numbers the earlier, more explicit shape."""
    readings = [reading for read in SHAPES if (reading := read(page)) and reading.answered]
    return max(readings, key=lambda reading: (reading.certain, reading.answered), default=None)


def _mark_lost_indentation(question: DocumentQuestion) -> DocumentQuestion:
    return question.model_copy(update={"indentation_lost": lost_indentation(question.answer)})
