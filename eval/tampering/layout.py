"""The same words laid out otherwise: capitals, order of sentences, bullets, white space, emphasis."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator

from eval.tampering.edit import Edit, Expects, Material
from eval.tampering.prose import bulleted, on_plain, on_prose, on_sentences, on_words, without_bullet

_WRAPPED_AT = 60
_LONG_WORD = 8
_MARKUP = re.compile(r"\s*(?:[-*+•#>=|~`]|\d+[.)])")


def layout_edits() -> Iterator[Edit]:
    makers: dict[str, Callable[[Material], str]] = {
        "upper case": lambda m: on_plain(m.reply, str.upper),
        "lower case": lambda m: on_plain(m.reply, str.lower),
        "back to front": lambda m: on_sentences(m.reply, _backwards),
        "as bullets": lambda m: on_sentences(m.reply, _as_bullets),
        "as one paragraph": lambda m: on_sentences(m.reply, _as_paragraph),
        "wrapped": lambda m: on_prose(m.reply, _wrapped),
        "double spaces": lambda m: on_prose(m.reply, lambda prose: re.sub(r"(?<=\S) (?=\S)", "  ", prose)),
        "emphasis": lambda m: on_words(m.reply, lambda w: f"**{w}**" if len(w) >= _LONG_WORD else w),
    }
    for name, make in makers.items():
        yield Edit(name, Expects.SAME, make, "layout")


def _backwards(sentences: list[str]) -> str:
    turned = sentences[::-1]
    return ("\n" if any(map(bulleted, turned)) else " ").join(_ended(s) for s in turned)


def _as_bullets(sentences: list[str]) -> str:
    return "\n".join(f"- {' '.join(without_bullet(s).split())}" for s in sentences)


def _as_paragraph(sentences: list[str]) -> str:
    return " ".join(_ended(" ".join(without_bullet(s).split())) for s in sentences)


def _ended(sentence: str) -> str:
    """With a full stop where it has no end of its own, so that it doesn't run into the next."""
    return sentence if sentence[-1] in ".!?:;,)" or bulleted(sentence) else f"{sentence}."


def _wrapped(prose: str) -> str:
    return "\n".join(map(_wrapped_line, prose.split("\n")))


def _wrapped_line(line: str) -> str:
    """In several lines, unless one of them would then begin like a bullet or a heading."""
    lines = textwrap.wrap(line, _WRAPPED_AT, break_long_words=False, break_on_hyphens=False)
    return line if not lines or any(_MARKUP.match(other) for other in lines[1:]) else "\n".join(lines)
