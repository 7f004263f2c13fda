"""Where a statement in English can be turned round, and into what: negations, opposite words, numbers.

By rule of thumb, without a parser: what no rule fits is left alone, and a word that is a noun as often as a verb is taken for a
verb only where an object or a pronoun shows it. Each finder gets the words and the claim that they are evidence for.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from eval.tampering.prose import like
from eval.tampering.texts import read


@dataclass(frozen=True)
class Flip:
    """``text[start:end]`` becomes ``other``; that denies what stands within ``reach`` characters on either side."""

    start: int
    end: int
    other: str
    reach: int = 40

    def on(self, text: str) -> str:
        return text[: self.start] + self.other + text[self.end :]


def opposite_words(words: str, claim: str) -> Iterator[Flip]:
    """Each word that has an opposite."""
    for match in _opposites_pattern().finditer(words):
        other = _opposites().get(match[0]) or _opposites()[match[0].lower()]
        yield Flip(match.start(), match.end(), like(match[0], other))


def other_numbers(words: str, claim: str) -> Iterator[Flip]:
    """Numbers that stand in the claim as well, so that they are what matters; no 0 or 1, which are parts of formulas."""
    wanted = {m[0] for m in _NUMBER.finditer(claim)}
    for match in _NUMBER.finditer(words):
        if match[0] in wanted:
            yield Flip(match.start(), match.end(), _another(match[0], wanted))


_NUMBER = re.compile(r"(?<![\w.^\[/-])(?![01](?!\.?\d))\d+(?:\.\d+)?(?!\w|\.\d)")


def _another(number: str, taken: set[str]) -> str:
    """With as many decimals, far off, and none of ``taken``."""
    places = len(number.partition(".")[2])
    others = (f"{float(number) * factor:.{places}f}" for factor in itertools.count(3, 4))
    return next(other for other in others if other not in taken)


def removed_negations(words: str, claim: str) -> Iterator[Flip]:
    """From "doesn't copy" to "does copy", and from "no copy" to "some copy" where it is the only "no"."""
    for match in _negations_pattern().finditer(words):
        plain = read("opposites")["negations"][match[0].lower().replace("’", "'")]
        yield Flip(match.start(), match.end(), like(match[0], plain))
    found = list(_NO.finditer(words))
    if len(found) == 1:
        yield Flip(found[0].start(), found[0].end(), like(found[0][0], "some"))


_NO = re.compile(
    r"(?<![\w.'’`-])no(?= [a-z`])(?! (?:longer|one|matter|more|less|idea|better|worse|\w+er)\b)", re.IGNORECASE
)


def added_negations(words: str, claim: str) -> Iterator[Flip]:
    """After an auxiliary, at a verb that has a subject, or before an imperative; none where something is negated already."""
    if _negations_pattern().search(words) or _NEGATED.search(words):
        return
    yield from (Flip(m.end(), m.end(), "not" if m[0] == "can" else " not") for m in _AUXILIARY.finditer(words))
    for match in _THIRD_PERSON.finditer(words):
        verb = _lexicon().get(match["verb"], "")
        if verb and _has_subject(verb, match):
            yield Flip(match.start("verb"), match.end("verb"), f"doesn't {verb}")
    for match in _PLURAL.finditer(words):
        verb = match["verb"]
        if verb in _lexicon().values() and _has_subject(verb, match):
            yield Flip(match.start("verb"), match.end("verb"), f"don't {verb}")
    first = _IMPERATIVE.match(words)
    if first and first[1].lower() in read("opposites")["imperatives"].split():
        yield Flip(first.start(1), first.end(1), like(first[1], f"don't {first[1].lower()}"))


_NEGATED = re.compile(r"\b(?:no|not|none)\b", re.IGNORECASE)
_AUXILIARY = re.compile(
    r"(?:(?<![\w.`-])(?:is|are|was|were|can|will|would|should|must|could|may|(?:has|have)(?= \w+(?:ed|en)\b))"
    r"|(?:(?<=\bit)|(?<=\bthat)|(?<=\bthere))['’]s)(?![\w'’`]|[,.)]| not\b)",
    re.IGNORECASE,
)
_THIRD_PERSON = re.compile(r"(?P<subject>[\w)`\]]+) (?P<verb>[a-z]+s)\b(?=[ ,.;:]|$)")
_PLURAL = re.compile(r"(?P<subject>\b(?:[Tt]hey|[Ww]e|[Yy]ou|[A-Za-z]{3,}s)) (?P<verb>[a-z]+)\b(?= )")
_IMPERATIVE = re.compile(r"\W*([A-Za-z][a-z]+)(?= )")
_PARTICIPLE = re.compile(r" \w+(?:ed|en)\b")
_PRONOUNS = frozenset("it that which this he she one they we you who".split())
_NO_SUBJECT = frozenset(
    "the a an of in on at by for with from to into per as and or but than is are was were be been no any all some many few two three four "
    "five several both these those its their our your my his her each every more less fewer most other same different such via between "
    "doesn't don't can will would should must may not does has plus minus times".split()
)
_OBJECT = re.compile(
    r" (?:the|a|an|its|it|them|all|each|every|that|only|one|two|you|both|everything|\w+(?:ly|ward|wards)) "
)


def _has_subject(verb: str, match: re.Match[str]) -> bool:
    subject = match["subject"].lower()
    if verb == "have" and _PARTICIPLE.match(match.string, match.end("verb")):
        return False  # an auxiliary
    if verb in read("opposites")["nouns_as_well"].split():
        return subject in _PRONOUNS or (
            subject not in _NO_SUBJECT and bool(_OBJECT.match(match.string, match.end("verb")))
        )
    return subject not in _NO_SUBJECT


def denials(words: str, claim: str) -> Iterator[Flip]:
    """ "It isn't true that" before the whole statement, where it begins like one with a subject."""
    if _STATEMENT.match(words):
        yield Flip(0, 1, like(words[0], "it isn't true that ") + words[0].lower(), reach=len(words))


_STATEMENT = re.compile(
    r"(?!.{0,30}:)(?:(?:The|A|An|It|They|This|That|These|Each|Every|With|By|You|We|There|Its|Their) "
    r"|[A-Z]?[a-z]{3,} (?:is|are|has|have|can|will|does)\b)",
    re.IGNORECASE,
)


@cache
def _opposites() -> dict[str, str]:
    table: dict[str, str] = dict(read("opposites")["one_way"])
    for one, other in read("opposites")["pairs"]:
        table.setdefault(str(one), str(other))
        table.setdefault(str(other), str(one))
    return table


@cache
def _opposites_pattern() -> re.Pattern[str]:
    return _any_of(
        _opposites(), r"(?<![A-Za-z0-9_.(-])(?<!\bat )(?<!\bafter )(?<!\babove )", r"(?![A-Za-z0-9_(=-])(?!\.\w)"
    )


@cache
def _negations_pattern() -> re.Pattern[str]:
    keys = [k.replace("'", "['’]") for k in read("opposites")["negations"]]
    longest_first = sorted(keys, key=len, reverse=True)
    return re.compile(r"(?<![\w.`-])(?<!\bI )(?:" + "|".join(longest_first) + r")(?![\w-])(?! only\b)", re.IGNORECASE)


def _any_of(words: Iterable[str], before: str, after: str) -> re.Pattern[str]:
    longest_first = sorted(map(re.escape, words), key=len, reverse=True)
    return re.compile(before + "(?:" + "|".join(longest_first) + ")" + after, re.IGNORECASE)


@cache
def _lexicon() -> dict[str, str]:
    """Third person to plain form."""
    return {_third_person(verb): verb for verb in read("opposites")["verbs"].split()}


def _third_person(verb: str) -> str:
    if verb == "have":
        return "has"
    if verb.endswith(("s", "sh", "ch", "x", "z", "o")):
        return f"{verb}es"
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return f"{verb[:-1]}ies"
    return f"{verb}s"
