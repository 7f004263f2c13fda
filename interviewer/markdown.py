"""Other people's words inside our Markdown: they stay words, whatever they hold."""

from __future__ import annotations

import re

_SPECIAL = re.compile(r"([\\`*_\[\]<>#|~&])")


def fenced(text: str, language: str = "text") -> str:
    """``text`` in a code fence that it can't close."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def escape(text: str) -> str:
    """``text`` as plain words in Markdown: no emphasis, no link, no HTML."""
    return _SPECIAL.sub(r"\\\1", text)


def one_line(text: str) -> str:
    """``text`` with every run of white space as one space."""
    return " ".join(text.split())
