"""Wishes about an interview, read from a sentence: "senior, autograd and data loading, 20 minutes".

Takes a sentence as a wish only when nothing else is in it, so that an answer is never mistaken for one.
"""

from __future__ import annotations

import re

from interviewer.models import Level, Plan, Topic

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
_WITHOUT_CODE = re.compile(r"\b(?:no|without|skip)\s+(?:any\s+)?cod(?:e|ing)\b", re.IGNORECASE)
_FILLER = frozenset(
    "i im am m a an the and or on about with for at in of me my please level engineer developer role job position like d "
    "want would to do lets let s questions question topics topic some few only just hi hello hey ask interview practise "
    "can could you we should shall us it that be but not more practice prepare preparing focus focused time have minutes around roughly code coding yes ok okay pytorch s ll be ve got".split()
)
_CUES = frozenset(
    "topic topics focus focused questions question ask interview practise practice prepare about only".split()
)


def parse_plan(text: str, base: Plan | None = None) -> Plan | None:
    """``base`` changed by the wishes in ``text``; None where the text is no wish or says other things as well."""
    base = base or Plan()
    rest = text
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
    words = re.findall(r"[a-z]+", rest.lower())
    levels = [_LEVELS[w] for w in words if w in _LEVELS]
    topics = [_TOPICS[w] for w in words if w in _TOPICS]
    if levels:
        changes["level"] = levels[0]
    if topics:
        changes["topics"] = tuple(dict.fromkeys(topics))
    other = [w for w in words if w not in _LEVELS and w not in _TOPICS and w not in _FILLER]
    only_topics = set(changes) == {"topics"} and not _CUES & set(words)
    if other or not changes or only_topics:  # "autograd" alone may well be somebody's answer
        return None
    return Plan.model_validate({**base.model_dump(), **changes})
