"""Letters that look the same, or are the same but for the way they are stored: what people paste, and what attackers type.

Homoglyphs come back by the table of this module (``skeleton``); the others by NFKC and by leaving out what has no width.
"""

from __future__ import annotations

import random
import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import partial

from eval.tampering.edit import Edit, Expects, Material
from eval.tampering.prose import on_plain

HOMOGLYPHS = str.maketrans("aceiopsxyABCEHIKMOPTX", "асеіорѕхуАВСЕНІКМОРТХ")  # Latin to Cyrillic
_LATIN = {other: letter for letter, other in HOMOGLYPHS.items()}
_STRAIGHT = str.maketrans("‘’“”–—", "''\"\"--")
_NO_WIDTH = "\u200b\u200c\u200d\u2060\ufeff\u00ad"
_LIGATURES = {"ffi": "\ufb03", "ffl": "\ufb04", "ff": "\ufb00", "fi": "\ufb01", "fl": "\ufb02"}
_FULL_WIDTH = {c: c + 0xFEE0 for c in range(0x21, 0x7F)}
_BOLD = {ord("a") + n: 0x1D41A + n for n in range(26)} | {ord("A") + n: 0x1D400 + n for n in range(26)}
_SHARE = 0.15  # of the letters, where not all are changed


def lookalike_edits() -> Iterator[Edit]:
    makers: dict[str, Callable[[str, random.Random], str]] = {
        "homoglyphs": _some_homoglyphs,
        "homoglyphs throughout": lambda text, chance: text.translate(HOMOGLYPHS),
        "zero width": _zero_width,
        "full width": lambda text, chance: text.translate(_FULL_WIDTH),
        "mathematical bold": lambda text, chance: text.translate(_BOLD),
        "smart quotes": lambda text, chance: _smart(text),
        "straight quotes": lambda text, chance: text.translate(_STRAIGHT),
        "NFKD": lambda text, chance: "".join(map(_decomposed, text)),
        "ligatures": lambda text, chance: re.sub("ffi|ffl|ff|fi|fl", lambda m: _LIGATURES[m[0]], text),
        "no-break spaces": lambda text, chance: re.sub(r"(?<=\S) (?=\S)", "\u00a0", text),
    }
    for name, make in makers.items():
        yield Edit(name, Expects.SAME, partial(_changed, name, make), "lookalikes")


def skeleton(text: str) -> str:
    """``text`` as the eye takes it: without what has no width, lookalikes as plain letters, quotes and dashes straight."""
    seen = "".join(c for c in unicodedata.normalize("NFKC", text) if c not in _NO_WIDTH)
    return seen.translate(_LATIN).translate(_STRAIGHT)


def _changed(name: str, make: Callable[[str, random.Random], str], material: Material) -> str:
    chance = material.random(name)
    return on_plain(material.reply, lambda plain: make(plain, chance))


def _some_homoglyphs(text: str, chance: random.Random) -> str:
    return "".join(c.translate(HOMOGLYPHS) if chance.random() < _SHARE else c for c in text)


def _decomposed(letter: str) -> str:
    """NFKD, but for raised and lowered letters and fractions: "56²" doesn't mean "562"."""
    kept = unicodedata.decomposition(letter).startswith(("<super>", "<sub>", "<fraction>"))
    return letter if kept else unicodedata.normalize("NFKD", letter)


def _zero_width(text: str, chance: random.Random) -> str:
    """Inside words only, where nobody sees them."""
    return re.sub(
        r"(?<=[A-Za-z])(?=[A-Za-z])", lambda _: chance.choice(_NO_WIDTH) if chance.random() < _SHARE else "", text
    )


def _smart(text: str) -> str:
    text = re.sub(r"(?<=\w)'(?=\w)", "’", text)
    return re.sub(r'(?<!\w)"([^"\n]+)"', r"“\1”", text).replace(" - ", " – ")
