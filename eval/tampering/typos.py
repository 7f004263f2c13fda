"""Mistyped letters in plain words, the kind that a quick typist makes. Names, code and short words stay as they are."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import partial

from eval.tampering.edit import Edit, Expects, Material
from eval.tampering.prose import on_words
from eval.tampering.texts import read

_SHORTEST = 5  # letters: a slip in a shorter word is often another word ("form", "not" and "now")
_NEXT_KEY = dict(zip("abcdefghijklmnopqrstuvwxyz", "svfrtghuklkjmnbioptfyicszu", strict=True))


def typo_edits() -> Iterator[Edit]:
    for percent in (1, 2, 3):
        yield Edit(f"typos {percent} %", Expects.SAME, partial(mistyped, percent / 100), "typos")


def mistyped(share: float, material: Material) -> str:
    """About ``share`` of all letters of the reply, at most one slip a word, and at least one slip where any word will do."""
    candidates: list[int] = []
    words = iter(range(len(material.reply)))

    def note(word: str) -> str:
        n = next(words)
        if len(word) >= _SHORTEST and word.isalpha() and word.lower() not in read("words")["never_mistyped"]:
            candidates.append(n)
        return word

    on_words(material.reply, note)
    chance = material.random(f"typos {share}")
    wanted = max(1, round(share * sum(c.isalpha() for c in material.reply)))
    chosen = set(chance.sample(candidates, min(wanted, len(candidates))))
    numbers = iter(range(len(material.reply)))
    return on_words(material.reply, lambda word: _slip(word, chance) if next(numbers) in chosen else word)


def _slip(word: str, chance: random.Random) -> str:
    """A letter left out, doubled, swapped with the next or replaced by its neighbour on the keyboard; never the first or last."""
    at = chance.randrange(1, len(word) - 2)
    kind = chance.randrange(4)
    if kind == 0:
        return word[:at] + word[at + 1 :]
    if kind == 1:
        return word[:at] + word[at] + word[at:]
    if kind == 2 and word[at] != word[at + 1]:
        return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    return word[:at] + _NEXT_KEY[word[at]] + word[at + 1 :]
