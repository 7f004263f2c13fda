"""Text that wants a better score and says nothing of the subject, before or after the reply."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from eval.tampering.edit import Edit, Expects, Material
from eval.tampering.texts import read


def injection_edits() -> Iterator[Edit]:
    """One for each text; which side of the reply it stands on is drawn for each reply."""
    for name, text in read("injections").items():
        yield Edit(f"inject {name}", Expects.NO_GAIN, partial(beside, text, name), "injection")


def beside(text: str, purpose: str, material: Material) -> str:
    """``text`` before or after the reply, in a paragraph of its own or on its line."""
    chance = material.random(purpose)
    gap = chance.choice(["\n\n", "\n", "\n\n", " "]) if not _needs_own_line(text, material.reply) else "\n\n"
    return text + gap + material.reply if chance.random() < 0.5 else material.reply + gap + text


def _needs_own_line(text: str, reply: str) -> bool:
    """Whether a space between them could make or break a code fence or a bullet of the reply."""
    return (
        any(s.lstrip().startswith(("`", "~", "-", "*", "+", "#", "|", "<", "1")) for s in (text, reply))
        or "\n" in text + reply
    )
