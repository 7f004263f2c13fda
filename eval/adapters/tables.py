"""Sets as tables (CSV, TSV), known by the names of their columns; other columns are left alone.

Mohler's answers as they go round (``desired_answer``, ``score_me``, ``score_other``, ``score_avg``) and in the form of
Hugging Face; the neural-networks exam of DigiKlausur (``ref_answer``, ``grades_round``).
"""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from pathlib import Path

from eval.adapters.making import make_case, number, refused, text_of
from eval.adapters.mohler import MAX_SCORE as MOHLER
from eval.adapters.mohler import two_scores
from eval.cases import Case

_LONGEST_FIELD = 10_000_000  # characters; the exam's table holds embeddings


@dataclass(frozen=True)
class Layout:
    """Names of columns. ``score`` alone, or with ``second`` and the ``mean`` of the two; ``number``: of the question."""

    reference: str
    score: str
    max_score: float
    second: str = ""
    mean: str = ""
    number: str = "id"
    question: str = "question"
    answer: str = "student_answer"

    @property
    def columns(self) -> tuple[str, ...]:
        wanted = (self.question, self.reference, self.answer, self.score, self.second, self.mean)
        return tuple(name for name in wanted if name)


LAYOUTS = (
    Layout("desired_answer", "score_me", MOHLER, "score_other", "score_avg"),
    Layout("instructor_answer", "score_grader_1", MOHLER, "score_grader_2", "score_avg"),
    Layout("desired_answer", "score_avg", MOHLER),
    Layout("ref_answer", "grades_round", 2.0, number="question_id"),
)


def read_table(path: Path) -> list[Case]:
    """Raises UsageError where the columns are those of no set that we know, or a row is cut off."""
    text = text_of(path)
    header = text.partition("\n")[0]
    delimiter = max(",;\t", key=header.count)
    csv.field_size_limit(_LONGEST_FIELD)
    rows = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        layout = _layout(path, rows.fieldnames or ())
        return [_case(f"{path}:{rows.line_num}", row, layout) for row in rows]
    except csv.Error as error:
        raise refused(f"{path}:{rows.line_num}", f"this is no table: {error}") from error


def _layout(path: Path, names: object) -> Layout:
    present = set(names) if isinstance(names, list) else set()
    for layout in LAYOUTS:
        if present.issuperset(layout.columns):
            return layout
    known = "; ".join(", ".join(layout.columns) for layout in LAYOUTS)
    raise refused(f"{path}:1", f"its columns are those of no set that we know. Known are: {known}")


def _case(place: str, row: dict[str, str | None], layout: Layout) -> Case:
    if any(row[name] is None for name in layout.columns):
        raise refused(place, "the row ends before its last column")
    score: float
    second: float | None = None
    score = number(place, layout.score, row[layout.score])
    if layout.second:
        other = number(place, layout.second, row[layout.second])
        score, second = two_scores(score, other, number(place, layout.mean, row[layout.mean]))
    return make_case(
        place,
        question=(row[layout.question] or "").strip(),
        reference=(row[layout.reference] or "").strip(),
        answer=(row[layout.answer] or "").strip(),
        score=score,
        second=second,
        max_score=layout.max_score,
        question_id=(row.get(layout.number) or "").strip(),
    )
