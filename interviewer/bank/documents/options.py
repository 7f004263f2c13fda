"""Lettered options of a multiple-choice question: lines in sequence from A, the right one marked or alone in bold."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_option = re.compile(
    r"^\s*(?:[-*+]\s+)?(?:\[ \]\s*)?(?P<mark>(?:[-=]+>|→|⇒|✓|✔️?|✅|☑|\[[xX]\])\s*)?"
    r"(?:\*\*|__)?\(?(?P<letter>[A-Ja-j])[.):](?:\*\*|__)?\s+(?P<text>\S.*?)"
    r"(?P<tail>\s*(?:✓|✔️?|✅|\(correct\)))?\s*$"
)
_lettered_in_bold = re.compile(r"^\s*(?:[-*+]\s+)?\S*\s*(?:\*\*|__)\(?[A-Ja-j][.):]\s")
_in_bold = re.compile(r"^(?P<mark>\*\*|__)(?P<text>.+)(?P=mark)$")
_FEWEST, _MOST = 2, 10


@dataclass(frozen=True)
class Options:
    """``lead`` is what stands before the first option; ``correct`` is None where the page doesn't show it."""

    lead: str
    texts: tuple[str, ...]
    correct: str | None


def is_option(line: str) -> bool:
    return _option.match(line) is not None


def read_options(lines: Sequence[str]) -> Options | None:
    """The options in ``lines``; None where they aren't lettered in sequence or are too few or too many."""
    lead: list[str] = []
    texts: list[str] = []
    marked: list[int] = []
    for line in lines:
        match = _option.match(line)
        if match and _index(match["letter"]) == len(texts):
            if match["mark"] or match["tail"]:
                marked.append(len(texts))
            texts.append(("**" if _lettered_in_bold.match(line) else "") + match["text"])
        elif line.strip():
            if texts:
                texts[-1] += " " + line.strip()
            else:
                lead.append(line.strip())
    if not _FEWEST <= len(texts) <= _MOST:
        return None
    in_bold = [i for i, text in enumerate(texts) if _in_bold.match(text)]
    right = marked if len(marked) == 1 else in_bold
    correct = chr(ord("A") + right[0]) if len(right) == 1 else None
    return Options(" ".join(lead), tuple(without_bold(text) for text in texts), correct)


def without_bold(text: str) -> str:
    """Less the bold that spans the whole of it."""
    match = _in_bold.match(text.strip())
    return match["text"].strip() if match else text.strip()


def _index(letter: str) -> int:
    return ord(letter.upper()) - ord("A")
