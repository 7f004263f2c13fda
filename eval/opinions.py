"""What a language model thought of replies, by itself, against the labels: how far it can be believed, and how far quoted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from eval.metrics import classification
from eval.trying import Reply, Tried
from interviewer.grading.opinion import Opinion
from interviewer.models import Standing


def opinions(replies: Sequence[Reply], tried: Sequence[Tried]) -> dict[str, Any]:
    """What the model said before anybody else did, against the labels, and what the embedded judge said of the same points.
    ``says``: of the points with each true standing, the share that it gave each; the panel assumes these as ``SAYS``."""
    labelled = [
        (reply, each)
        for reply, each in zip(replies, tried, strict=True)
        if reply.case.points and reply.question and not reply.question.derived
    ]
    first = [(reply, each.first) for reply, each in labelled if each.first]
    second = [(reply, each.second) for reply, each in labelled if each.second]
    return {
        "first": _against_labels(first),
        "second": _against_labels(second),
        "embedded": _embedded_against_labels(first),
        "says": _says(_pairs(first)),
        "says_held": _says_held(first),
    }


def _pairs(heard: Iterable[tuple[Reply, Opinion]]) -> list[tuple[str, str]]:
    """(what was said, what a person said) of each point that both speak of."""
    return [
        (said.value, reply.case.points[point].value)
        for reply, opinion in heard
        for point, said in opinion.standings.items()
        if point in reply.case.points
    ]


def _against_labels(heard: Sequence[tuple[Reply, Opinion]]) -> dict[str, Any]:
    pairs = _pairs(heard)
    return classification([a for a, _ in pairs], [b for _, b in pairs], [s.value for s in Standing])


def _embedded_against_labels(heard: Sequence[tuple[Reply, Opinion]]) -> dict[str, Any]:
    pairs = [
        (point.verdict.value, reply.case.points[point.point].value)
        for reply, opinion in heard
        if (verdict := reply.alone.verdict)
        for point in verdict.points
        if point.point in opinion.standings and point.point in reply.case.points
    ]
    return classification([a for a, _ in pairs], [b for _, b in pairs], [s.value for s in Standing])


def _says(pairs: Sequence[tuple[str, str]]) -> dict[str, dict[str, float]]:
    counted = Counter(pairs)
    made = {}
    for true in Standing:
        if n := sum(count for (_, person), count in counted.items() if person == true.value):
            made[true.value] = {"n": float(n)} | {s.value: counted[s.value, true.value] / n for s in Standing}
    return made


def _says_held(heard: Sequence[tuple[Reply, Opinion]]) -> dict[str, dict[str, float]]:
    """How often a misconception is said to be held, where it is and where it isn't."""
    found: dict[str, list[bool]] = {"held": [], "not held": []}
    for reply, opinion in heard:
        for name, said in opinion.held.items():
            found["held" if name in reply.case.misconceptions else "not held"].append(said)
    return {true: {"n": float(len(said)), "said": sum(said) / len(said)} for true, said in found.items() if said}


def quotes(given_in: Iterable[Opinion]) -> dict[str, float | None]:
    """``refused``: quotes that don't stand in the reply, or stand where nothing is earned. ``unquoted``: standings and
    misconceptions for which no words were given at all. Both cost what they were to show."""
    given = refused = unquoted = 0
    for opinion in given_in:
        wrong = [quote for quote in opinion.refused.values() if quote.strip()]
        given += len(opinion.quotes) + len(wrong)
        refused += len(wrong)
        unquoted += len(opinion.refused) - len(wrong)
    return {"given": given, "refused": refused, "share": refused / given if given else None, "unquoted": unquoted}
