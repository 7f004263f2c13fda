"""What every question of our own bank must be, beyond the form of its file.

Promises that each broken rule is told with the question that breaks it. Rules here can be counted; whether a question
is any good, and whether what it says is so, is for readers and for ``bank prove``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

import numpy as np

from interviewer.bank.terms import subject, without_framework
from interviewer.embedding import Matrix
from interviewer.models import Kind, Question, Task

POINTS = (3, 7)
MISCONCEPTIONS = 2
HINTS = 3
WORDINGS = 3  # other ways to ask
RIGHT, WRONG = 2, 3  # submissions beside the solution
LONGEST_SENTENCE = 42  # words
HARDEST = 13.0  # school grade, of the question's text
NEARLY_THE_SAME = 0.90  # cosine of two questions' texts
_TOLD = 0.6  # of the words that a claim adds to the question
_TOLD_FROM = 3  # words
_RUN = 7  # words that a follow-up or a hint may not take from a claim in a row

_CODE = re.compile(r"`[^`]*`|\S*[_.(\[=]\w\S*")
_SENTENCE = re.compile(r"[.!?;]\s+|:\s+")
_VOWELS = re.compile(r"[aeiouy]+")


def broken_rules(questions: Sequence[Question], encode: Callable[[Sequence[str]], Matrix]) -> Iterator[tuple[str, str]]:
    """(question's id, sentence) for each rule that is not kept."""
    for question in questions:
        for sentence in (*_amounts(question), *_given_away(question), *_hard_to_read(question)):
            yield question.id, sentence
        if question.task:
            yield from ((question.id, sentence) for sentence in _submissions(question.task))
    yield from _doubles(questions, encode)


def _amounts(question: Question) -> Iterator[str]:
    points = question.points
    if not POINTS[0] <= len(points) <= POINTS[1]:
        yield f"it has {len(points)} points; {POINTS[0]} to {POINTS[1]} are asked for"
    if len({p.weight for p in points}) == 1:
        yield "all points weigh the same"
    for p in points:
        if not p.also and not p.proven_by:
            yield f"point {p.id} has no other way to say it (also)"
        if not p.follow_up_answer:
            yield f"point {p.id} has no ideal answer to its follow-up"
    if len(question.misconceptions) < MISCONCEPTIONS:
        yield f"it has {len(question.misconceptions)} misconceptions; at least {MISCONCEPTIONS} are asked for"
    if len(question.also) < WORDINGS:
        yield f"it has {len(question.also)} other ways to ask it (also); at least {WORDINGS} are asked for"
    if len(question.hints) < HINTS:
        yield f"its ladder has {len(question.hints)} hints; at least {HINTS} are asked for"
    if not question.sources:
        yield "it names no source"
    if len(question.references) < 2:
        yield "it has no section ## In depth"
    named = {each.shown_by for each in points} | {each.shown_by for each in question.misconceptions}
    if idle := sorted({e.name for e in question.experiments} - named):
        yield f"no point and no misconception names the experiment {', '.join(idle)}"
    if question.kind in (Kind.CODE, Kind.FASTER, Kind.FIT) and not question.task:
        yield f"it is of the kind {question.kind.value} and has no task"


def _given_away(question: Question) -> Iterator[str]:
    asked = subject(question.question).terms
    for point in question.points:
        adds = subject(point.claim).terms - asked
        told = adds & subject(point.follow_up).terms
        if len(told) >= _TOLD_FROM and len(told) >= _TOLD * len(adds):
            yield f"the follow-up to {point.id} says what it asks for: {', '.join(sorted(told))}"
    for text in (*(p.follow_up for p in question.points), *question.hints):
        if any(_run_of_words(text, p.claim) >= _RUN for p in question.points):
            yield f"this recites a claim: {text}"


def _hard_to_read(question: Question) -> Iterator[str]:
    text = _CODE.sub("name", question.question)
    sentences = [s for s in _SENTENCE.split(text) if s.strip()]
    if (longest := max(len(s.split()) for s in sentences)) > LONGEST_SENTENCE:
        yield f"its text has a sentence of {longest} words; at most {LONGEST_SENTENCE} can be followed by ear"
    if (grade := reading_grade(sentences)) > HARDEST:
        yield f"its text reads at grade {grade:.1f}; at most {HARDEST:.0f} is asked for"


def reading_grade(sentences: Sequence[str]) -> float:
    """The Flesch-Kincaid grade level, 0.39 words/sentence + 11.8 syllables/word - 15.59 (Kincaid et al., 1975).
    Syllables are counted as groups of vowels, a silent e at the end left out."""
    words = [w for s in sentences for w in re.findall(r"[a-z']+", s.lower())]
    syllables = sum(max(1, len(_VOWELS.findall(w)) - (w.endswith("e") and not w.endswith("le"))) for w in words)
    return 0.39 * len(words) / len(sentences) + 11.8 * syllables / len(words) - 15.59


def _submissions(task: Task) -> Iterator[str]:
    right = sum(each.right for each in task.submissions)
    wrong = len(task.submissions) - right
    if right < RIGHT or wrong < WRONG:
        yield f"its task has {right} right and {wrong} wrong submissions; at least {RIGHT} and {WRONG} are asked for"
    codes = [task.solution, *(each.code for each in task.submissions)]
    if any(one == other for one, other in pairwise(sorted(codes))):
        yield "two of its submissions are the same code"


def _doubles(questions: Sequence[Question], encode: Callable[[Sequence[str]], Matrix]) -> Iterator[tuple[str, str]]:
    vectors = encode([without_framework(q.question) for q in questions])
    near = np.triu(vectors @ vectors.T, k=1)
    for one, other in np.argwhere(near >= NEARLY_THE_SAME):
        yield questions[one].id, f"it nearly is {questions[other].id} ({near[one, other]:.2f})"


def _run_of_words(one: str, other: str) -> int:
    """The longest run of words that two texts share."""
    a, b = one.lower().split(), other.lower().split()
    best = 0
    for i in range(len(a)):
        while any(b[j : j + best + 1] == a[i : i + best + 1] for j in range(len(b) - best)) and i + best < len(a):
            best += 1
    return best
