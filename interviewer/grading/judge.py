"""The embedded judge: a reply and a question's rubric into a verdict, without a language model.

Promises: every covered, partial or contradicted point that words earned comes with a quote that stands in the
reply; points proven by runs are decided by the run alone; the same reply gets the same verdict. Weak spots: see ``reader``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from interviewer.grading.choice import chosen_letter
from interviewer.grading.confidence import confidence_of, spread
from interviewer.grading.decision import Decision, Summary, signs_of_misconception, signs_of_point, summary
from interviewer.grading.guard import earning
from interviewer.grading.reader import ORDER, ClaimReader, card
from interviewer.grading.score import score_of
from interviewer.grading.text import Unit
from interviewer.models import (
    Choice,
    CodeRun,
    HeldMisconception,
    Misconception,
    Outcome,
    Point,
    PointVerdict,
    Question,
    Reference,
    Standing,
    Value,
    Verdict,
)

NAME = "embedded"


class Thresholds(Value):
    """From which chance, or expected credit, something counts, and the curve of the confidence."""

    covered: float = 0.5
    partial: float = 0.4
    contradicted: float = 0.5
    held: float = 0.5
    confidence_at_none: float = 3.0
    confidence_fall: float = 1.0


@dataclass(frozen=True)
class Heard:
    """What a reply says: the chance of each standing for every point that words can earn, the chance that each
    misconception is held, and the sentence that speaks for each of them; nothing where nothing was heard."""

    points: Mapping[str, Mapping[Standing, float]]
    held: Mapping[str, float]
    units: Mapping[str, Unit]


def read_reply(reader: ClaimReader, question: Question, reply: str, probing: str = "") -> dict[str, Summary]:
    """A Summary for each point that words can earn and for each misconception, by id; none where there are none, or where no
    sentence of the reply may earn anything. ``probing``: the id of the point that a follow-up had asked for."""
    follow_up = question.point(probing).follow_up if probing else ""
    sentences = earning(reply, f"{question.question} {follow_up}".strip())
    claims = _claims(question, probing)
    if not sentences or not claims:
        return {}
    found = reader.read(sentences, [text for texts in claims.values() for text in texts])
    readings = iter(found)
    return {name: summary([next(readings) for _ in texts]) for name, texts in claims.items()} if found else {}


def weigh(question: Question, read: Mapping[str, Summary], decision: Decision) -> Heard:
    points, held = {}, {}
    for p in (p for p in question.points if p.id in read):
        chances = decision.points.chances(signs_of_point(question, p.id, read))
        points[p.id] = dict(zip(ORDER, chances.tolist(), strict=True))
    if decision.misconceptions:
        for m in (m for m in question.misconceptions if m.id in read):
            held[m.id] = float(decision.misconceptions.chances(signs_of_misconception(question, m, read))[1])
    return Heard(points, held, {name: s.unit for name, s in read.items()})


def _claims(question: Question, probing: str) -> dict[str, tuple[str, ...]]:
    """What a reply is read for, by the id of the point or misconception."""
    claims = {p.id: _wordings(p, probing) for p in question.points if not p.proven_by}
    return claims | {m.id: (m.claim, *m.also) for m in question.misconceptions}


def _wordings(point: Point, probing: str) -> tuple[str, ...]:
    """The ways to say a point. A short answer is understood by what was asked, so a point that was asked for is also read
    together with its follow-up, and as the answer that was hoped for."""
    if point.id != probing:
        return (point.claim, *point.also)
    answer = (point.follow_up_answer,) if point.follow_up_answer else ()
    return (point.claim, *point.also, f"{point.follow_up} {point.claim}", *answer)


class Rules(Value):
    """How readings become a verdict: fitted with the weights, see ``eval.training``."""

    decision: Decision
    thresholds: Thresholds


class RuleBook(Value):
    """``beside_misconceptions``: for a question that names some; ``points_alone``: for one that names none, such as one whose
    rubric was derived from a reference answer. There the points alone must show what is wrong."""

    beside_misconceptions: Rules
    points_alone: Rules

    def of(self, question: Question) -> Rules:
        return self.beside_misconceptions if question.misconceptions else self.points_alone


def shipped_rules() -> RuleBook:
    return RuleBook.model_validate(card()["rules"])


class EmbeddedJudge:
    """Grades replies by what the ClaimReader finds in them."""

    def __init__(self, reader: ClaimReader | None = None, rules: RuleBook | None = None):
        self._reader = reader or ClaimReader()
        self._given = rules

    def warm(self) -> None:
        self._reader.warm()

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
        ``run``: what the reply's code did. ``references`` are for judges that read passages; this one reads claims."""
        return self.verdict(question, self.hear(question, reply, probing), run, reply)

    def prepare(self, question: Question, probing: str = "") -> None:
        """Does what grading a first reply to it begins with, so that the reply needn't wait for that. Changes no verdict; does nothing
        before the models are loaded."""
        if not question.choice:
            self._reader.prepare([text for texts in _claims(question, probing).values() for text in texts])

    def hear(self, question: Question, reply: str, probing: str = "") -> Heard:
        """What the reply says of each point and misconception; nothing for a choice, which is graded by its letter."""
        if question.choice:
            return Heard({}, {}, {})
        return weigh(question, read_reply(self._reader, question, reply, probing), self._rules_of(question).decision)

    def verdict(self, question: Question, heard: Heard, run: CodeRun | None, reply: str) -> Verdict:
        """What was heard, by this judge or with another's help, as a verdict."""
        if question.choice:
            return _grade_choice(question, question.choice, reply)
        return verdict_of(question, heard, run, self._rules_of(question).thresholds)

    def _rules_of(self, question: Question) -> Rules:
        if self._given is None:
            self._given = shipped_rules()
        return self._given.of(question)


def verdict_of(question: Question, heard: Heard, run: CodeRun | None, thresholds: Thresholds) -> Verdict:
    """What was heard and what ran, as a verdict."""
    infrastructure = run is not None and run.outcome is Outcome.INFRASTRUCTURE
    judged = [p for p in question.points if not (p.proven_by and infrastructure)]
    held = [m for m in question.misconceptions if heard.held.get(m.id, 0.0) > thresholds.held]
    points = [_by_run(p, run) if p.proven_by else _by_words(p, heard, held, thresholds) for p in judged]
    said = tuple(HeldMisconception(id=m.id, quote=heard.units[m.id].text, correction=m.correction) for m in held)
    return Verdict(
        points=tuple(points),
        misconceptions=said,
        score=score_of(points, said) if points else None,
        confidence=confidence_of(
            spread(judged, heard.points), thresholds.confidence_at_none, thresholds.confidence_fall
        ),
        unscored="The code could not be run here, so what it proves was left out." if infrastructure else "",
        judge=NAME,
    )


def _by_words(point: Point, heard: Heard, held: Sequence[Misconception], thresholds: Thresholds) -> PointVerdict:
    """A point that a held misconception denies is contradicted by the words that hold it."""
    if denial := next((m for m in held if point.id in m.contradicts), None):
        quote = heard.units[denial.id].text
        return _standing(point, Standing.CONTRADICTED, heard.held[denial.id], quote, misconception=denial.id)
    if point.id not in heard.points:
        return _standing(point, Standing.MISSING, 1.0)
    chances, quote = heard.points[point.id], heard.units[point.id].text
    if chances[Standing.CONTRADICTED] > thresholds.contradicted:
        return _standing(point, Standing.CONTRADICTED, chances[Standing.CONTRADICTED], quote)
    credit = chances[Standing.COVERED] + 0.5 * chances[Standing.PARTIAL]
    if credit > thresholds.covered:
        return _standing(point, Standing.COVERED, credit, quote)
    if credit > thresholds.partial:
        return _standing(point, Standing.PARTIAL, 0.5, quote)
    return _standing(point, Standing.MISSING, 1 - credit)


def _standing(
    point: Point, standing: Standing, probability: float, quote: str = "", *, misconception: str = "", run: bool = False
) -> PointVerdict:
    return PointVerdict(
        point=point.id,
        claim=point.claim,
        verdict=standing,
        weight=point.weight,
        quote=quote,
        probability=round(min(1.0, probability), 3),
        misconception=misconception,
        proven_by_run=run,
    )


def _by_run(point: Point, run: CodeRun | None) -> PointVerdict:
    proven = run is not None and run.proves(point.proven_by)
    return _standing(point, Standing.COVERED if proven else Standing.MISSING, 1.0, run=proven)


def _grade_choice(question: Question, choice: Choice, reply: str) -> Verdict:
    """A multiple-choice reply: the letter that it names, alone or first."""
    letter = chosen_letter(reply, choice)
    right = letter == choice.correct
    standing = Standing.COVERED if right else Standing.MISSING
    points = [_standing(p, standing, 1.0, reply.strip() if right else "") for p in question.points]
    return Verdict(points=tuple(points), score=score_of(points, ()), confidence=1.0 if letter else 0.5, judge=NAME)
