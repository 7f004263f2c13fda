"""Markdown of other people: what its code blocks hold, and how its words stay words inside ours."""

from __future__ import annotations

import re

from markdown_it import MarkdownIt

_markdown = MarkdownIt("commonmark")
_SPECIAL = re.compile(r"([\\`*_\[\]<>#|~&])")


def code_blocks(text: str) -> list[str]:
    """The content of the fenced blocks of ``text``, in order. Inline code is none."""
    return [token.content for token in _markdown.parse(text) if token.type == "fence"]


def python_blocks(text: str) -> list[str]:
    """The content of those fenced blocks of ``text`` that say that they are Python."""
    return [t.content for t in _markdown.parse(text) if t.type == "fence" and t.info.strip() == "python"]


def fence_lines(text: str) -> list[tuple[int, int, int]]:
    """For each fenced block its first line, the line after its last, and the line after the last of its content; counted from
    0, where lines end as Markdown has it (CR, LF or both)."""
    found = []
    for token in _markdown.parse(text):
        if token.type == "fence" and token.map:
            first, last = token.map
            lines = len(re.findall(r".*\n|.+$", token.content))
            found.append((first, last, min(last, first + 1 + lines)))
    return found


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
