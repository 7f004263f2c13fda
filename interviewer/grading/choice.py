"""Which option of a multiple-choice question a reply names."""

from __future__ import annotations

import re

from interviewer.models import Choice

_LETTER = re.compile(r"^\W*(?:(?:i(?:'d)? (?:think|say|choose|pick|go (?:with|for))|it(?:'s| is)|option|answer(?: is)?|the answer is)\s+)*\(?([A-J])\b\)?", re.I)  # fmt: skip
_PLAIN = re.compile(r"[^a-z0-9]+")


def chosen_letter(reply: str, choice: Choice) -> str:
    """The letter of the one option that ``reply`` names, by letter or by its text; "" where it names none or several."""
    letters = [chr(ord("A") + i) for i in range(len(choice.options))]
    said = _plain(reply)
    by_text = [letter for letter, option in zip(letters, choice.options, strict=True) if _plain(option) == said]
    if len(by_text) == 1:
        return by_text[0]
    if (match := _LETTER.match(reply)) and match[1].upper() in letters:
        rest = reply[match.end() :]
        # "A tensor is…" begins with an article, not with an option
        if match[1].isupper() or not rest.strip() or not rest[0].isspace():
            return "" if match[1] == "A" and re.match(r"\s+[a-z]", rest) else match[1].upper()
    by_text = [letter for letter, option in zip(letters, choice.options, strict=True) if _plain(option) in said]
    return by_text[0] if len(by_text) == 1 else ""


def _plain(text: str) -> str:
    return _PLAIN.sub(" ", text.lower()).strip()
