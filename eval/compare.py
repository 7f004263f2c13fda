"""Two runs over the same cases: what changed, by how much, and whether that is more than chance.

Takes the JSON of two gradings. Cases are paired by id; those that only one run scored, or whose person's score differs
between the two, are counted and left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import ConfigDict, ValidationError

from eval.bootstrap import FIGURES, paired_intervals
from eval.metrics import agreement
from eval.rows import Row
from interviewer.errors import UsageError
from interviewer.models import Value

_SHOWN = 20
_SMALLER_IS_BETTER = frozenset({"rmse", "mae"})


class Run(Value):
    """What is needed of a run's JSON."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    rows: tuple[Row, ...]
    run: str = ""
    grader: str = ""


def read_run(path: Path) -> Run:
    """Raises UsageError where ``path`` holds no figures of a grading."""
    try:
        return Run.model_validate_json(path.read_bytes())
    except OSError as error:
        raise UsageError(f"{path} can't be read: {error}. Nothing was compared.") from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "the file"
        raise UsageError(
            f"{path} holds no figures of a grading ({place}: {first['msg']}). Nothing was compared; "
            "`python -m eval grading --cases … --json OUT` writes such a file."
        ) from error


def compare(before: Run, after: Run) -> dict[str, Any]:
    """For each of Pearson, QWK, RMSE and mean absolute error: both values, the difference (``after`` less ``before``), its
    95 % interval over resampled questions (None where these are fewer than five) and ``verdict``: better, worse or open,
    which it is where the interval holds 0. ``changed``: the cases whose score changed most. Raises UsageError where the
    runs share no case."""
    pairs = _pairs(before, after)
    relabelled = [(a, b) for a, b in pairs if a.person != b.person]
    same = [(a, b) for a, b in pairs if a.person == b.person and a.given is not None and b.given is not None]
    if not same:
        raise UsageError("The two runs have no case in common that both scored, so there is nothing to compare.")
    first, second = [a.score for a, _ in same], [b.score for _, b in same]
    person, questions = [a.person for a, _ in same], [a.question for a, _ in same]
    was, is_now = agreement(first, person), agreement(second, person)
    spans = paired_intervals(first, second, person, questions) or {}
    changed = sorted((pair for pair in same if pair[0].score != pair[1].score), key=_by_change)
    return {
        "before": {"run": before.run, "grader": before.grader},
        "after": {"run": after.run, "grader": after.grader},
        "cases": len(same),
        "questions": len(set(questions)),
        "left_out": {
            "only_before": len(before.rows) - len(pairs),
            "only_after": len(after.rows) - len(pairs),
            "relabelled": len(relabelled),
            "unscored": len(pairs) - len(same) - len(relabelled),
        },
        "differences": {name: _difference(name, was[name], is_now[name], spans.get(name)) for name in FIGURES},
        "changed": {
            "total": len(changed),
            "nearer": sum(b.error < a.error for a, b in changed),
            "farther": sum(b.error > a.error for a, b in changed),
            "most": [_change(a, b) for a, b in changed[:_SHOWN]],
        },
    }


def _pairs(before: Run, after: Run) -> list[tuple[Row, Row]]:
    by_id = {row.id: row for row in after.rows}
    return [(row, by_id[row.id]) for row in before.rows if row.id in by_id]


def _difference(name: str, before: float, after: float, interval: Sequence[float] | None) -> dict[str, Any]:
    verdict = "open"
    if interval and not interval[0] <= 0 <= interval[1]:
        verdict = "better" if (after < before) == (name in _SMALLER_IS_BETTER) else "worse"
    return {
        "before": round(before, 4),
        "after": round(after, 4),
        "difference": round(after - before, 4),
        "interval": [round(end, 4) for end in interval] if interval else None,
        "verdict": verdict,
    }


def _by_change(pair: tuple[Row, Row]) -> tuple[float, str]:
    a, b = pair
    return -abs(b.score - a.score), a.id


def _change(a: Row, b: Row) -> dict[str, Any]:
    stood = {p.id: p.verdict for p in a.points}
    moved = {
        p.id: f"{stood[p.id].value} → {p.verdict.value}"
        for p in b.points
        if p.id in stood and p.verdict is not stood[p.id]
    }
    return {
        "id": a.id,
        "question": a.question,
        "answer": a.answer,
        "person": a.person,
        "before": a.score,
        "after": b.score,
        "points": moved,
    }
