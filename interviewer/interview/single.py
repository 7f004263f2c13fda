"""One reply graded outside of a conversation, by the same judge and rubrics as in one: for scripts and the harness."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from pydantic import ValidationError, field_validator

from interviewer.bank.bank import Bank
from interviewer.bank.rubric import question_from_reference
from interviewer.errors import UsageError
from interviewer.interview.state import Judge
from interviewer.models import MAX_SCORE, Question, Sentence, Value

_SAME_QUESTION = 0.9  # cosine from which another wording is taken for a question of the bank
_NO_RUBRIC = "The bank has no such question and no reference was given, so there is nothing to grade against."


class Item(Value):
    id: str | int
    question: Sentence
    answer: str
    reference: str = ""

    @field_validator("answer", "reference")
    @classmethod
    def _encodable(cls, text: str) -> str:
        text.encode("utf-8")  # half of a surrogate pair is no text; its error is a ValueError
        return text


def grade_lines(lines: Iterable[str], bank: Bank, judge: Judge) -> Iterator[dict[str, Any]]:
    """One result a line, in order. Every line is checked before the first is graded; raises UsageError
    naming each that is no item."""
    items = _read(lines)
    for item in items:
        yield grade_item(item, bank, judge)


def grade_item(item: Item, bank: Bank, judge: Judge) -> dict[str, Any]:
    """Against the rubric of the bank's question with these words; else against one derived from ``reference``."""
    question = find_question(item.question, item.reference, bank)
    if question is None:
        return {
            "id": item.id,
            "score": None,
            "max_score": MAX_SCORE,
            "confidence": 0.0,
            "unscored": _NO_RUBRIC,
            "points": [],
        }
    verdict = judge.grade(question, item.answer, references=question.references)
    return {
        "id": item.id,
        "score": verdict.score,
        "max_score": MAX_SCORE,
        "confidence": verdict.confidence,
        "unscored": verdict.unscored or None,
        "points": [
            {"point": p.claim, "verdict": p.verdict.value, "quote": p.quote, "weight": p.weight} for p in verdict.points
        ],
    }


def find_question(text: str, reference: str, bank: Bank) -> Question | None:
    """A reference that was handed in is the measure; without one, the bank's question that reads (nearly) the same."""
    if reference.strip():
        same = [q for q in bank.questions() if q.question.strip() == text.strip() and not q.derived]
        return same[0] if same else question_from_reference(text, reference)
    hit = bank.same_question(text)
    return bank.get(hit.id) if hit and hit.score >= _SAME_QUESTION else None


def _read(lines: Iterable[str]) -> list[Item]:
    items, mistakes = [], []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            data = json.loads(line)
            wanted = {k: v for k, v in data.items() if k in Item.model_fields and v is not None}
            items.append(Item.model_validate(wanted))
        except (json.JSONDecodeError, AttributeError):
            mistakes.append(f"line {number}: not a JSON object")
        except ValidationError as error:
            first = error.errors()[0]
            mistakes.append(f"line {number}: {first['loc'][0] if first['loc'] else 'item'}: {first['msg']}")
    if mistakes:
        raise UsageError("Nothing was graded; these lines are no items:\n" + "\n".join(mistakes))
    return items
