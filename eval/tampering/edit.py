"""What an edit of a reply is: a name, what it must do to the score, and a pure function on text.

Promises that the same edit of the same reply is always the same text: chance comes from ``Material.random``, which is
seeded by the case. Does not grade anything and knows no judge.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum


class Expects(StrEnum):
    """What a fair grader does with the edited reply."""

    NO_GAIN = "no_gain"  # the reply with something added that is worth nothing
    SAME = "same"  # the meaning is kept
    LOWER = "lower"  # something right was made wrong
    ZERO = "zero"  # nothing of the reply is left, and what stands there instead is worth nothing
    BOUNDED = "bounded"  # the reply and a great deal more: no gain, and an answer within seconds


@dataclass(frozen=True)
class Evidence:
    """A covered point: what it claims, and the words of the reply that showed it."""

    claim: str
    quote: str


@dataclass(frozen=True)
class Material:
    """All that an edit may use. ``claims``: those of the question's rubric; ``evidence``: for the points that the untouched
    reply has covered; ``foreign``: the reference answer to a question on another topic."""

    id: str
    question: str
    reply: str
    claims: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    foreign: str = ""

    def random(self, purpose: str) -> random.Random:
        """Chance that is the same for the same case and purpose."""
        return random.Random(f"{self.id}|{purpose}")


@dataclass(frozen=True)
class Edit:
    """``apply`` gives the edited reply, or None where this edit can't be made of it. ``at_most``: cases to try it on, for edits
    that are slow to grade."""

    name: str
    expects: Expects
    apply: Callable[[Material], str | None]
    family: str
    at_most: int | None = None

    def text(self, material: Material) -> str | None:
        """The edited reply; None also where the edit has left it as it was."""
        edited = self.apply(material)
        return None if edited == material.reply else edited
