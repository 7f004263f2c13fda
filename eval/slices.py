"""The same figures for parts of the cases: by who answers how, what is asked, and the look of the reply."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from eval.bootstrap import intervals
from eval.metrics import agreement
from eval.rows import Row
from interviewer.models import Kind, Level, Topic

_FENCE = re.compile(r"^\s*(?:```|~~~)", re.MULTILINE)
_PARTS = 4  # by length
_NEED_VARIANCE = ("pearson", "spearman", "qwk")


def slices(rows: Sequence[Row]) -> dict[str, dict[str, dict[str, Any]]]:
    """By name of the division, by name of the part: ``agreement``, its intervals, mean scores, number of questions.
    Divisions that these rows know nothing about are left out."""
    length = _length(rows)
    divisions: dict[str, tuple[Callable[[Row], str], Sequence[str]]] = {
        "style": (lambda row: row.style, sorted({row.style for row in rows})),
        "kind": (lambda row: row.kind, list(Kind)),
        "topic": (lambda row: row.topic, list(Topic)),
        "level": (lambda row: row.level, list(Level)),
        "length": (lambda row: length[row.words], list(dict.fromkeys(length.values()))),
        "code": (
            lambda row: "with code" if _FENCE.search(row.answer) else "without code",
            ["with code", "without code"],
        ),
    }
    found = {}
    for division, (part_of, order) in divisions.items():
        parts: dict[str, list[Row]] = {str(name): [] for name in order}
        for row in rows:
            if name := part_of(row):
                parts[name].append(row)
        found[division] = {name: measured(members) for name, members in parts.items() if members}
    return {division: parts for division, parts in found.items() if parts}


def measured(rows: Sequence[Row]) -> dict[str, Any]:
    """Agreement of scored rows, with intervals (None where there are too few questions) and both means. Where the person
    gave all the same score there is nothing to go along with, and correlations and kappa are None."""
    given, person = [row.score for row in rows], [row.person for row in rows]
    questions = [row.question for row in rows]
    constant = dict.fromkeys(_NEED_VARIANCE) if len(set(person)) == 1 else {}
    spans = intervals(given, person, questions)
    return {
        **agreement(given, person),
        **constant,
        "questions": len(set(questions)),
        "given": float(np.mean(given)),
        "person": float(np.mean(person)),
        "intervals": {name: span for name, span in spans.items() if name not in constant} if spans else None,
    }


def _length(rows: Sequence[Row]) -> Mapping[int, str]:
    """For each number of words that occurs the name of its quarter, short ones first."""
    counts = sorted({row.words for row in rows})
    cuts = np.quantile([row.words for row in rows], np.linspace(0, 1, _PARTS + 1)[1:-1])
    quarter = np.searchsorted(cuts, counts, side="left")
    names: dict[int, str] = {}
    for q in np.unique(quarter):
        members = [count for count, own in zip(counts, quarter, strict=True) if own == q]
        span = f"{members[0]}" if members[0] == members[-1] else f"{members[0]} to {members[-1]}"
        names |= dict.fromkeys(members, f"{span} words")
    return names
