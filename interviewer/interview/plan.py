"""Wishes about an interview, read from a sentence: "senior, autograd and data loading, 20 minutes".

Takes a sentence as a wish only when nothing else is in it, so that an answer is never mistaken for one.
"""

from __future__ import annotations

import re
from enum import StrEnum

from interviewer.models import Level, Plan, Topic


class Wish(StrEnum):
    """What of a person's own history an interview is to be about."""

    DUE = "due"
    WORST = "worst"


_WISHES = {
    Wish.WORST: re.compile(
        r"\b(?:(?:what|where|(?:the )?(?:things|topics|areas|subjects)(?: (?:that|where))?)(?:ever)? (?:i(?:'|’)?m|i am|am i) (?:the )?"
        r"(?:worst|weak(?:est)?|bad)(?: (?:at|in|on))?|my (?:worst|weak(?:est)?) (?:topics?|areas?|subjects?|points?|spots?|sides?)"
        r"|my weakness(?:es)?)\b",
        re.IGNORECASE,
    ),
    Wish.DUE: re.compile(
        r"\b(?:what(?:ever)?(?:(?:'|’)?s| is)|(?:the |my )?(?:questions|ones)(?: (?:that|which))?(?: are)?|everything(?: that(?:'|’)?s)?) due\b"
        r"|\b(?:the |my )?due questions\b",
        re.IGNORECASE,
    ),
}
_AROUND_A_WISH = frozenset("again today now start begin go through review revise repeat train quiz test".split())
_LEVELS = {
    "junior": Level.JUNIOR, "entry": Level.JUNIOR, "beginner": Level.JUNIOR, "easy": Level.JUNIOR,
    "mid": Level.MID, "middle": Level.MID, "intermediate": Level.MID, "medium": Level.MID,
    "senior": Level.SENIOR, "advanced": Level.SENIOR, "hard": Level.SENIOR,
    "staff": Level.STAFF, "principal": Level.STAFF, "expert": Level.STAFF,
}  # fmt: skip
_TOPICS = {topic.value: topic for topic in Topic} | {
    "tensor": Topic.TENSORS, "basics": Topic.FUNDAMENTALS, "gradients": Topic.AUTOGRAD, "module": Topic.MODULES,
    "dataloader": Topic.DATA, "dataloaders": Topic.DATA, "loading": Topic.DATA, "optimizers": Topic.OPTIMIZATION,
    "optimizer": Topic.OPTIMIZATION, "overfitting": Topic.REGULARIZATION, "dropout": Topic.REGULARIZATION,
    "cnn": Topic.ARCHITECTURES, "cnns": Topic.ARCHITECTURES, "saving": Topic.CHECKPOINTS, "checkpointing": Topic.CHECKPOINTS,
    "hooks": Topic.DEBUGGING, "gpu": Topic.PERFORMANCE, "memory": Topic.PERFORMANCE, "speed": Topic.PERFORMANCE,
    "ddp": Topic.DISTRIBUTED, "fsdp": Topic.DISTRIBUTED, "serving": Topic.DEPLOYMENT, "quantization": Topic.DEPLOYMENT,
}  # fmt: skip
_MINUTES = re.compile(r"\b(\d{1,3})\s*-?\s*(?:min(?:ute)?s?|m)\b", re.IGNORECASE)
_COUNT = re.compile(r"\b(\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten)\s+questions?\b", re.IGNORECASE)
_NUMBERS = "zero one two three four five six seven eight nine ten".split()
_EXAM = re.compile(r"\b(?:exam(?:ination)?|feedback (?:only )?at the end)\b", re.IGNORECASE)
_PRACTICE = re.compile(
    r"\b(?:(?:no|not|without) (?:an? )?exam|practi[cs]e|feedback (?:at once|after (?:each|every) question))\b",
    re.IGNORECASE,
)
_WITHOUT_CODE = re.compile(r"\b(?:no|without|skip)\s+(?:any\s+)?cod(?:e|ing)\b", re.IGNORECASE)
_FILLER = frozenset(
    "i im am m a an the and or on about with for at in of me my please level engineer developer role job position like d "
    "want would to do lets let s questions question topics topic some few only just hi hello hey ask interview practise "
    "can could you we should shall us it that be but not more practice exam mock mode as make prepare preparing focus focused time have minutes around roughly code coding yes ok okay pytorch s ll be ve got".split()
)
_CUES = frozenset(
    "topic topics focus focused questions question ask interview practise practice prepare about only".split()
)


def parse_plan(text: str, base: Plan | None = None) -> Plan | None:
    """``base`` changed by the wishes in ``text``; None where the text is no wish or says other things as well.

    What only a person's history can fill in (``wish_in``) changes nothing here."""
    base = base or Plan()
    rest, wish = _without_wish(text)
    changes: dict[str, object] = {}
    if found := _MINUTES.search(rest):
        changes["minutes"] = min(180, max(5, int(found[1])))
        rest = _MINUTES.sub(" ", rest)
    if found := _COUNT.search(rest):
        count = found[1].lower()
        changes["questions"] = max(1, _NUMBERS.index(count) if count in _NUMBERS else int(count))
        rest = _COUNT.sub(" ", rest)
    if _WITHOUT_CODE.search(rest):
        changes["code"] = False
        rest = _WITHOUT_CODE.sub(" ", rest)
    if _PRACTICE.search(rest):
        if base.exam:
            changes["feedback"] = "each"
        rest = _PRACTICE.sub(" practice ", rest)
    elif _EXAM.search(rest):
        changes["feedback"] = "end"
        rest = _EXAM.sub(" exam ", rest)
    words = re.findall(r"[a-z]+", rest.lower())
    levels = [_LEVELS[w] for w in words if w in _LEVELS]
    topics = [_TOPICS[w] for w in words if w in _TOPICS]
    if levels:
        changes["level"] = levels[0]
    if topics:
        changes["topics"] = tuple(dict.fromkeys(topics))
    filler = _FILLER | _AROUND_A_WISH if wish else _FILLER
    other = [w for w in words if w not in _LEVELS and w not in _TOPICS and w not in filler]
    only_topics = set(changes) == {"topics"} and not _CUES & set(words)
    if other or not (changes or wish) or (only_topics and not wish):  # "autograd" alone may well be somebody's answer
        return None
    return Plan.model_validate({**base.model_dump(), **changes})


def wish_in(text: str) -> Wish | None:
    """What a text that is a wish asks for of the person's own history, if anything."""
    return _without_wish(text)[1]


def _without_wish(text: str) -> tuple[str, Wish | None]:
    for wish, pattern in _WISHES.items():
        if pattern.search(text):
            return pattern.sub(" ", text), wish
    return text, None
