"""What a language model thinks of a reply: asked for in one call, and taken only as far as it can show.

Promises: a standing other than missing comes with words that stand in the reply; what names no point of the question, or no
standing, is refused as a whole. Does not decide anything: see panel.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from interviewer.grading.guard import earning
from interviewer.grading.quotes import locate
from interviewer.grading.text import Unit
from interviewer.llm import TurnModel
from interviewer.models import Point, Purpose, Question, Reference, Standing
from interviewer.prompts import render

FIRST, SECOND = JUDGING_PROMPTS = ("judge", "second-look")
_LONGEST_REPLY = 12_000  # characters: about what the embedded judge reads of one, too
_LONGEST_REFERENCE = 6_000  # characters of all passages together


@dataclass(frozen=True)
class Opinion:
    """``standings``: of the points that were asked about, by id; ``held``: of the misconceptions. ``quotes``: the words for
    each of both that needs some. ``claim``: words of the reply that running something would settle, or empty. ``refused``:
    the quote that doesn't count, of each point and misconception that it was given for; empty where none was given."""

    standings: Mapping[str, Standing]
    held: Mapping[str, bool]
    quotes: Mapping[str, Unit]
    claim: str = ""
    refused: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Differing:
    """A point that two readers read differently, for a second look; each with its words, if any."""

    id: str
    claim: str
    one: str
    other: str


def first_look(
    model: TurnModel,
    question: Question,
    reply: str,
    probing: str,
    references: Sequence[Reference],
    prompt: str = FIRST,
) -> Opinion:
    """Raises ModelFailed."""
    values = {"points": _by_words(question), "misconceptions": list(question.misconceptions)}
    return _asked(model, Purpose.JUDGE, prompt, question, reply, probing, references, values)


def second_look(
    model: TurnModel,
    question: Question,
    reply: str,
    probing: str,
    references: Sequence[Reference],
    differing: Sequence[Differing],
    prompt: str = SECOND,
) -> Opinion:
    """On the points alone that were read differently. Raises ModelFailed."""
    values = {"points": list(differing)}
    return _asked(model, Purpose.SECOND_LOOK, prompt, question, reply, probing, references, values)


def _asked(
    model: TurnModel,
    purpose: Purpose,
    prompt: str,
    question: Question,
    reply: str,
    probing: str,
    references: Sequence[Reference],
    values: Mapping[str, Any],
) -> Opinion:
    shown = model.redacted(reply[:_LONGEST_REPLY])
    follow_up = question.point(probing).follow_up if probing else ""
    sentences = earning(shown.text, f"{question.question} {follow_up}".strip())
    rendered = render(
        prompt,
        question=question.question,
        follow_up=follow_up,
        references=_passages(references),
        reply=shown.text,
        **values,
    )

    def accept(data: Any) -> Opinion:
        found = _Reading(data, shown.text, sentences)
        points = {p.id: found.standing(p.id) for p in values["points"]}
        held = {m.id: found.holds(m.id) for m in values.get("misconceptions", ())}
        claim = locate(str(data.get("claim") or ""), shown.text, sentences)
        quotes = {name: _in(reply, shown.original(unit.text)) for name, unit in found.quotes.items()}
        return Opinion(points, held, quotes, shown.original(claim.text) if claim else "", found.refused)

    return model.data(purpose, rendered, accept)


class _Reading:
    """One answer's entries against the reply. Raises KeyError, TypeError or ValueError for what is no answer."""

    def __init__(self, data: Any, reply: str, sentences: Sequence[Unit]):
        self._data = data
        self._reply = reply
        self._sentences = sentences
        self.quotes: dict[str, Unit] = {}
        self.refused: dict[str, str] = {}

    def standing(self, point: str) -> Standing:
        entry = self._data["points"][point]
        standing = Standing(entry["verdict"])
        return standing if standing is Standing.MISSING or self._quoted(point, entry) else Standing.MISSING

    def holds(self, misconception: str) -> bool:
        entry = self._data["misconceptions"][misconception]
        if not isinstance(entry["held"], bool):
            raise TypeError("held is true or false")
        return entry["held"] and self._quoted(misconception, entry)

    def _quoted(self, name: str, entry: Mapping[str, Any]) -> bool:
        if not isinstance(entry["quote"], str):
            raise TypeError("a quote is text")
        unit = locate(entry["quote"], self._reply, self._sentences)
        if unit:
            self.quotes[name] = unit
        else:
            self.refused[name] = entry["quote"]
        return unit is not None


def _in(reply: str, text: str) -> Unit:
    start = max(0, reply.find(text))
    return Unit(text, start, start + len(text))


def _by_words(question: Question) -> list[Point]:
    return [p for p in question.points if not p.proven_by]


def _passages(references: Sequence[Reference]) -> str:
    return "\n\n".join(r.text for r in references)[:_LONGEST_REFERENCE]
