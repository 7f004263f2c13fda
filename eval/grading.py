"""How well replies are graded: all figures of one run, as JSON, from the cases and what became of them.

A case that could not be graded is counted with its reason and left out of the figures. Scores are on 0 to 5.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from eval.baselines import Encode, baselines
from eval.bootstrap import intervals
from eval.calibration import most_confident, reliability, risk_coverage
from eval.cases import Case
from eval.classes import classes
from eval.metrics import agreement, classification, found, within_questions
from eval.rows import Row, make_rows
from eval.slices import measured, slices
from eval.targets import targets
from interviewer.embedding import Embedder
from interviewer.grading.confidence import CLOSE
from interviewer.interview.single import Graded
from interviewer.models import Question, Standing

COVERAGES = (86, 60)  # per cent, as in the literature on deferring
_WORST = 40
_DIGITS = 4


def evaluate(
    cases: Sequence[Case],
    graded: Sequence[Graded],
    questions: Mapping[str, Question],
    encode: Encode | None = None,
) -> dict[str, Any]:
    """All figures. ``questions``: the bank's, by id, for kind, topic and level. ``encode``: for the cosine baseline, MiniLM
    where none is given. Figures for which the cases lack the labels are empty; with no scored case only the counts and
    ``rows`` are there."""
    rows = make_rows(cases, graded, questions)
    scored = [row for row in rows if row.given is not None]
    figures: dict[str, Any] = {
        "cases": len(rows),
        "questions": len({row.question for row in rows}),
        "unscored": len(rows) - len(scored),
        "unscored_because": dict(Counter(row.unscored for row in rows if row.given is None).most_common()),
    }
    if scored:
        figures |= _figures(scored, encode or Embedder().encode)
    made: dict[str, Any] = rounded(figures)
    return made | {"rows": [row.kept() for row in rows]}


def _figures(rows: Sequence[Row], encode: Encode) -> dict[str, Any]:
    given, person, names = [r.score for r in rows], [r.person for r in rows], [r.question for r in rows]
    worst = sorted((row for row in rows if row.error > 0), key=lambda row: (-row.error, row.id))[:_WORST]
    return {
        "milliseconds": _milliseconds(rows),
        "overall": measured(rows),
        "within_questions": within_questions(given, person, names),
        "baselines": {
            name: agreement(values, person)
            | {"within_questions": within_questions(values, person, names)["pearson"]}
            | {"intervals": intervals(values, person, names)}
            for name, values in baselines(rows, encode).items()
        },
        "raters": _raters([row for row in rows if row.second is not None]),
        "classes": classes([(row.label, row.given_label) for row in rows if row.label]),
        "points": point_figures(rows),
        "misconceptions": misconception_figures([row for row in rows if row.labelled]),
        "calibration": _calibration(rows),
        "coverage": _coverage(rows),
        "targets": targets(rows),
        "slices": slices(rows),
        "worst": [row.model_dump(mode="json") for row in worst],
    }


def _milliseconds(rows: Sequence[Row]) -> dict[str, float]:
    """Of one reply, as measured when it was graded; with several processes at once they slow each other down."""
    times = [1000 * row.seconds for row in rows]
    return {"median": float(np.median(times)), "p95": float(np.percentile(times, 95))}


def _raters(rows: Sequence[Row]) -> dict[str, Any]:
    """Where a second person scored too: how the two agree, and how the grader agrees with each on the same cases."""
    if not rows:
        return {}
    given, first, second = [r.score for r in rows], [r.person for r in rows], [r.second or 0.0 for r in rows]
    return {
        "second with first": agreement(second, first),
        "grader with first": agreement(given, first),
        "grader with second": agreement(given, second),
    }


def point_figures(rows: Sequence[Row]) -> dict[str, Any]:
    """Standings of single points; beside all, those that words earn and those that only a run of code earns."""
    pairs = [(p.verdict.value, p.person.value, p.by_run) for row in rows for p in row.points if p.person]

    def figures(wanted: Sequence[tuple[str, str, bool]]) -> dict[str, Any]:
        return classification([a for a, _, _ in wanted], [b for _, b, _ in wanted], [s.value for s in Standing])

    return {
        "all": figures(pairs),
        "by_words": figures([pair for pair in pairs if not pair[2]]),
        "by_run": figures([pair for pair in pairs if pair[2]]),
    }


def misconception_figures(rows: Sequence[Row]) -> dict[str, float]:
    """Of rows whose misconceptions a person named."""
    if not rows:
        return {}
    return found([frozenset(r.misconceptions) for r in rows], [frozenset(r.person_misconceptions) for r in rows])


def _calibration(rows: Sequence[Row]) -> dict[str, Any]:
    """Of the points' probabilities, right where the standing is the person's; and of the verdicts' confidence, right where
    the score is within half a point of the person's."""
    points = [p for row in rows for p in row.points if p.person]
    return {
        "points": reliability([p.probability for p in points], [p.verdict is p.person for p in points]),
        "confidence": reliability([row.confidence for row in rows], [row.error <= CLOSE for row in rows]),
    }


def _coverage(rows: Sequence[Row]) -> dict[str, Any]:
    """What is gained by leaving the least confident to a person: the mean absolute error over coverage, and all figures of
    agreement where about 86 and 60 in a hundred are scored."""
    confidence = [row.confidence for row in rows]
    at = {}
    for percent in COVERAGES:
        chosen = most_confident(confidence, percent / 100)
        kept = [row for row, stays in zip(rows, chosen, strict=True) if stays]
        points = [p for row in kept for p in row.points if p.person]
        at[str(percent)] = {
            **agreement([row.score for row in kept], [row.person for row in kept]),
            "coverage": len(kept) / len(rows),
            "close": float(np.mean([row.error <= CLOSE for row in kept])),
            "from_confidence": min(row.confidence for row in kept),
            "point_accuracy": float(np.mean([p.verdict is p.person for p in points])) if points else None,
        }
    return risk_coverage(confidence, [row.error for row in rows]) | {"at": at}


def rounded(value: Any) -> Any:
    """Floats to four digits, all the way down, so that runs can be read and compared as text."""
    if isinstance(value, float):
        return round(value, _DIGITS)
    if isinstance(value, dict):
        return {key: rounded(each) for key, each in value.items()}
    if isinstance(value, list):
        return [rounded(each) for each in value]
    return value
