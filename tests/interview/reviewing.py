"""An interview of two questions without models: its judge says what the test told it to say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from interviewer.grading.score import score_of
from interviewer.interview.session import Interviews, Session
from interviewer.models import (
    CodeRun,
    HeldMisconception,
    Hit,
    Kind,
    Level,
    Misconception,
    Plan,
    Point,
    PointVerdict,
    Question,
    Reference,
    Standing,
    Topic,
    Verdict,
)
from interviewer.sandbox import Sandbox
from interviewer.settings import Settings

FIRST, SECOND = "zeroing", "stepping"
POINTS = ("adds", "clears", "when")


def question(name: str, wording: str = "Why zero_grad()?") -> Question:
    return Question(
        id=name,
        question=wording,
        topic=Topic.TRAINING,
        level=Level.JUNIOR,
        kind=Kind.EXPLAIN,
        points=tuple(
            Point(id=point, claim=f"Claim about {point}.", weight=weight, follow_up=f"What about {point}?")
            for point, weight in zip(POINTS, (3, 2, 1), strict=True)
        ),
        misconceptions=(
            Misconception(id="overwrites", claim="It overwrites.", correction="It adds.", contradicts=("adds",)),
        ),
        references=(Reference(source="bank", text="Gradients add up."),),
    )


class SmallBank:
    """Two questions; ``rewrite`` changes one, as an author would."""

    def __init__(self) -> None:
        self._questions = {name: question(name) for name in (FIRST, SECOND)}

    def rewrite(self, name: str) -> None:
        self._questions[name] = question(name, "Something else altogether?")

    def questions(self) -> tuple[Question, ...]:
        return tuple(self._questions.values())

    def get(self, question_id: str) -> Question:
        return self._questions[question_id]

    def references(self, question_id: str) -> tuple[Reference, ...]:
        return self._questions[question_id].references

    def neighbours(self, question_id: str, k: int) -> list[Hit]:
        return []


Told = dict[str, tuple[Standing, float]]


def verdict(
    told: Told, reply: str = "", *, confidence: float = 0.9, held: Sequence[str] = (), judge: str = "told"
) -> Verdict:
    """Points that are not told of are surely missing. What is not missing is quoted with the whole reply."""
    points = []
    for point in question(FIRST).points:
        standing, probability = told.get(point.id, (Standing.MISSING, 1.0))
        points.append(
            PointVerdict(
                point=point.id,
                claim=point.claim,
                verdict=standing,
                weight=point.weight,
                quote="" if standing is Standing.MISSING else reply,
                probability=probability,
                misconception="overwrites" if held and standing is Standing.CONTRADICTED else "",
            )
        )
    misconceptions = tuple(HeldMisconception(id=m, quote=reply, correction="It adds.") for m in held)
    score = score_of(points, misconceptions)
    return Verdict(points=tuple(points), misconceptions=misconceptions, score=score, confidence=confidence, judge=judge)


class ToldJudge:
    """Gives the verdicts that it was told, one a message; afterwards that surely nothing was said."""

    def __init__(self, *told: tuple[Told, float]):
        self._told: Iterator[tuple[Told, float]] = iter(told)

    def grade(
        self,
        question: Question,
        reply: str,
        *,
        probing: str = "",
        run: CodeRun | None = None,
        references: tuple[Reference, ...] = (),
    ) -> Verdict:
        told, confidence = next(self._told, ({}, 1.0))
        return verdict(told, reply, confidence=confidence)


def interview(
    settings: Settings, *told: tuple[Told, float], bank: SmallBank | None = None
) -> tuple[Interviews, Session]:
    rooms = Interviews(settings, bank=bank or SmallBank(), judge=ToldJudge(*told), sandbox=Sandbox(settings))
    return rooms, rooms.begin(Plan(only=(FIRST, SECOND)))
