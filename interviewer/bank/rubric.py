"""Imported questions as questions that can be asked and graded: a rubric out of the reference answer.

Promises: deterministic; one to seven points, each a claim of the answer; follow-ups that don't give the claim away;
``derived`` is set, so that everyone can tell such a rubric from an authored one. Finds no misconceptions and
writes no hints: nothing in a reference answer says what people get wrong.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import ceil
from typing import TYPE_CHECKING

from interviewer.bank.claims import claims, stands_alone
from interviewer.bank.follow_ups import follow_ups
from interviewer.bank.prose import Form, blocks
from interviewer.bank.slugs import slug
from interviewer.bank.terms import subject
from interviewer.models import Choice, Doubt, Kind, Level, Point, Question, Reference, Topic

if TYPE_CHECKING:
    from interviewer.bank.documents import DocumentQuestion

MAX_POINTS = 7
_ALL_OF = 5  # so many claims are kept as they are; of more, the most informative half
_LONG = 40  # words: such a claim is several at once
_OUTLINE = 200  # characters of code shown as a claim where an answer is code alone

_LEVEL_WORDS = {
    Level.JUNIOR: frozenset(
        "basic basics beginner foundational fundamental fundamentals introductory junior easy".split()
    ),
    Level.SENIOR: frozenset("advanced expert senior hard".split()),
}
_WANTS_CODE = re.compile(r"^(?:write|implement|code|complete)\b", re.IGNORECASE)
_WANTS_DEBUGGING = re.compile(
    r"\bdebug\w*|\bnan\b|\berrors?\b|\bfail(?:s|ing)?\b|\bwrong\b|\byou (?:observe|notice|see|get)\b|\byou['’]re getting\b",
    re.IGNORECASE,
)
_MINUTES = {Kind.CHOICE: 1, Kind.CODE: 8, Kind.DEBUG: 4}
QUICK_CHECK = "quick-check"


def derive_points(question: str, answer: str, doubts: Sequence[Doubt] = ()) -> tuple[Point, ...]:
    """The claims of ``answer`` (Markdown) as rubric points, in its order; one at least, seven at most. Those that are in
    doubt are left out, so that nobody loses by knowing better than a document."""
    said = claims(question, answer)
    doubted = {doubt.text for doubt in doubts}
    found = tuple(c for c in said if c not in doubted) or said or (_only_claim(question, answer),)
    chosen = _most_informative(question, found)
    ranked = sorted(chosen, key=lambda claim: -_informativeness(question, claim, found.index(claim)))
    asks = follow_ups(question, chosen)
    return tuple(
        Point(
            id=f"{number}-{slug(claim, 40)}",
            claim=claim,
            weight=_weight(ranked.index(claim), len(ranked)),
            follow_up=ask,
            follow_up_answer=claim,
        )
        for number, (claim, ask) in enumerate(zip(chosen, asks, strict=True), 1)
    )


def question_from_reference(question: str, reference: str) -> Question:
    """A question that somebody brings with a reference answer of their own: for grading one reply, not for the bank."""
    return Question(
        id=slug(question, 80, empty="question"),
        question=question,
        topic=Topic.FUNDAMENTALS,
        level=Level.MID,
        kind=kind_of(question),
        points=derive_points(question, reference),
        references=(Reference(source="given", text=reference),),
        derived=True,
    )


def to_question(read: DocumentQuestion, *, id: str, topic: Topic, source: str) -> Question:
    """What a document asks, ready to be asked: its topic is the caller's to find, level and kind come from cues.

    A quick check beside an answer is a question of its own: see ``to_quick_check``.
    """
    choice = None if read.answer.strip() else read.choice
    kind = Kind.CHOICE if choice else kind_of(read.question, read.label or "")
    reference = Reference(
        source=source,
        text=_told(choice) if choice else read.answer,
        indentation_lost=read.indentation_lost,
        doubts=read.doubted,
    )
    return Question(
        id=id,
        question=read.question,
        topic=topic,
        level=level_of(read.section or ""),
        kind=kind,
        minutes=_MINUTES.get(kind, 3),
        points=_choice_points(choice) if choice else derive_points(read.question, read.answer, read.doubted),
        references=(reference,),
        choice=choice,
        derived=True,
    )


def to_quick_check(read: DocumentQuestion, *, id: str, topic: Topic, source: str) -> Question | None:
    """The multiple-choice question that stands below an answer, or None where there is none."""
    if read.choice is None or not read.answer.strip():
        return None
    return Question(
        id=id,
        question=read.choice.question,
        topic=topic,
        level=level_of(read.section or ""),
        kind=Kind.CHOICE,
        minutes=_MINUTES[Kind.CHOICE],
        points=_choice_points(read.choice),
        references=(Reference(source=source, text=_told(read.choice)),),
        choice=read.choice,
        derived=True,
    )


def kind_of(question: str, label: str = "") -> Kind:
    if _WANTS_CODE.match(question):
        return Kind.CODE
    if subject(question).compares:
        return Kind.COMPARE
    return Kind.DEBUG if _WANTS_DEBUGGING.search(f"{label} {question}") else Kind.EXPLAIN


def level_of(section: str) -> Level:
    """A hint from the section's title ("Basic Concepts", "Advanced Topics"); else mid."""
    words = set(re.findall(r"[a-z]+", section.lower()))
    return next((level for level, known in _LEVEL_WORDS.items() if words & known), Level.MID)


def _only_claim(question: str, answer: str) -> str:
    """What to grade by where an answer makes no claim: its first words, or its code, or the question itself."""
    found = blocks(answer)
    prose = next((b.text for b in found if b.form not in (Form.CODE, Form.HEADING) and not b.text.endswith(":")), "")
    code = next((b.text for b in found if b.form is Form.CODE), "")
    if len(prose) > 2:
        return prose
    outline = "; ".join(line.strip() for line in code.splitlines() if line.strip())[:_OUTLINE]
    return f"The code does this: {outline}" if code else f"A right answer to: {question}"


def _most_informative(question: str, found: tuple[str, ...]) -> tuple[str, ...]:
    if len(found) <= _ALL_OF:
        return found
    limit = min(MAX_POINTS, max(_ALL_OF, ceil(len(found) / 2)))
    ranked = sorted(range(len(found)), key=lambda i: (-_informativeness(question, found[i], i), i))
    return tuple(found[i] for i in sorted(ranked[:limit]))


def _informativeness(question: str, claim: str, position: int) -> float:
    """More for new terms and names, less for what stands late, needs its neighbour or says too much at once."""
    said, asked = subject(claim), subject(question)
    return (
        min(len(said.terms - asked.terms), 8)
        + 1.5 * min(len(said.names - asked.terms), 3)
        + 2.0 * bool(said.terms & asked.terms)
        - 0.3 * position
        - 3.0 * (not stands_alone(claim))
        - 2.0 * (len(claim.split()) > _LONG)
    )


def _weight(rank: int, count: int) -> int:
    if rank == 0:
        return 4
    return 3 if rank < ceil(count / 2) else 2


def _choice_points(choice: Choice) -> tuple[Point, ...]:
    right = choice.options[ord(choice.correct) - ord("A")]
    return (
        Point(
            id="right-option",
            claim=f"The right option is {choice.correct}: {right}",
            weight=3,
            follow_up="Which of the options would you choose, and why not the others?",
            follow_up_answer=choice.explanation or right,
        ),
    )


def _told(choice: Choice) -> str:
    options = [f"- {chr(ord('A') + i)}. {option}" for i, option in enumerate(choice.options)]
    right = f"The right option is {choice.correct}."
    return "\n".join(options) + f"\n\n{right} {choice.explanation}".rstrip()
