"""What simulated candidates say, and how: words for a point or a wrong belief, in the manner of the one who speaks.

Words come first from labelled statements, which were written without the rubric's wording; they exist for the questions that
the judge was trained on. Elsewhere they are what the question's own file says a candidate might say, which a judge may know:
figures say how much of what was said came from where. Manners change the form and no fact.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from enum import StrEnum

from eval.training.statements import Statement, bank_statements
from interviewer.models import Misconception, Point, Question, Standing, Value


class Manner(StrEnum):
    PLAIN = "plain"
    TERSE = "terse"
    TALKATIVE = "talkative"
    SECOND_LANGUAGE = "second language"
    ASKS_FOR_HINTS = "asks for hints"
    GIVES_UP = "gives up"
    DISPUTES = "disputes"


class Source(StrEnum):
    """Where words come from."""

    STATEMENTS = "labelled statements"
    FILE = "the question's file"
    CODE = "submissions"
    NOTHING = "nothing said"


class Words(Value):
    text: str
    source: Source


_UNKNOWING = (
    "I don't know",
    "No idea, sorry.",
    "I'm not sure about that.",
    "I don't remember that.",
)
_VAGUE = (
    "Hm, I'd have to look that one up; in practice I change a setting and see whether the numbers get any better.",
    "I've seen this in a project of ours, but a colleague took care of it and I never looked into the details myself.",
    "It depends on the situation, I think, and one should always try a few variants before deciding on any of them.",
)
_OPENERS = (
    "Good question, let me think aloud for a moment.",
    "So, I had exactly this in my last job, more or less.",
    "Right, there are a few sides to this one, I'd say.",
)
_CLOSERS = (
    "That's how I would put it, at least, but stop me if you want more detail on any of it.",
    "And that's really the gist of it, as far as I'm concerned.",
    "I could go on about this for an hour, honestly.",
)
_ARTICLE = re.compile(r"\b(?:the|an?)\s+(?=[a-z])", re.IGNORECASE)
_CODE = re.compile(r"(```.*?```|`[^`\n]*`)", re.DOTALL)


class Material:
    """Words for every claim of every question. ``statements``: by question; those of the harness where none are given."""

    def __init__(self, statements: Mapping[str, Sequence[Statement]] | None = None):
        self._statements = bank_statements() if statements is None else statements

    def for_point(self, question: Question, point: Point, *, probed: bool = False) -> list[Words]:
        """Ways to say that the point is so. ``probed``: in answer to its follow-up."""
        said = self._labelled(question, point.id, Standing.COVERED)
        answer = _of_file(point.follow_up_answer) if point.follow_up_answer else []
        also = _of_file(*point.also)
        return said or (answer if probed else []) or also or answer or _of_file(point.claim)

    def for_mistake(self, question: Question, point: Point) -> list[Words]:
        """Ways to get the point wrong that no misconception of the file names; may be none."""
        return self._labelled(question, point.id, Standing.CONTRADICTED)

    def for_misconception(self, question: Question, misconception: Misconception) -> list[Words]:
        said = self._labelled(question, misconception.id, Standing.COVERED)
        return said or _of_file(*misconception.also) or _of_file(misconception.claim)

    def _labelled(self, question: Question, about: str, standing: Standing) -> list[Words]:
        return [
            Words(text=each.text, source=Source.STATEMENTS)
            for each in self._statements.get(question.id, ())
            if each.about == about and each.verdict is standing
        ]


def _of_file(*texts: str) -> list[Words]:
    return [Words(text=text, source=Source.FILE) for text in texts]


def chosen(words: Sequence[Words], manner: Manner, chance: random.Random, used: set[str]) -> Words:
    """One of ``words`` that was not ``used`` yet where there is one: the terse take the shortest, the talkative the longest."""
    free = [each for each in words if each.text not in used] or list(words)
    match manner:
        case Manner.TERSE:
            return min(free, key=lambda each: len(each.text))
        case Manner.TALKATIVE:
            return max(free, key=lambda each: len(each.text))
        case _:
            return chance.choice(free)


def spoken(texts: Sequence[str], manner: Manner, chance: random.Random) -> str:
    """``texts`` as one reply in this manner. Code stays as it is."""
    texts = [text.strip() for text in texts]
    code = [text for text in texts if text.startswith("```")]
    prose = ("\n" if manner is Manner.TERSE else " ").join(text for text in texts if text not in code)
    if manner is Manner.TALKATIVE:
        prose = " ".join(filter(None, (chance.choice(_OPENERS), prose, chance.choice(_CLOSERS))))
    elif manner is Manner.SECOND_LANGUAGE:
        prose = _with_an_accent(prose, chance)
    return "\n\n".join([*code, prose]).strip()


def unknowing(manner: Manner, chance: random.Random) -> str:
    """What somebody says who has nothing to say: that they don't know, or something beside the point."""
    if manner in (Manner.GIVES_UP, Manner.TERSE) or chance.random() < 0.5:
        return chance.choice(_UNKNOWING)
    return chance.choice(_VAGUE)


def _with_an_accent(text: str, chance: random.Random) -> str:
    """Most articles are lost, outside of code."""
    pieces = _CODE.split(text)
    for at in range(0, len(pieces), 2):
        pieces[at] = _ARTICLE.sub(lambda found: "" if chance.random() < 0.7 else found[0], pieces[at])
    return "".join(pieces)
