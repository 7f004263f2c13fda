"""A document as lines, for pages that lost their Markdown on the way to a text file."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from dataclasses import dataclass

_bullet = re.compile(r"^\s*[-*•‣–]\s+(?=\S)")
_foreign_bullet = re.compile(r"^(\s*)[•‣–](?=\s)")
_MOST_HEADING_WORDS = 8
_LONGEST_HEADING = 80
_not_in_headings = re.compile(r"[=(){}\[\]<>;_`\"|\\]|[.,:;!?…]$")
_ends_sentence = re.compile(r"[.!?…:][\"'”’)*_`]*$")


@dataclass(frozen=True)
class Line:
    """``fenced``: the line belongs to a fenced code block. ``after_blank``: a blank line stands before it."""

    text: str
    fenced: bool = False
    after_blank: bool = False

    @property
    def is_bullet(self) -> bool:
        return not self.fenced and _bullet.match(self.text) is not None

    @property
    def is_lone_bullet(self) -> bool:
        """A bullet whose text stands on the lines below it."""
        return not self.fenced and self.text.strip() in ("-", "*", "•", "–")

    @property
    def content(self) -> str:
        """The text without its bullet."""
        return _bullet.sub("", self.text).strip()


def lines_of(source: Sequence[str], fenced: Container[int]) -> tuple[Line, ...]:
    """The lines that have text, and the blank ones of fenced code."""
    found: list[Line] = []
    blank = False
    for number, line in enumerate(source):
        if line.strip() or number in fenced:
            found.append(Line(line.rstrip(), number in fenced, blank))
        blank = not line.strip() and number not in fenced
    return tuple(found)


def is_heading_like(line: Line) -> bool:
    """A short line that begins like a title and ends without punctuation."""
    text = line.text.strip()
    return (
        not line.fenced
        and not line.is_bullet
        and not line.is_lone_bullet
        and 2 < len(text) <= _LONGEST_HEADING
        and len(text.split()) <= _MOST_HEADING_WORDS
        and (text[0].isupper() or text[0].isdigit() or text[0] == "#")
        and _not_in_headings.search(text) is None
    )


def ends_sentence(line: Line) -> bool:
    return _ends_sentence.search(line.text.strip()) is not None


def markdown_item(text: str) -> str:
    """A bullet of print as one of Markdown."""
    return _foreign_bullet.sub(r"\1-", text)


def title_of(lines: Sequence[Line]) -> str | None:
    """The first line where it looks like a title."""
    return lines[0].text.strip(" #*") if lines and is_heading_like(lines[0]) else None
