"""How well replies are graded: any JSONL of question, answer, score and max_score, through the door of ``interviewer grade``.

Reports agreement with a person's scores, over all cases and by style, beside two baselines from the same run. A
case that can't be graded is counted as unscored and left out of the figures.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from eval.cases import Case
from eval.metrics import agreement
from interviewer.house import House
from interviewer.interview.single import Item, grade_item
from interviewer.models import MAX_SCORE


def evaluate(cases: Sequence[Case], house: House) -> dict[str, Any]:
    """Figures as JSON: ``overall``, ``by_style`` where cases name one, ``baselines``, ``unscored``."""
    graded = [(case, _grade(case, house)) for case in cases]
    scored = [(case, score) for case, score in graded if score is not None]
    return {
        "cases": len(cases),
        "unscored": len(cases) - len(scored),
        "overall": _figures(scored),
        "baselines": {
            "word count": _figures([(c, min(MAX_SCORE, len(c.answer.split()) / 20)) for c, _ in scored]),
            "always the mean": _figures([(c, _mean([_person(c) for c, _ in scored])) for c, _ in scored]),
        },
        "by_style": {style: _figures(rows) | _averages(rows) for style, rows in _by_style(scored).items()},
    }


def _grade(case: Case, house: House) -> float | None:
    item = Item(id=case.id, question=case.question, answer=case.answer, reference=case.reference)
    score: float | None = grade_item(item, house.bank, house.judge)["score"]
    return score


def _figures(rows: Sequence[tuple[Case, float]]) -> dict[str, float]:
    return (
        {k: round(v, 3) for k, v in agreement([s for _, s in rows], [_person(c) for c, _ in rows]).items()}
        if rows
        else {}
    )


def _averages(rows: Sequence[tuple[Case, float]]) -> dict[str, float]:
    return {"given": round(_mean([s for _, s in rows]), 2), "person": round(_mean([_person(c) for c, _ in rows]), 2)}


def _by_style(rows: Sequence[tuple[Case, float]]) -> dict[str, list[tuple[Case, float]]]:
    groups: dict[str, list[tuple[Case, float]]] = defaultdict(list)
    for case, score in rows:
        if case.style:
            groups[case.style].append((case, score))
    return dict(sorted(groups.items()))


def _person(case: Case) -> float:
    return MAX_SCORE * case.score / case.max_score


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
