"""The same said in other words: synonyms, adverbs and adjectives, spelling, contractions, figures, manners."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from functools import partial

from eval.tampering.edit import Edit, Expects, Material
from eval.tampering.prose import like, on_plain, on_words
from eval.tampering.texts import read

_AUXILIARY = re.compile(r"(?<![\w.`'’-])(is|are|was|were|can|will|must|should)(?= [a-z])")
_THE = re.compile(r"(?<![\w.`])(the)(?= [a-z]{3,}\b)", re.IGNORECASE)
_NOT_AFTER_THE = re.compile(r"(?: more| most| less| same| other| first| last| only| one| way)\b")
_SHARE = 0.5  # of the places where something could be changed


def rewording_edits() -> Iterator[Edit]:
    makers: dict[str, Callable[[Material], str]] = {
        "synonyms": _synonyms,
        "adverbs": _adverbs,
        "adjectives": _adjectives,
        "American spelling": lambda m: _replaced(read("words")["spellings"], m.reply),
        "British spelling": lambda m: _replaced(_turned("spellings"), m.reply),
        "contractions written out": lambda m: _replaced(read("words")["contractions"], m.reply),
        "contracted": _contracted,
        "numbers as figures": lambda m: _replaced(read("words")["numbers"], m.reply),
        "opener": lambda m: (
            f"{_one('openers', m)} {m.reply}" if m.reply[:1].isalpha() else f"{_one('openers', m)}\n\n{m.reply}"
        ),
        "closer": lambda m: f"{m.reply}\n\n{_one('closers', m)}",
    }
    for name, make in makers.items():
        yield Edit(name, Expects.SAME, make, "rewording")


def _synonyms(material: Material) -> str:
    """Every plain word that has a synonym, each with the same one throughout."""
    return _replaced(read("words")["synonyms"], material.reply)


def _adverbs(material: Material) -> str:
    return _inserted(_AUXILIARY, "adverbs_after_auxiliary", material)


def _adjectives(material: Material) -> str:
    return _inserted(_THE, "adjectives_after_the", material)


def _inserted(place: re.Pattern[str], words: str, material: Material) -> str:
    """One of ``words`` after about every second match of ``place``."""
    chance, stock = material.random(words), read("words")[words]

    def insert(match: re.Match[str]) -> str:
        if chance.random() >= _SHARE or _NOT_AFTER_THE.match(match.string, match.end()):
            return match[0]
        return f"{match[0]} {chance.choice(stock)}"

    return on_plain(material.reply, partial(place.sub, insert))


def _replaced(table: dict[str, str], reply: str) -> str:
    """Plain words that ``table`` knows, with their capitals."""

    def replace(word: str) -> str:
        key = word.replace("’", "'")
        other = table.get(key) or table.get(key.lower())
        return like(word, other) if other else word

    return on_words(reply, replace)


def _contracted(material: Material) -> str:
    """Negations in their short form; "it is" is left, since "which one it is follows from" has none."""
    table = {long: short for long, short in _turned("contractions").items() if long.endswith("not")}
    pattern = re.compile(r"(?<![\w.`])(?:" + "|".join(table) + r")(?= [a-z])", re.IGNORECASE)
    return on_plain(material.reply, partial(pattern.sub, lambda m: like(m[0][0], table[m[0].lower()])))


def _turned(name: str) -> dict[str, str]:
    return {value: key for key, value in read("words")[name].items()}


def _one(kind: str, material: Material) -> str:
    chance: random.Random = material.random(kind)
    text: str = chance.choice(read("padding")[kind])
    return text
