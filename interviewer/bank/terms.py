"""The words of a question that say what it is about, and whether two questions can be the same at all.

Promises: deterministic, without a model, independent of what else is in the bank. Embeddings hardly tell
``torch.save`` from ``torch.load``; ``can_be_same`` does. Reads English; does not judge how similar two
questions are.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

_WORD = re.compile(r"`?[A-Za-z_0-9][\w.]*`?(?:\(\))?")
_POSSESSIVE = re.compile(r"['’]s\b")
_CODE_LIKE = re.compile(r"[a-z][A-Z]|[A-Z]{2}|[A-Za-z]\d|\d[A-Za-z]")
_COMPARES = re.compile(r"\b(differ\w*|vs|versus|compar\w*)\b", re.IGNORECASE)
_COMPARED = re.compile(r"\bbetween\b(?P<things>.+?\band\b.+?)(?:\bin\b|[?.,;](?:\s|$)|$)", re.IGNORECASE)
_FRAMEWORK = re.compile(r"\b(?:in|using|with|of|for) (?:the )?pytorch\b|\bpytorch(?:['’]s)? (?=\w)", re.IGNORECASE)

_STEM = 4  # letters that forms of one word share

# Words in which a question is framed, not its subject.
_FRAME = frozenset(
    """a about an and any are as at be been being by can common compare compared comparing concept could define describe did difference differences
    different differ differs discuss do does each example examples explain for from function functions give given had
    happen happens has have how i if important importance in into is it its key know let like made make me mean meaning
    means method methods my need needed of on one or other our please purpose recommended role should show significance
    similar so some such tell than that the their them then there these they this those to two understand us use used
    uses using vs versus was way ways we were what when where which while who why will with work working works would you
    your pytorch torch nn""".split()
)

# Pairs that a question turns on and that an embedding places side by side.
_CONTRARY = tuple(
    (frozenset(a.split()), frozenset(b.split()))
    for a, b in (
        ("save saving store", "load loading restore restoring"),
        ("overfitting overfit", "underfitting underfit"),
        ("vanishing vanish", "exploding explode"),
        ("forward", "backward"),
        ("train training", "eval evaluation inference"),
        ("encoder encoding", "decoder decoding"),
        ("freeze freezing", "unfreeze unfreezing"),
        ("squeeze", "unsqueeze"),
        ("static", "dynamic"),
        ("increase increasing", "decrease decreasing"),
        ("supervised", "unsupervised"),
        ("cpu", "gpu"),
    )
)


@dataclass(frozen=True)
class Subject:
    """What a question is about: its content words, those of them that are names, and whether it compares."""

    terms: frozenset[str]
    names: frozenset[str]
    compares: bool


@dataclass(frozen=True)
class Mention:
    """A content word as it stands in a text, and whether it is a name there."""

    surface: str
    is_name: bool


@lru_cache(maxsize=20_000)
def subject(question: str) -> Subject:
    """The subject of ``question``. Names are identifiers, code, words capitalised within a sentence, and what is
    compared; of a dotted name the last part counts, so that ``nn.Module`` and ``torch.nn.Module`` are one."""
    found = mentions(question)
    compared = _COMPARED.search(question)
    things = mentions(compared["things"]) if compared else {}
    return Subject(
        terms=frozenset(found),
        names=frozenset(term for term, mention in found.items() if mention.is_name or term in things),
        compares=bool(_COMPARES.search(question)),
    )


@lru_cache(maxsize=20_000)
def mentions(text: str) -> dict[str, Mention]:
    """Each content word of ``text`` in order, with how it stands there first."""
    found: dict[str, Mention] = {}
    plain = _POSSESSIVE.sub("", text)
    title_case = _is_title_case(plain)
    for match in _WORD.finditer(plain):
        raw = match.group().strip("`.()")
        last = raw.rsplit(".", 1)[-1]
        dotted = last != raw
        word = last.lower()
        if not word.strip("_") or (word in _FRAME and not dotted):
            continue
        in_code = dotted or not match.group().strip(".").isalnum()
        before = plain[: match.start()].rstrip("( ")
        capitalised = last[0].isupper() and not title_case and bool(before) and before[-1] not in ".?!:"
        term = word if in_code else _singular(word)
        if term not in found:
            is_name = in_code or bool(_CODE_LIKE.search(last)) or capitalised
            found[term] = Mention(match.group().strip("`."), is_name)
    return found


def can_be_same(one: str, other: str) -> bool:
    """Whether the two questions' names and words allow that they ask the same.

    They don't where each names something of which the other says nothing, where only one compares, where
    one asks for the contrary of the other, or where they differ in one word (a left join, an inner join).
    """
    a, b = subject(one), subject(other)
    if a.compares != b.compares:
        return False
    if (a.names - b.terms) and (b.names - a.terms):
        return False
    only_a, only_b, both = a.terms - b.terms, b.terms - a.terms, a.terms & b.terms
    return not _contrary(only_a, only_b, both) and not (both and _swapped(only_a, only_b))


def normalised(text: str) -> str:
    """Letters and digits alone, in lower case: the same for two copies of a question."""
    return "".join(c for c in text.casefold() if c.isalnum())


def without_framework(question: str) -> str:
    """``question`` without "in PyTorch" and its like, which all questions share and which draws all embeddings together."""
    kept = re.sub(r"\s+", " ", _FRAMEWORK.sub(" ", question))
    kept = re.sub(r" (?=[?.,])", "", kept).strip()
    return kept if subject(kept).terms else question


def overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """Shared terms as a part of all terms (Dice): 0 for none, 1 for the same."""
    return 2 * len(one & other) / (len(one) + len(other)) if one or other else 1.0


def _contrary(only_a: frozenset[str], only_b: frozenset[str], both: frozenset[str]) -> bool:
    for x, y in _CONTRARY:
        opposed = (only_a & x and only_b & y) or (only_a & y and only_b & x)
        if opposed and not both & (x | y):
            return True
    return False


def _swapped(only_a: frozenset[str], only_b: frozenset[str]) -> bool:
    """One word for another, which is not a form of it."""
    if len(only_a) != 1 or len(only_b) != 1:
        return False
    (one,), (other,) = only_a, only_b
    return one[:_STEM] != other[:_STEM]


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "is", "us")) else word


def _is_title_case(text: str) -> bool:
    words = [w for w in re.findall(r"[A-Za-z]+", text) if w.lower() not in _FRAME]
    return len(words) > 2 and sum(w[0].isupper() for w in words) > len(words) / 2
