"""A reply cut into sentences that can be quoted, and the words that carry content.

Promises that every unit stands word for word in the reply (``reply[start:end]``), and that no word of its prose that a page
would show is lost.
Code blocks give no units: what code does is for a run to show. Sentence ends are found by punctuation and line structure,
English only.
"""

from __future__ import annotations

import html
import re
import string
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from markdown_it import MarkdownIt

_ABBREVIATED = "".join(
    rf"(?<!\b{re.escape(a)})" for a in ("e.g.", "i.e.", "eg.", "ie.", "vs.", "cf.", "resp.", "incl.", "approx.")
)
_SENTENCE_END = re.compile(rf"(?<=[.!?．！？。]){_ABBREVIATED}[\"')\]]*\s+(?=[\"'(\[`*_]*\w)", re.IGNORECASE)
_BULLET = re.compile(r"^\s*(?:[-*+•]|\d{1,2}[.)])\s+")
# What a page doesn't show: comments, to the end of the text where they aren't closed; what stands for a picture; where a link
# leads, and its title; and elements that are hidden in the ways that are in use for it.
_HIDDEN = re.compile(
    r"(?<![`'\"])<!--.*?(?:-->|\Z)"
    r"|!\[[^\[\]\n]{0,200}\]\([^)\n]{0,200}\)"
    r"|(?<=\])\((?:https?:|mailto:)[^()\n]{0,500}\)"
    r"|<(?P<tag>span|div|p|font|small|section|details|label)\s{1,9}(?:hidden|style\s{0,9}=\s{0,9}(?P<quote>[\"'])[^\"'<>]{0,200}?"
    r"(?:display\s{0,9}:\s{0,9}none|visibility\s{0,9}:\s{0,9}hidden|(?:opacity|font-size)\s{0,9}:\s{0,9}0(?![\d.]))[^\"'<>]{0,200}(?P=quote))"
    r"\s{0,9}>.{0,2000}?</(?P=tag)\s*>",
    re.DOTALL | re.IGNORECASE,
)
_HANGING = ",;:" + string.whitespace
LONGEST_UNIT = 90  # words

_EMPHASIS = re.compile(r"(?<![\w*])(\*{1,3})(?=[\w`\"'(])([^*\n]+?)(?<=[\w`\"').!?,:])\1(?![\w*])")
# Cyrillic letters that nobody can tell from Latin ones.
_LOOKALIKES = str.maketrans("асеіорѕхуһјԁԛԝАВСЕНІКМОРТХЅЈ", "aceiopsxyhjdqwABCEHIKMOPTXSJ")

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|\d+(?:\.\d+)?")
_NON_SPACE = re.compile(r"\S+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")

FUNCTION_WORDS = frozenset(
    "a an the this that these those it its they them their he she we you i me my your our us one ones "
    "is are was were be been being am do does did doing done have has had having can could may might must shall should will would "
    "of in on at by for with from to into onto over under about as than then so if when while where which who whom whose what how why "
    "and or but nor also just only very really quite too more most much many some any all both each every such same other another "
    "there here up down out off again once ever s t re ve ll d m etc e g ie eg like well thing things something anything get gets got "
    "make makes made let lets use uses used using because since therefore thus hence though although however whereas basically actually "
    "think know mean means say says pytorch torch".split()
)
NEGATIONS = frozenset(
    "not no never none neither nor cannot without isn aren wasn weren don doesn didn won wouldn can couldn shouldn hasn haven "
    "instead rather unlike nothing nobody nowhere hardly".split()
)

_markdown = MarkdownIt("commonmark")


@dataclass(frozen=True)
class Unit:
    """A quotable piece of a reply."""

    text: str
    start: int
    end: int


def sentences(text: str) -> list[str]:
    """The sentences of a Markdown text, outside code blocks."""
    return [unit.text for unit in sentence_units(text)]


def sentence_units(text: str) -> list[Unit]:
    """The same, with where each stands; one of over LONGEST_UNIT words comes in pieces."""
    found: list[Unit] = []
    shown = _HIDDEN.sub(lambda hidden: re.sub(r"[^\n]", " ", hidden[0]), text)  # as long as before
    for start, end in _prose_lines(shown):
        bullet = _BULLET.match(shown[start:end])
        position = start + (bullet.end() if bullet else 0)
        for gap in [*_SENTENCE_END.finditer(shown, position, end), None]:
            stop = gap.start() if gap else end
            found += [Unit(text[at:to], at, to) for at, to in _pieces(shown, position, stop)]
            position = gap.end() if gap else end
    return found


def _prose_lines(text: str) -> list[tuple[int, int]]:
    """(start, end) of each line of prose; wrapped lines of one paragraph are joined."""
    lines = text.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    in_code = {n for t in _markdown.parse(text) if t.type == "fence" and t.map for n in range(*t.map)}
    spans: list[tuple[int, int]] = []
    open_paragraph = False
    for n, line in enumerate(lines):
        if n in in_code or not line.strip():
            open_paragraph = False
        elif open_paragraph and not _BULLET.match(line):
            spans[-1] = (spans[-1][0], starts[n + 1])
        else:
            spans.append((starts[n], starts[n + 1]))
            open_paragraph = True
    return spans


def _pieces(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """(start, end) of each run of at most LONGEST_UNIT words."""
    words = [(start + m.start(), start + m.end()) for m in _NON_SPACE.finditer(text[start:end])]
    runs = [words[i : i + LONGEST_UNIT] for i in range(0, len(words), LONGEST_UNIT)]
    found = [(run[0][0], run[0][0] + len(text[run[0][0] : run[-1][1]].rstrip(_HANGING))) for run in runs]
    return [(at, to) for at, to in found if _WORD.search(plain(text[at:to]))]


def hidden(text: str) -> list[tuple[int, int]]:
    """(start, end) of what a page wouldn't show."""
    return [found.span() for found in _HIDDEN.finditer(text)]


@lru_cache(maxsize=500)  # the sentences of a few replies: each is looked at in several ways
def plain(text: str) -> str:
    """The same words in their usual form, without what a page wouldn't show, and without asterisks that only stress a word."""
    return usual_letters(_HIDDEN.sub(" ", text))


def usual_letters(text: str) -> str:
    """HTML's references (``&#71;``), fancy alphabets, ligatures (Unicode's NFKC) and Cyrillic lookalikes become letters; characters
    that nobody sees and asterisks that only stress a word are left out."""
    shown = unicodedata.normalize("NFKC", html.unescape(text)).translate(_LOOKALIKES)
    return _EMPHASIS.sub(r"\2", "".join(c for c in shown if unicodedata.category(c) != "Cf"))


@lru_cache(maxsize=20_000)
def content(text: str) -> frozenset[str]:
    """Stems of the words that carry content; parts of dotted and camel-case names count singly."""
    return frozenset(stem(w) for w in words(text) if w not in FUNCTION_WORDS and w not in NEGATIONS)


def words(text: str) -> list[str]:
    """All words, in lower case: ``zero_grad`` is one word and its parts, ``BatchNorm`` is two."""
    found = []
    for word in _WORD.findall(plain(text).replace("’", "'")):
        whole = word.lower().strip("_")
        pieces = [p for part in word.split("_") for p in _CAMEL.split(part) if p]
        found += [whole, *(p.lower() for p in pieces)] if len(pieces) > 1 else [whole]
    return found


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """A crude stem, enough to match "accumulates" with "accumulated"."""
    for ending in ("ization", "isation", "ations", "ation", "ments", "ment", "ings", "ing", "edly", "ies", "ied", "ers", "er", "ed", "es", "ly", "s", "e"):  # fmt: skip
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word
