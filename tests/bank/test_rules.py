"""Each rule of the bank finds the question that breaks it, and only that."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from interviewer.bank.corpus import read_corpus
from interviewer.bank.rules import broken_rules, reading_grade
from interviewer.embedding import Embedder
from interviewer.models import Experiment, Kind, Question, Task

pytestmark = pytest.mark.models

EXAMPLE = (Path(__file__).parents[2] / "docs" / "bank.md").read_text()
EXAMPLE = EXAMPLE.split("`````markdown\n")[1].split("\n`````")[0]
TASK = Task(entry="f", starter="", judge="", solution="f = 1", checks=("values",))  # type: ignore[arg-type]


@pytest.fixture
def good(tmp_path: Path) -> Question:
    (tmp_path / "grad-accumulation.md").write_text(EXAMPLE)
    [question] = read_corpus(tmp_path)
    point = question.points[0]
    more = [point.model_copy(update={"id": f"more-{n}", "weight": n, "claim": f"Claim {n}."}) for n in (1, 2)]
    wrong = question.misconceptions[0]
    return question.model_copy(
        update={
            "points": (point, *more),
            "misconceptions": (wrong, wrong.model_copy(update={"id": "another"})),
        }
    )


def broken(question: Question, embedder: Embedder) -> list[str]:
    return [sentence for _, sentence in broken_rules([question], embedder.encode)]


def test_a_question_that_keeps_them_breaks_none(good: Question, embedder: Embedder) -> None:
    assert broken(good, embedder) == []


@pytest.mark.parametrize(
    ("update", "said"),
    [
        (lambda q: {"points": q.points[:2]}, "it has 2 points"),
        (
            lambda q: {"points": tuple(p.model_copy(update={"weight": 2}) for p in q.points)},
            "all points weigh the same",
        ),
        (lambda q: {"points": (q.points[0].model_copy(update={"also": ()}), *q.points[1:])}, "no other way to say it"),
        (
            lambda q: {"points": (q.points[0].model_copy(update={"follow_up_answer": ""}), *q.points[1:])},
            "no ideal answer",
        ),
        (lambda q: {"misconceptions": q.misconceptions[:1]}, "it has 1 misconceptions"),
        (lambda q: {"hints": q.hints[:2]}, "2 hints"),
        (lambda q: {"also": q.also[:2]}, "2 other ways to ask it"),
        (lambda q: {"sources": ()}, "no source"),
        (lambda q: {"references": q.references[:1]}, "In depth"),
        (lambda q: {"kind": Kind.CODE}, "has no task"),
        (lambda q: {"question": "Why " + "and why " * 30 + "not?"}, "a sentence of"),
        (
            lambda q: {
                "question": "Characterise regularisation methodologies facilitating multidimensional generalisation?"
            },
            "reads at grade",
        ),
        (
            lambda q: {
                "hints": ("It adds new gradients to what .grad already holds instead of replacing it.", *q.hints)
            },
            "recites a claim",
        ),
        (lambda q: {"task": TASK}, "0 right and 0 wrong"),
        (
            lambda q: {"experiments": (*q.experiments, Experiment(name="idle", code="1", prints="1", shows="One."))},
            "names the experiment idle",
        ),
    ],
)
def test_each_rule_finds_what_breaks_it(good: Question, embedder: Embedder, update: Any, said: str) -> None:
    fields = dict(good.model_copy(update=update(good)))
    found = broken(Question.model_construct(**fields), embedder)
    assert any(said in sentence for sentence in found), found


def test_a_follow_up_that_tells_what_it_asks_for_is_found(good: Question, embedder: Embedder) -> None:
    point = good.points[0].model_copy(update={"follow_up": "So backward adds new gradients to what .grad holds?"})
    found = broken(good.model_copy(update={"points": (point, *good.points[1:])}), embedder)
    assert any("says what it asks for" in sentence for sentence in found), found


def test_two_questions_that_nearly_are_one_are_found(good: Question, embedder: Embedder) -> None:
    words = good.question.replace("training loops", "a training loop")
    double = good.model_copy(update={"id": "double", "question": words})
    assert [name for name, _ in broken_rules([good, double], embedder.encode)] == [good.id]


def test_the_reading_grade_is_that_of_the_formula() -> None:
    # 6 words and 6 syllables in one sentence: 0.39 * 6 + 11.8 * 1 - 15.59
    assert reading_grade(["The cat sat on the mat"]) == pytest.approx(0.39 * 6 + 11.8 - 15.59)
