"""Graded cases made by hand, for tests of the figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from eval.cases import Case
from eval.grading import evaluate
from interviewer.interview.single import Graded
from interviewer.models import (
    HeldMisconception,
    Kind,
    Level,
    Misconception,
    Point,
    PointVerdict,
    Question,
    Reference,
    Standing,
    Topic,
    Verdict,
)

COVERED, PARTIAL, MISSING, CONTRADICTED = Standing


def question(name: str, kind: Kind = Kind.EXPLAIN, level: Level = Level.MID) -> Question:
    """Two points, ``adds`` and ``clears``, and the misconception ``replaces``."""
    return Question(
        id=name,
        question=f"What does backward do in {name}?",
        topic=Topic.AUTOGRAD,
        level=level,
        kind=kind,
        points=(
            Point(id="adds", claim="Gradients are added up.", weight=3, follow_up="What happens the second time?"),
            Point(id="clears", claim="zero_grad clears them.", weight=2, follow_up="How do you start afresh?"),
        ),
        misconceptions=(
            Misconception(
                id="replaces", claim="It replaces them.", correction="It adds to them.", contradicts=("adds",)
            ),
        ),
        references=(Reference(source="here", text="Gradients are added up until zero_grad clears them."),),
    )


def verdict(
    score: float | None,
    points: Mapping[str, Standing] | None = None,
    *,
    probability: float = 0.9,
    confidence: float = 0.8,
    quote: str = "",
    holds: Sequence[str] = (),
) -> Verdict:
    return Verdict(
        points=tuple(
            PointVerdict(
                point=name, claim=f"The claim {name}.", verdict=standing, weight=2, probability=probability, quote=quote
            )
            for name, standing in (points or {}).items()
        ),
        misconceptions=tuple(HeldMisconception(id=name, quote="", correction="No.") for name in holds),
        score=score,
        confidence=confidence,
        judge="by hand",
    )


def case(
    name: str,
    score: float,
    *,
    asked: str = "q",
    answer: str = "They are added up.",
    style: str = "",
    points: Mapping[str, Standing] | None = None,
    misconceptions: tuple[str, ...] = (),
    label: str = "",
    second: float | None = None,
) -> Case:
    return Case(
        id=name,
        question=f"What does backward do in {asked}?",
        question_id=asked,
        answer=answer,
        score=score,
        max_score=5,
        style=style,
        points=dict(points or {}),
        misconceptions=misconceptions,
        label=label,
        second=second,
    )


def graded(of: Case, given: Verdict | None, unscored: str = "") -> Graded:
    return Graded(id=of.id, question_id=of.question_id, verdict=given, unscored=unscored, seconds=0.02)


def letters(texts: Sequence[str]) -> NDArray[np.float32]:
    """Unit vectors of how often each letter occurs: enough for a cosine, without a model."""
    counts = np.array([[1e-3 + text.lower().count(c) for c in "abcdefghijklmnopqrstuvwxyz"] for text in texts])
    return (counts / np.linalg.norm(counts, axis=1, keepdims=True)).astype(np.float32)


def run_of(pairs: Sequence[tuple[Case, Verdict | None]], name: str = "made") -> dict[str, object]:
    """The figures of a run, as ``python -m eval grading --json`` writes them."""
    questions = {c.question_id: question(c.question_id) for c, _ in pairs}
    results = [graded(c, v, "" if v else "There is nothing to grade against.") for c, v in pairs]
    figures = evaluate([c for c, _ in pairs], results, questions, letters)
    return {"run": name, "grader": "0123456789ab"} | figures


def varied_pairs(questions: int = 8, off: float = 0.5) -> list[tuple[Case, Verdict | None]]:
    """Five replies to each of some questions; the grader is off by ``off``, up and down in turns, within 0 to 5."""
    styles = ("expert", "half", "vague", "misconception", "parrot")
    pairs: list[tuple[Case, Verdict | None]] = []
    for q in range(questions):
        for n, (style, score) in enumerate(zip(styles, (5.0, 2.5, 0.5, 1.5, 0.0), strict=True)):
            person = {"adds": COVERED if score > 2 else MISSING, "clears": COVERED if score > 4 else MISSING}
            answer = "They are added up, I think." + " Really." * (n * 3 + q)
            given = min(5.0, max(0.0, score + (off if (q + n) % 2 else -off)))
            stands = person if (q + n) % 3 else {"adds": COVERED, "clears": MISSING}
            pairs.append(
                (
                    case(f"{q}/{style}", score, asked=f"q{q}", answer=answer, style=style, points=person),
                    verdict(given, stands, quote="They are added up", confidence=0.5 + 0.1 * n),
                )
            )
    return pairs
