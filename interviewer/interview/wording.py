"""Which words are plain English, which are the trade's, and which an interviewer uses anyway: told by counting.

A word is of the trade where the bank's claims use it far more often than English does; how often English does is known from
the vocabulary of the embedding model, whose order is that of frequency. Reads English. Promises nothing on single words:
``step`` is of the trade, ``replace`` is not.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from interviewer.embedding import model_folder
from interviewer.grading.text import FUNCTION_WORDS, NEGATIONS, words
from interviewer.models import Question

_COMMONEST = 0.1  # of all words of a text is the commonest one; the n-th has an n-th of that (Zipf)
_OF_THE_TRADE = 20.0  # times as often as in English
_LIKELY_OF_THE_TRADE = 10.0
_EVERYWHERE = 0.2  # of all questions use it: no fact about any of them
_WHAT_ALL_IS_ABOUT = 0.6  # of all questions use it: the subject itself, such as "gradient"
_EVERYDAY = 2.0
_EVERYDAY_AMONG = 2_000  # of the commonest words of English
_INTERVIEWERS = (
    (8.0, 0.03),
    (12.0, 0.07),
)  # at most so often beside English, in follow-ups to such a share of questions

_AS_A_NUMBER = {"twice": "two", "thrice": "three"}
_BRITISH = re.compile(r"(?<=\w{3})is(?=(?:e|es|ed|ing|ation|ations|er|ers)$)")


@dataclass(frozen=True)
class Wording:
    """How often the bank's claims use a word beside English, by its stem; which words are in many questions' claims, and
    which in follow-ups to several questions or in nearly all claims."""

    keyness: dict[str, float]
    everywhere: frozenset[str]
    interviewers: frozenset[str]

    def plain(self, stem: str) -> bool:
        """Whether the word says nothing of the trade: an English word, or one that nearly all talk of the trade is made with."""
        return self._beside_english(stem) <= _OF_THE_TRADE or stem in self.everywhere

    def harmless(self, stem: str) -> bool:
        """The same, more strictly: whether it gives nothing away even where it stands in a reference."""
        return self._beside_english(stem) <= _LIKELY_OF_THE_TRADE or stem in self.everywhere

    def everyday(self, stem: str) -> bool:
        """More strictly still: whether it gives nothing away even where it stands in what is asked for."""
        common = self._beside_english(stem) <= _EVERYDAY and english().get(stem, _EVERYDAY_AMONG) < _EVERYDAY_AMONG
        return common or stem in self.interviewers

    def _beside_english(self, stem: str) -> float:
        """0 for an English word that no claim uses, infinite for what is no English word."""
        return self.keyness.get(stem, 0.0 if stem in english() else float("inf"))


def wording_of(questions: Sequence[Question]) -> Wording:
    """From all questions of the bank; counted once for the same questions (0.3 s). Raises ModelFileError where the embedding
    model, whose vocabulary stands for English, is not installed."""
    claims = tuple(tuple(_claims(q)) for q in questions)
    return _counted(claims, tuple(tuple(p.follow_up for p in q.points) for q in questions))


def stems(text: str) -> dict[str, str]:
    """The words of ``text`` that carry content, by their stems: forms of a word, and both spellings of English, are one."""
    return {stem(w): w for w in words(text) if w not in FUNCTION_WORDS and w not in NEGATIONS}


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    word = _AS_A_NUMBER.get(word, word)
    american = _BRITISH.sub("iz", word).replace("our", "or")
    found: str = _stemmer().stemWord(american)
    return found


@lru_cache(maxsize=1)
def english() -> dict[str, int]:
    """The stems of English words, numbered from the commonest."""
    vocabulary = (model_folder() / "vocab.txt").read_text(encoding="utf-8").split("\n")
    ranks: dict[str, int] = {}
    for word in vocabulary:
        if len(word) > 1 and word.isascii() and word.isalpha():
            ranks.setdefault(stem(word), len(ranks) + 1)
    return ranks


def _claims(question: Question) -> Iterable[str]:
    for point in question.points:
        yield from (point.claim, *point.also, point.follow_up_answer)
    for misconception in question.misconceptions:
        yield from (misconception.claim, misconception.correction)


@lru_cache(maxsize=2)
def _counted(claims: tuple[tuple[str, ...], ...], follow_ups: tuple[tuple[str, ...], ...]) -> Wording:
    counts: Counter[str] = Counter(stem(w) for texts in claims for text in texts for w in words(text))
    total = counts.total() or 1
    ranks = english()
    keyness = {s: n / total * ranks[s] / _COMMONEST if s in ranks else float("inf") for s, n in counts.items()}
    in_claims, in_follow_ups = _questions_with(claims), _questions_with(follow_ups)
    return Wording(
        keyness=keyness,
        everywhere=frozenset(s for s, n in in_claims.items() if n > _EVERYWHERE * len(claims)),
        interviewers=frozenset(s for s, n in in_claims.items() if n > _WHAT_ALL_IS_ABOUT * len(claims))
        | frozenset(
            s
            for s, n in in_follow_ups.items()
            if any(keyness.get(s, 0.0) <= most and n >= share * len(claims) for most, share in _INTERVIEWERS)
        ),
    )


def _questions_with(texts: tuple[tuple[str, ...], ...]) -> Counter[str]:
    return Counter(s for each in texts for s in {s for text in each for s in stems(text)})


@lru_cache(maxsize=1)
def _stemmer() -> Any:
    import Stemmer

    return Stemmer.Stemmer("english")
