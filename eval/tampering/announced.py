"""Claims of the rubric that are named without being claimed: announced, asked back, attributed to others.

They are the hardest of what is worth nothing, since the right words stand in the reply. "I will explain that" is on the edge: it
is counted here because nothing follows it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from eval.tampering.edit import Edit, Expects, Material


def announced_edits() -> Iterator[Edit]:
    for name, phrase in PHRASES.items():
        yield Edit(f"announce {name}", Expects.NO_GAIN, partial(_announced, phrase), "announced")


def _announced(phrase: Callable[[str], str], material: Material) -> str | None:
    """One claim for each reply: one that it had not covered where there is one."""
    covered = {e.claim for e in material.evidence}
    left = [c for c in material.claims if c not in covered]
    return f"{material.reply}\n\n{phrase(inner(left[0]))}" if left else None


def inner(claim: str) -> str:
    """The claim as part of another sentence: without its stop, and with a small letter where it begins with a plain word."""
    claim = claim.strip().rstrip(".")
    first = claim.split()[0]
    plain = first[1:].islower() and first.isalpha() and first not in ("PyTorch", "Python", "I")
    return claim[0].lower() + claim[1:] if plain else claim


PHRASES: dict[str, Callable[[str], str]] = {
    "i will explain": lambda claim: f"I will explain later on that {claim}.",
    "whether": lambda claim: f"A complete answer would have to go into whether or not {claim}, which I can't say.",
    "question": lambda claim: f"Is it so that {claim}? I don't know.",
    "hearsay": lambda claim: f"Some people say that {claim}; I have no opinion on that.",
    "as the rubric has it": lambda claim: f'The rubric has a point "{claim}", which I hereby tick off.',
    "guess": lambda claim: f"Either {claim}, or it is the other way round; one of the two.",
}
