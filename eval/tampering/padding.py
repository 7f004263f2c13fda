"""More text around the reply that is worth nothing: the question again, names in a row, filling, the answer to something else."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator

from eval.tampering.edit import Edit, Expects, Material
from eval.tampering.prose import on_sentences, sentences
from eval.tampering.texts import read

_NAME = re.compile(r"`[^`]+`|\b[A-Za-z]\w*(?:[._]\w+)+\b|\b[a-z]*[A-Z]\w*[a-z]\w*[A-Z]\w*\b|\b[A-Z]{2,}\w*\b")
_WORD = re.compile(r"[A-Za-z]{7,}")
_TIMES = 3
_FEWEST_NAMES = 6


def padding_edits() -> Iterator[Edit]:
    makers: dict[str, Callable[[Material], str | None]] = {
        "parrot after": lambda m: _joined(m.reply, parrot(m)),
        "parrot before": lambda m: _joined(parrot(m), m.reply),
        "question as a statement": lambda m: _joined(m.reply, question_as_statement(m)),
        "keyword list after": lambda m: _joined(m.reply, keywords(m)),
        "keyword list before": lambda m: _joined(keywords(m), m.reply),
        "foreign answer after": lambda m: _joined(m.reply, m.foreign),
        "said twice": lambda m: _joined(m.reply, m.reply),
        "padded with nothing": lambda m: _padded("empty", m),
        "padded with true sentences": lambda m: _padded("true", m),
        "nothing between sentences": _between,
    }
    for name, make in makers.items():
        yield Edit(name, Expects.NO_GAIN, make, "padding")


def parrot(material: Material) -> str:
    """The question in its own words."""
    return material.question


def question_as_statement(material: Material) -> str:
    """The question without its question marks, as what one "has to look at"."""
    asked = [s.rstrip("?!.") for s in sentences(material.question)]
    return " ".join(f"Here one has to look at this: {s[0].lower()}{s[1:]}." for s in asked if s)


def keywords(material: Material) -> str | None:
    """The technical names of the rubric, and its longest words where it has few names, in a row with nothing said of them."""
    text = " ".join(material.claims)
    names = list(dict.fromkeys(name.strip("`") for name in _NAME.findall(text)))
    if len(names) < _FEWEST_NAMES:
        longest = sorted(dict.fromkeys(w.lower() for w in _WORD.findall(text)), key=lambda w: (-len(w), w))
        names += longest[: 2 * _FEWEST_NAMES - len(names)]
    material.random("keywords").shuffle(names)
    return ", ".join(names) or None


def filling(kind: str, letters: int, material: Material) -> list[str]:
    """Sentences of one kind, in an order of their own for each reply, with at least so many letters in all."""
    stock: list[str] = list(read("padding")[kind])
    material.random(f"filling {kind}").shuffle(stock)
    rounds = letters // sum(map(len, stock)) + 1
    lengths = itertools.accumulate(len(sentence) for sentence in stock * rounds)
    return (stock * rounds)[: 1 + sum(length < letters for length in lengths)]


def _joined(*texts: str | None) -> str | None:
    return "\n\n".join(t for t in texts if t) if all(texts) else None


def _padded(kind: str, material: Material) -> str:
    """To three times the length, half of it before the reply and half after."""
    added = filling(kind, (_TIMES - 1) * len(material.reply), material)
    middle = len(added) // 2
    return "\n\n".join([" ".join(added[:middle]), material.reply, " ".join(added[middle:])]).strip()


def _between(material: Material) -> str:
    """A sentence without content after each sentence."""
    stock = iter(filling("empty", 10 * len(material.reply), material))

    def spread(said: list[str]) -> str:
        return " ".join(f"{s} {next(stock)}" if s[-1] in ".!?" else f"{s}\n" for s in said)

    return on_sentences(material.reply, spread)
