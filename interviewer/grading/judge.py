"""The embedded judge: a reply and a question's rubric into a verdict, without a language model.

Promises: every covered, partial or contradicted point that words earned comes with a quote that stands in the
reply; points proven by runs are decided by the run alone; the same reply gets the same verdict. Weak spots: it
knows paraphrases as far as MiniLM does, and errors that no authored misconception names may pass as missing.
"""

from __future__ import annotations

from collections.abc import Sequence

from interviewer.embedding import Embedder
from interviewer.grading.choice import chosen_letter
from interviewer.grading.features import Measured, measure
from interviewer.grading.model import PointModel, shipped_model
from interviewer.grading.score import score_of
from interviewer.grading.text import Unit
from interviewer.models import (
    Choice,
    CodeRun,
    HeldMisconception,
    Outcome,
    Point,
    PointVerdict,
    Question,
    Reference,
    Standing,
    Verdict,
)

NAME = "embedded"
_CONTRADICTED_FROM = 0.5  # probability
_COVERED_FROM, _PARTIAL_FROM = 0.6, 0.4  # expected credit; between the two the judge is in two minds


class EmbeddedJudge:
    """Grades replies with MiniLM features and a small fitted model."""

    def __init__(self, embedder: Embedder, model: PointModel | None = None):
        self._embedder = embedder
        self._model = model

    def grade(
        self,
        question: Question,
        reply: str,
        *,
        probing: str = "",
        run: CodeRun | None = None,
        references: tuple[Reference, ...] = (),
    ) -> Verdict:
        """The verdict on ``reply`` alone. ``probing``: the id of the point that a follow-up had asked for;
        ``run``: what the reply's code did; ``references``: what was retrieved on this question."""
        if question.choice:
            return _grade_choice(question, question.choice, reply)
        measured = {m.point.id: m for m in measure(question, reply, self._embedder, probing, references)}
        infrastructure = run is not None and run.outcome is Outcome.INFRASTRUCTURE
        points = [
            _by_run(p, run) if p.proven_by else self._by_words(measured[p.id])
            for p in question.points
            if not (p.proven_by and infrastructure)
        ]
        held = _held(points, measured)
        return Verdict(
            points=tuple(points),
            misconceptions=held,
            score=score_of(points, held) if points else None,
            confidence=_confidence(points),
            unscored="The code could not be run here, so what it proves was left out." if infrastructure else "",
            judge=NAME,
        )

    def _by_words(self, measured: Measured) -> PointVerdict:
        point, unit = measured.point, measured.unit
        if unit is None:
            return _standing(point, Standing.MISSING, 1.0)
        chances = (self._model or shipped_model()).probabilities(measured.features)
        wrong, misconception = chances[Standing.CONTRADICTED], measured.misconception
        if misconception and measured.wrong_unit and wrong > _CONTRADICTED_FROM:
            return _standing(point, Standing.CONTRADICTED, wrong, measured.wrong_unit, misconception.id)
        credit = chances[Standing.COVERED] + 0.5 * chances[Standing.PARTIAL]
        if credit > _COVERED_FROM:
            return _standing(point, Standing.COVERED, credit, unit)
        if credit > _PARTIAL_FROM:
            return _standing(point, Standing.PARTIAL, 0.5, unit)
        return _standing(point, Standing.MISSING, 1 - credit)


def _standing(
    point: Point, standing: Standing, probability: float, unit: Unit | None = None, misconception: str = ""
) -> PointVerdict:
    return PointVerdict(
        point=point.id,
        claim=point.claim,
        verdict=standing,
        weight=point.weight,
        quote=unit.text if unit else "",
        probability=round(min(1.0, probability), 3),
        misconception=misconception,
    )


def _by_run(point: Point, run: CodeRun | None) -> PointVerdict:
    proven = run is not None and run.proves(point.proven_by)
    verdict = _standing(point, Standing.COVERED if proven else Standing.MISSING, 1.0)
    return verdict.model_copy(update={"proven_by_run": proven})


def _grade_choice(question: Question, choice: Choice, reply: str) -> Verdict:
    """A multiple-choice reply: the letter that it names, alone or first."""
    letter = chosen_letter(reply, choice)
    right = letter == choice.correct
    standing = Standing.COVERED if right else Standing.MISSING
    points = [
        _standing(p, standing, 1.0).model_copy(update={"quote": reply.strip() if right else ""})
        for p in question.points
    ]
    return Verdict(points=tuple(points), score=score_of(points, ()), confidence=1.0 if letter else 0.5, judge=NAME)


def _held(points: Sequence[PointVerdict], measured: dict[str, Measured]) -> tuple[HeldMisconception, ...]:
    """Each misconception that some point fell to, once, with the words that show it."""
    held: dict[str, HeldMisconception] = {}
    for p in points:
        misconception = measured[p.point].misconception if p.misconception else None
        if misconception and misconception.id not in held:
            held[misconception.id] = HeldMisconception(
                id=misconception.id, quote=p.quote, correction=misconception.correction
            )
    return tuple(held.values())


def _confidence(points: Sequence[PointVerdict]) -> float:
    """The points' probabilities, averaged by weight."""
    total = sum(p.weight for p in points)
    return round(sum(p.weight * p.probability for p in points) / total, 3) if total else 0.0
