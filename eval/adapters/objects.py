"""Sets as JSON: an array, or one object a line. Short Answer Feedback as its authors publish it (``provided_answer``,
``reference_answer``, ``verification_feedback``), and objects that are nearly cases of ours.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

from eval.adapters.making import label_of, make_case, number, refused, text_of
from eval.adapters.xml import full_score
from eval.cases import Case
from interviewer.errors import UsageError

_SAF = ("question", "reference_answer", "provided_answer", "score")
_THEIRS = {"provided_answer", "raw_score", "label3"}
_EXACT = 1e-6


def read_json(path: Path) -> list[Case]:
    """Raises UsageError where it is no JSON or holds something that is no graded answer."""
    placed = [(place, as_object(place, value)) for place, value in _values(path)]
    saf = [(place, data) for place, data in placed if is_saf(data)]
    most = _full_scores(saf)
    return [make_case(place, **(from_saf(place, d, most) if is_saf(d) else from_normalised(d))) for place, d in placed]


def holds_public(path: Path) -> bool:
    """Whether the first line of JSON lines has a field that only public sets have. False for what can't be read."""
    try:
        first = json.loads(next(line for line in text_of(path).splitlines() if line.strip()))
    except (StopIteration, ValueError, RecursionError, UsageError):
        return False
    return isinstance(first, dict) and not _THEIRS.isdisjoint(first)


def as_object(place: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise refused(place, f"a graded answer is an object, and this is {json.dumps(value)[:60]}")
    return value


def is_saf(data: dict[str, Any]) -> bool:
    return all(name in data for name in _SAF)


def from_saf(place: str, data: dict[str, Any], most: dict[str, float]) -> dict[str, Any]:
    """``most``: what each question gives at most, see ``full_score``."""
    return {
        "id": data.get("id", ""),
        "question": data["question"],
        "reference": data["reference_answer"],
        "answer": data["provided_answer"],
        "score": number(place, "score", data["score"]),
        "max_score": most[data["question"]],
        "label": label_of(str(data.get("verification_feedback") or "")),
    }


def from_normalised(data: dict[str, Any]) -> dict[str, Any]:
    """A set in our own fields but for two: ``label3`` is the class, and ``score`` is a share where ``raw_score`` of
    ``max_score`` says the same."""
    fields = dict(data)
    if data.get("label3") and not data.get("label"):
        fields["label"] = label_of(str(data["label3"]))
    score, raw, most = (_number(data.get(name)) for name in ("score", "raw_score", "max_score"))
    if abs(score * most - raw) < _EXACT:
        fields["score"] = raw
    return fields


def _number(value: Any) -> float:
    """NaN for what is none, which compares with nothing."""
    try:
        return float(value) if isinstance(value, int | float) else math.nan
    except OverflowError:
        return math.nan


def _full_scores(saf: list[tuple[str, dict[str, Any]]]) -> dict[str, float]:
    graded: dict[str, list[tuple[str, float]]] = {}
    for place, data in saf:
        if not isinstance(data["question"], str):
            raise refused(place, "its question is no text")
        label = label_of(str(data.get("verification_feedback") or ""))
        graded.setdefault(data["question"], []).append((label, number(place, "score", data["score"])))
    return {question: full_score(answers) for question, answers in graded.items()}


def _values(path: Path) -> list[tuple[str, Any]]:
    text = text_of(path)
    if text.lstrip().startswith("["):
        return [(f"{path}, object {n}", value) for n, value in enumerate(_load(str(path), text), 1)]
    lines = [(f"{path}:{n}", line) for n, line in enumerate(text.splitlines(), 1) if line.strip()]
    return [(place, _load(place, line)) for place, line in lines]


def _load(place: str, text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise refused(place, f"this is no JSON: {error}") from error
