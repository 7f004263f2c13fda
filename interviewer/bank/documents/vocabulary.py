"""The words and names of one document: the only evidence on which glued words are taken apart."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

_token = re.compile(r"\w+")
_word = re.compile(r"(?<![\w.])[A-Za-z'’]+(?![\w(])")
_name = re.compile(r"(?<![\w.])\.?[A-Za-z_]\w*(?:\.\w+)*(?=[^\w\s]|$)", re.MULTILINE)
_inner_capital = re.compile(r"(?<=[a-z])(?=[A-Z])")
LONGEST_NAME = 200


@dataclass(frozen=True)
class Vocabulary:
    """``words`` stand alone somewhere, in lower case; ``names`` end somewhere before punctuation, so that nothing
    is glued to their end; ``tokens`` counts every run of letters, digits and underscores."""

    words: frozenset[str]
    names: frozenset[str]
    tokens: Counter[str]

    @classmethod
    def of(cls, text: str) -> Vocabulary:
        words = frozenset(word.lower() for word in _word.findall(text))
        names = frozenset(part for name in _name.findall(text) if len(name) <= LONGEST_NAME for part in _parts(name))
        return cls(words, names, Counter(_token.findall(text)))

    def occurs_once(self, token: str) -> bool:
        return self.tokens[token] <= 1


def _parts(name: str) -> set[str]:
    """A dotted name, its ends and components, and what begins at a capital inside it."""
    components = name.strip(".").split(".")
    ends = {".".join(components[i:]) for i in range(len(components))}
    tails = {components[-1][cut.start() :] for cut in _inner_capital.finditer(components[-1])}
    return ends | set(components[:-1]) | tails
