"""What is measured of a reply for one rubric point.

For every unit of the reply that may earn something, and every wording of the point, MiniLM's cosine, the
cosine with the question's direction taken out (what merely resembles the question counts for nothing; the
demoting idea is Sultan et al., 2016), and the share of the wording's content words that the unit holds.
Nearness to an authored misconception is measured beside it, since similarity sees no negation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from interviewer.embedding import Embedder
from interviewer.grading.guard import addressed_to_grader, keyword_list, restates
from interviewer.grading.text import Unit, content, negated, units
from interviewer.models import Misconception, Point, Question

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Features:
    """One row for the point model; all without unit."""

    cosine: float
    demoted: float
    mean_top: float
    overlap: float
    overlap_reply: float
    names: float
    polarity: float
    to_question: float
    novelty: float
    wrong: float
    contrast: float
    probed: float

    def row(self) -> list[float]:
        return [float(getattr(self, f.name)) for f in fields(self)]


NAMES = tuple(f.name for f in fields(Features))


@dataclass(frozen=True)
class Measured:
    """The features of a point, the unit that speaks for it, and the misconception nearest to the reply."""

    point: Point
    features: Features
    unit: Unit | None
    misconception: Misconception | None
    wrong_unit: Unit | None


def measure(question: Question, reply: str, embedder: Embedder, probing: str = "") -> list[Measured]:
    """One Measured for each point that words can earn, in the order of the rubric."""
    points = [p for p in question.points if not p.proven_by]
    asked = _asked(question, probing)
    heard = [u for u in units(reply) if _may_earn(u.text, asked)]
    if not heard:
        return [Measured(p, _nothing(p.id == probing), None, None, None) for p in points]
    vectors = embedder.encode([u.text for u in heard])
    about = embedder.encode([asked])[0]
    said = content(" ".join(u.text for u in heard)) - content(asked)
    scene = _Scene(heard, vectors, about, _demote(vectors, about), said, content(asked), embedder)
    return [_measure_point(scene, question, p, probing) for p in points]


@dataclass(frozen=True)
class _Scene:
    heard: Sequence[Unit]
    vectors: Floats
    about: Floats
    demoted: Floats
    said: frozenset[str]
    asked: frozenset[str]
    embedder: Embedder


def _measure_point(scene: _Scene, question: Question, point: Point, probing: str) -> Measured:
    wordings = [point.claim, *point.also]
    if point.id == probing and point.follow_up_answer:
        wordings.append(point.follow_up_answer)
    targets = scene.embedder.encode(wordings)
    cosines = scene.vectors @ targets.T
    demoted = scene.demoted @ _demote(targets, scene.about).T
    unit_scores = (cosines + demoted).max(axis=1)
    best = int(unit_scores.argmax())
    wording = wordings[int(cosines[best].argmax())]
    unit = scene.heard[best]
    misconception, wrong_unit, wrong, contrast = _nearest_misconception(scene, question, point, cosines)
    kept = [content(w) - scene.asked for w in wordings]
    features = Features(
        cosine=float(cosines.max()),
        demoted=float(demoted.max()),
        mean_top=float(np.sort(cosines.max(axis=0))[::-1][:3].mean()),
        overlap=max(_share(k, content(unit.text)) for k in kept),
        overlap_reply=max(_share(k, scene.said) for k in kept),
        names=_share(_names(wordings) - scene.asked, scene.said),
        polarity=float(negated(unit.text) != negated(wording)),
        to_question=float(scene.vectors[best] @ scene.about),
        novelty=min(1.0, len(content(unit.text) - scene.asked) / 6),
        wrong=wrong,
        contrast=contrast,
        probed=float(point.id == probing),
    )
    return Measured(point, features, unit, misconception, wrong_unit)


def _nearest_misconception(
    scene: _Scene, question: Question, point: Point, cosines: Floats
) -> tuple[Misconception | None, Unit | None, float, float]:
    """The misconception about ``point`` that a unit resembles most, by how much more it resembles that than the point."""
    best: tuple[Misconception | None, Unit | None, float, float] = (None, None, 0.0, -0.5)
    for misconception in question.misconceptions:
        if point.id not in misconception.contradicts:
            continue
        wordings = [misconception.claim, *misconception.also]
        nearness = (scene.vectors @ scene.embedder.encode(wordings).T)
        margin = nearness.max(axis=1) - cosines.max(axis=1)
        value = nearness.max(axis=1) + margin
        i = int(value.argmax())
        if nearness[i].max() + margin[i] > best[2] + best[3]:
            best = (misconception, scene.heard[i], float(nearness[i].max()), float(margin[i]))
    return best


def _may_earn(unit: str, asked: str) -> bool:
    return not (addressed_to_grader(unit) or restates(unit, asked) or keyword_list(unit))


def _asked(question: Question, probing: str) -> str:
    follow_up = question.point(probing).follow_up if probing else ""
    return f"{question.question} {follow_up}".strip()


def _demote(vectors: Floats, about: Floats) -> Floats:
    """``vectors`` [n, d] without their component along ``about`` [d]."""
    result: Floats = vectors - np.outer(vectors @ about, about)
    return result


def _share(wanted: frozenset[str], there: frozenset[str]) -> float:
    return len(wanted & there) / len(wanted) if wanted else 0.0


def _names(wordings: Sequence[str]) -> frozenset[str]:
    """Content that looks like an identifier: with an underscore, a dot or a digit."""
    return frozenset(w for text in wordings for w in content(text) if "_" in w or any(c.isdigit() for c in w))


def _nothing(probed: bool) -> Features:
    return Features(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -0.5, float(probed))
