"""Statements in slightly other words that say the same.

The counterpart of ``eval.tampering.flips``: together they show the reader that a small change of words may mean nothing or
everything. None of these is an edit of the robustness report, which so measures rewordings that were never shown.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from eval.tampering.prose import like

_MOST = 3  # changes of one statement
_SHARE = 0.5  # of the words that have a stand-in
_OWNER = re.compile(
    r"(?<![\w.])(?:torch|nn|optim|optimi[sz]er|opt|model|loss|F)\.(?:nn\.|optim\.|functional\.)?(?=[A-Za-z_]\w{2,})"
)
_DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.\w+)*")
_ARTICLE = re.compile(
    r"(?<![\w`])(?:the|a|an) (?=[a-z`])(?!few |lot |little |bit |more |less |most |least |same |\w+er )", re.IGNORECASE
)
_SMALL = re.compile(r"[A-Z](?=[a-z]*(?:['’][a-z]+)?[ ,])")

_STAND_INS = {
    "weights": ("parameters", "params"),
    "parameters": ("weights", "params"),
    "gradient": ("grad",),
    "gradients": ("grads",),
    "model": ("network", "net"),
    "network": ("model", "net"),
    "computes": ("calculates", "works out"),
    "compute": ("calculate", "work out"),
    "computed": ("calculated", "worked out"),
    "calculates": ("computes", "works out"),
    "learning rate": ("lr",),
    "returns": ("gives back",),
    "return": ("give back",),
    "updates": ("changes", "adjusts"),
    "update": ("change", "adjust"),
    "optimizer": ("optimiser",),
    "previous": ("earlier",),
    "clears": ("resets", "empties"),
    "stores": ("holds", "saves"),
    "store": ("hold", "save"),
    "batch": ("minibatch",),
    "uses": ("makes use of",),
    "forward pass": ("forward",),
    "backward pass": ("backward",),
    "allocates": ("reserves",),
    "only": ("just",),
    "must": ("have to",),
    "because": ("as",),
    "for example": ("e.g.",),
}
_STAND_IN = re.compile(
    r"(?<![\w.`-])(?:" + "|".join(sorted(_STAND_INS, key=len, reverse=True)) + r")(?![\w`(=\[-]|\.\w)", re.IGNORECASE
)


def twin(text: str, chance: random.Random) -> str:
    """``text`` with up to three small changes that keep what it says; as it is where none of those drawn fits."""
    for change in chance.sample(_CHANGES, chance.randint(1, _MOST)):
        text = change(text, chance)
    return text


def _owners_dropped(text: str, chance: random.Random) -> str:
    """From loss.backward() to backward(), unless two names would become one."""
    names = set(_DOTTED.findall(text))
    return _OWNER.sub("", text) if len({_OWNER.sub("", name) for name in names}) == len(names) else text


def _brackets_dropped(text: str, chance: random.Random) -> str:
    return text.replace("()", "")


def _marks_dropped(text: str, chance: random.Random) -> str:
    return text.replace("`", "")


def _articles_dropped(text: str, chance: random.Random) -> str:
    short = _ARTICLE.sub("", text)
    return like(text[0], short[0]) + short[1:]


def _other_terms(text: str, chance: random.Random) -> str:
    def stand_in(match: re.Match[str]) -> str:
        return like(match[0], chance.choice(_STAND_INS[match[0].lower()])) if chance.random() < _SHARE else match[0]

    return _STAND_IN.sub(stand_in, text)


def _as_typed(text: str, chance: random.Random) -> str:
    """No capital at the beginning, no full stop at the end."""
    return (text[0].lower() + text[1:] if _SMALL.match(text) else text).removesuffix(".")


_CHANGES: tuple[Callable[[str, random.Random], str], ...] = (
    _owners_dropped,
    _brackets_dropped,
    _marks_dropped,
    _articles_dropped,
    _other_terms,
    _as_typed,
)
