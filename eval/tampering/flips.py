"""One statement of a right answer turned into its opposite: by a negation, an opposite word, another number.

Promises that exactly one place of the reply changes, and that it lies in words that had shown a covered point. Of several
places the one is taken whose neighbourhood has most words of the claim, and none with fewer than two: there a flip denies the
claim and not an aside.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from eval.tampering.edit import Edit, Evidence, Expects, Material
from eval.tampering.opposing import Flip, added_negations, denials, opposite_words, other_numbers, removed_negations

Finder = Callable[[str, str], Iterable[Flip]]  # of (words of the reply, claim)

_LEAST_SHARED = 2  # words of the claim within a flip's reach
_NAMED = 2  # as many words count for a flipped word that the claim itself has, or its opposite
_BESIDE = 2  # and as many are taken off in a subordinate clause
_WORD = re.compile(r"[A-Za-z]{3,}|\d+(?:\.\d+)?")
_COMMON = frozenset(
    "the and are for with that this from its was were has have not but you your they then than when which each into only "
    "does isn true".split()
)
_ASIDE = re.compile(
    r"\b(?:if|when|while|because|since|which|who|where|as|unless|until|although|so that)\b[^,;:.]*$", re.IGNORECASE
)


FINDERS: dict[str, Finder] = {
    "negation added": added_negations,
    "negation removed": removed_negations,
    "opposite word": opposite_words,
    "other number": other_numbers,
    "denied": denials,
}


def flip_edits() -> Iterator[Edit]:
    for name, finder in FINDERS.items():
        yield Edit(f"flip: {name}", Expects.LOWER, partial(_edited, finder), "flips")


def _edited(finder: Finder, material: Material) -> str | None:
    return flipped(finder, material.reply, material.evidence)


def flipped(finder: Finder, reply: str, shown: Iterable[Evidence]) -> str | None:
    """The reply with the flip that lies nearest to what its covered point claims, over all of them; None where there is none."""
    found: list[tuple[int, int, str]] = []
    for evidence in shown:
        at = reply.find(evidence.quote) if evidence.quote else -1
        if at < 0:
            continue
        for flip in finder(evidence.quote, evidence.claim):
            moved = Flip(at + flip.start, at + flip.end, flip.other)
            found.append((_nearness(flip, evidence), -moved.start, moved.on(reply)))
    best = max(found, default=(0, 0, ""))
    return best[2] if best[0] >= _LEAST_SHARED else None


def _nearness(flip: Flip, evidence: Evidence) -> int:
    words, claim = evidence.quote, _content(evidence.claim)
    shared = len(_content(words[max(0, flip.start - flip.reach) : flip.end + flip.reach]) & claim)
    named = bool(_content(f"{words[flip.start : flip.end]} {flip.other}") & claim)
    return shared + _NAMED * named - _BESIDE * bool(_ASIDE.search(words[: flip.start]))


def _content(text: str) -> set[str]:
    """Words by their first letters, so that "accumulates" and "accumulated" are one."""
    return {w.lower()[:6] for w in _WORD.findall(text) if w.lower() not in _COMMON}
