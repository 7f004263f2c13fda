"""What needs no grader: the marks that any grading must beat, on the same cases.

All on 0 to 5, without any fitting: their correlations can be compared with the grader's, and their RMSE says what one would
get who took them for a score.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from eval.rows import Row
from interviewer.grading.text import content
from interviewer.models import MAX_SCORE

_FULL_LENGTH = 100  # words that earn the full score

Encode = Callable[[Sequence[str]], NDArray[np.float32]]


def baselines(rows: Sequence[Row], encode: Encode) -> dict[str, list[float]]:
    """By name a score for each row. Replies are held against the reference that came with the case, else against the
    claims of its rubric. ``encode``: texts to unit vectors [texts, dimensions]."""
    mean = float(np.mean([row.person for row in rows]))
    return {
        "word count": [MAX_SCORE * min(1.0, row.words / _FULL_LENGTH) for row in rows],
        "cosine": _cosines(rows, encode),
        "lexical overlap": [MAX_SCORE * _overlap(row) for row in rows],
        "always the mean": [mean] * len(rows),
    }


def _cosines(rows: Sequence[Row], encode: Encode) -> list[float]:
    replies, references = encode([row.answer for row in rows]), encode([row.reference for row in rows])
    found: list[float] = (MAX_SCORE * np.clip((replies * references).sum(axis=1), 0, 1)).tolist()
    return found


def _overlap(row: Row) -> float:
    """The share of the reference's content words that the reply has too."""
    wanted = content(row.reference)
    return len(wanted & content(row.answer)) / len(wanted) if wanted else 0.0
