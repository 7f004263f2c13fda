"""One reply graded outside of a conversation, by the same judge, rubrics and sandbox as in one: for scripts and the harness."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from pydantic import ValidationError, field_validator

from interviewer.bank.bank import Bank
from interviewer.bank.rubric import question_from_reference
from interviewer.errors import UsageError
from interviewer.interview.listen import code_of
from interviewer.interview.state import Judge, Sandbox
from interviewer.interview.tools import call, verify_tool
from interviewer.models import MAX_SCORE, CodeRun, Question, Sentence, Value, Verdict

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


class Graded(Value):
    """What became of an Item. ``question_id`` is empty where the rubric was derived from the item's own reference;
    ``verdict`` is None, with the reason in ``unscored``, where there was nothing to grade against."""

    id: str
    question_id: str = ""
    derived: bool = False
    verdict: Verdict | None = None
    unscored: str = ""
    seconds: float = 0.0

    def line(self) -> dict[str, Any]:
        """As ``interviewer grade`` prints it."""
        verdict = self.verdict
        return {
            "id": self.id,
            "score": verdict.score if verdict else None,
            "max_score": MAX_SCORE,
            "confidence": verdict.confidence if verdict else 0.0,
            "unscored": self.unscored or None,
            "points": [
                {"point": p.claim, "verdict": p.verdict.value, "quote": p.quote, "weight": p.weight}
                for p in (verdict.points if verdict else ())
            ],
        }


def grade_lines(
    lines: Iterable[str], bank: Bank, grader: Callable[[], Judge], sandbox: Sandbox
) -> Iterator[dict[str, Any]]:
    """One result a line, in order; ``grader`` gives a judge for each. Every line is checked before the first is graded; raises UsageError
    naming each that is no item."""
    items = _read(lines)
    for item in items:
        yield grade_item(item, bank, grader(), sandbox).line() | {"id": item.id}


def grade_item(item: Item, bank: Bank, judge: Judge, sandbox: Sandbox) -> Graded:
    """Against the rubric of the bank's question with these words; else against one derived from ``reference``. Code in a
    reply to a coding task is run."""
    question = find_question(item.question, item.reference, bank)
    if question is None:
        return Graded(id=str(item.id), unscored=_NO_RUBRIC)
    run = run_of(question, item.answer, sandbox)
    verdict = judge.grade(question, item.answer, run=run, references=question.references)
    return Graded(
        id=str(item.id),
        question_id="" if question.derived else question.id,
        derived=question.derived,
        verdict=verdict,
        unscored=verdict.unscored,
    )


def run_of(question: Question, answer: str, sandbox: Sandbox) -> CodeRun | None:
    """What the reply's code did; None where it holds none, or the question sets no task."""
    code = code_of(answer) if question.task else ""
    return call(verify_tool(sandbox, question.task, lambda _: None), code) if question.task and code.strip() else None


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
