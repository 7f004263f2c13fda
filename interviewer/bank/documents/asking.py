"""What a line asks: the question without its markup and number, and whether it reads as a question at all."""

from __future__ import annotations

import re
from collections.abc import Sequence

_markup = re.compile(r"^(?:#{1,6}\s+)?(?:\*\*|__)?\s*|\s*(?:\*\*|__)\s*$")
_number = re.compile(r"^(?:Q(?:uestion)?\.?\s*)?(\d{1,4})\s*[.):]\s*(?=\S)|^Q(?:uestion)?\s*[.):]\s+", re.IGNORECASE)
_asking_words = frozenset(
    "what how why when where which who whose can could do does did is are was were will would should has have "
    "explain describe define discuss compare contrast differentiate distinguish list name give tell outline write "
    "implement design show state mention walk suppose imagine".split()
)


def bare_question(text: str) -> tuple[int | None, str]:
    """The number and the words of a question's line, without heading marks and bold."""
    words = _markup.sub("", text.strip())
    match = _number.match(words)
    if match is None:
        return None, words
    return int(match[1]) if match[1] else None, _markup.sub("", words[match.end() :])


def reads_as_question(text: str) -> bool:
    """It ends in a question mark, or begins as questions and requests do."""
    words = bare_question(text)[1].split()
    return bool(words) and (words[-1].endswith("?") or words[0].lower().rstrip(",:'’s") in _asking_words)


def some_read_as_questions(texts: Sequence[str]) -> bool:
    """A quarter of them do, which tells a list of questions from a recipe or a table of contents."""
    return 4 * sum(1 for text in texts if reads_as_question(text)) >= len(texts) > 0
