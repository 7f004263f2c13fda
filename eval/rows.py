"""A graded case as one row: what a person said and what the grader said, side by side. All figures are made of rows.

A run's JSON keeps its rows, without the texts of questions and claims, so that two runs can be compared case by case.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pydantic import ConfigDict

from eval.cases import Case
from eval.classes import class_of
from interviewer.interview.single import Graded
from interviewer.models import MAX_SCORE, PointVerdict, Question, Standing, Value


class PointRow(Value):
    """``person`` is None where nobody said how the point stands. ``by_run``: only a run of code can earn it."""

    id: str
    verdict: Standing
    person: Standing | None
    probability: float
    weight: int
    quote: str = ""
    by_run: bool = False
    claim: str = ""


class Row(Value):
    """Scores are on 0 to 5; ``given`` is None where the case could not be graded, ``unscored`` says why. ``question``
    names the cluster: the bank's or the data set's id, else the question's words. ``label`` and ``given_label`` are
    classes, as ``classes`` knows them. ``labelled``: a person said which points and misconceptions are there."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str
    question: str
    answer: str
    person: float
    given: float | None
    confidence: float = 0.0
    unscored: str = ""
    second: float | None = None
    style: str = ""
    kind: str = ""
    topic: str = ""
    level: str = ""
    label: str = ""
    given_label: str = ""
    labelled: bool = False
    points: tuple[PointRow, ...] = ()
    misconceptions: tuple[str, ...] = ()
    person_misconceptions: tuple[str, ...] = ()
    seconds: float = 0.0
    text: str = ""
    reference: str = ""

    @property
    def score(self) -> float:
        """What was given, of a row that was scored."""
        assert self.given is not None
        return self.given

    @property
    def error(self) -> float:
        return abs(self.score - self.person)

    @property
    def words(self) -> int:
        return len(self.answer.split())

    def kept(self) -> dict[str, Any]:
        """As a run's JSON holds it."""
        return self.model_dump(
            mode="json",
            exclude={"text": True, "reference": True, "points": {"__all__": {"claim"}}},
            exclude_defaults=True,
        ) | {"given": self.given}


def make_rows(cases: Sequence[Case], graded: Sequence[Graded], questions: Mapping[str, Question]) -> list[Row]:
    """One for each case, in their order. Kind, topic and level are known where the bank's own rubric was used."""
    names = _names(cases)
    return [
        _row(name, case, result, questions.get(result.question_id))
        for name, case, result in zip(names, cases, graded, strict=True)
    ]


def _row(name: str, case: Case, graded: Graded, question: Question | None) -> Row:
    verdict = graded.verdict
    scored = verdict is not None and verdict.score is not None
    return Row(
        id=name,
        question=case.question_id or case.question,
        text=case.question,
        reference=case.reference or (" ".join(p.claim for p in question.points) if question else ""),
        answer=case.answer,
        person=_of_five(case.score, case),
        second=None if case.second is None else _of_five(case.second, case),
        given=verdict.score if verdict else None,
        confidence=verdict.confidence if verdict else 0.0,
        unscored="" if scored else graded.unscored or "The verdict has no score.",
        style=case.style,
        kind=question.kind.value if question else "",
        topic=question.topic.value if question else "",
        level=question.level.value if question else "",
        label=case.label,
        given_label=class_of(verdict) if verdict and case.label else "",
        labelled=bool(case.points),
        points=tuple(_point(p, case, question) for p in verdict.points) if verdict else (),
        misconceptions=tuple(m.id for m in verdict.misconceptions) if verdict else (),
        person_misconceptions=case.misconceptions,
        seconds=graded.seconds,
    )


def _point(p: PointVerdict, case: Case, question: Question | None) -> PointRow:
    return PointRow(
        id=p.point,
        verdict=p.verdict,
        person=case.points.get(p.point) if question else None,
        probability=p.probability,
        weight=p.weight,
        quote=p.quote,
        by_run=question is not None and any(q.id == p.point and q.proven_by for q in question.points),
        claim=p.claim,
    )


def _of_five(score: float, case: Case) -> float:
    return round(MAX_SCORE * score / case.max_score, 4)


def _names(cases: Iterable[Case]) -> list[str]:
    """Their ids; one made of the words where a case has none. The second of the same name becomes ``name#2``."""
    counted: Counter[str] = Counter()
    names = []
    for case in cases:
        name = case.id or hashlib.sha256(f"{case.question}\x1f{case.answer}".encode()).hexdigest()[:12]
        counted[name] += 1
        names.append(name if counted[name] == 1 else f"{name}#{counted[name]}")
    return names
