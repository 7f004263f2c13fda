"""The shapes that question documents come in, one module each, from the most explicit to the least.

A shape is a function from the page to a Reading, or None where nothing on the page has that shape.
"""

from collections.abc import Callable

from interviewer.bank.documents.page import Page
from interviewer.bank.documents.shapes import (
    bulleted_answers,
    dashed_items,
    numbered_items,
    numbered_lines,
    question_headings,
)
from interviewer.bank.documents.values import Reading

SHAPES: tuple[Callable[[Page], Reading | None], ...] = (
    question_headings.read,
    numbered_items.read,
    dashed_items.read,
    numbered_lines.read,
    bulleted_answers.read,
)
