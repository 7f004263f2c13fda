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
from interviewer.grading.text import Unit, content, negated, sentences, units
from interviewer.models import Misconception, Point, Question, Reference

_SAME_STATEMENT = 0.7  # cosine from which a sentence of a reference is taken for another wording of a point
_FROM_REFERENCES = 2  # such wordings for each point, at most
_LONGEST_WORDING = 45  # words

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Features:
    """One row for the point model; cosines and shares, without unit. "Best unit" is the one nearest to the point."""

    cosine: float  # highest, over units and wordings
    demoted: float  # the same, without the question's direction
    mean_top: float  # mean of the three best wordings' cosines
    overlap: float  # content words of a wording in the best unit
    overlap_reply: float  # the same, in the whole reply
    names: float  # identifiers of the wordings in the reply
    polarity: float  # 1 where the best unit is negated and the wording is not, or the reverse
    to_question: float  # cosine of the best unit with the question
    novelty: float  # content words of the best unit that the question lacks
    rival: float  # by how much the best unit is nearer to this point than to any other
    wrong: float  # cosine with the nearest misconception about this point
    contrast: float  # by how much that is nearer than the point
    contrast_scaled: float  # the same, over the distance between the two
    contrast_words: float  # share of its own words less share of the point's own words
    elsewhere: float  # cosine with the nearest misconception about other points
    elsewhere_contrast: float
    worst: float  # the highest contrast of all misconceptions
    probed: float  # 1 where a follow-up had asked for this point

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


def measure(
    question: Question, reply: str, embedder: Embedder, probing: str = "", references: Sequence[Reference] = ()
) -> list[Measured]:
    """One Measured for each point that words can earn, in the order of the rubric. Sentences of the references
    that say (nearly) the same as a point serve as further wordings of it."""
    points = [p for p in question.points if not p.proven_by]
    asked = _asked(question, probing)
    heard = [u for u in units(reply) if _may_earn(u.text, asked)]
    if not heard:
        return [Measured(p, _nothing(p.id == probing), None, None, None) for p in points]
    scene = _scene(question, heard, asked, probing, references, embedder)
    return [_measure_point(scene, p, probing) for p in points]


@dataclass(frozen=True)
class _Scene:
    """A reply, embedded, with what it is held against."""

    question: Question
    heard: Sequence[Unit]
    vectors: Floats  # [units, d]
    about: Floats  # [d], of the question
    demoted: Floats  # [units, d]
    said: frozenset[str]
    asked: frozenset[str]
    wordings: dict[str, list[str]]
    targets: dict[str, Floats]  # point → [wordings, d]
    cosines: dict[str, Floats]  # point → [units, wordings]
    wrong: dict[str, Floats]  # misconception → [wordings, d]


@dataclass(frozen=True)
class _Contrast:
    """A misconception against a point, at the unit that resembles it most."""

    misconception: Misconception | None
    unit: Unit | None
    nearness: float = 0.0
    margin: float = -0.5
    scaled: float = -0.5
    words: float = 0.0

    @property
    def weight(self) -> float:
        return self.nearness + self.margin


_NO_CONTRAST = _Contrast(None, None)


def _scene(
    question: Question,
    heard: Sequence[Unit],
    asked: str,
    probing: str,
    references: Sequence[Reference],
    embedder: Embedder,
) -> _Scene:
    vectors = embedder.encode([u.text for u in heard])
    about = embedder.encode([asked])[0]
    told = list(dict.fromkeys(s for r in references for s in sentences(r.text) if len(s.split()) <= _LONGEST_WORDING))
    wordings = {p.id: _wordings(p, probing, told, embedder) for p in question.points if not p.proven_by}
    targets = {name: embedder.encode(texts) for name, texts in wordings.items()}
    return _Scene(
        question=question,
        heard=heard,
        vectors=vectors,
        about=about,
        demoted=_demote(vectors, about),
        said=content(" ".join(u.text for u in heard)) - content(asked),
        asked=content(asked),
        wordings=wordings,
        targets=targets,
        cosines={name: vectors @ target.T for name, target in targets.items()},
        wrong={m.id: embedder.encode([m.claim, *m.also]) for m in question.misconceptions},
    )


def _wordings(point: Point, probing: str, told: list[str], embedder: Embedder) -> list[str]:
    """The ways to say a point: its own, the ideal answer to the follow-up that asked for it, the references'."""
    answer = [point.follow_up_answer] if point.id == probing and point.follow_up_answer else []
    wordings = [point.claim, *point.also, *answer]
    if told:
        nearness = (embedder.encode(told) @ embedder.encode([point.claim]).T)[:, 0]
        nearest = sorted(range(len(told)), key=lambda i: -nearness[i])[:_FROM_REFERENCES]
        wordings += [told[i] for i in nearest if nearness[i] >= _SAME_STATEMENT and told[i] not in wordings]
    return wordings


def _measure_point(scene: _Scene, point: Point, probing: str) -> Measured:
    cosines, wordings = scene.cosines[point.id], scene.wordings[point.id]
    demoted = scene.demoted @ _demote(scene.targets[point.id], scene.about).T
    best = int((cosines + demoted).max(axis=1).argmax())
    wording = wordings[int(cosines[best].argmax())]
    unit = scene.heard[best]
    others = [float(c[best].max()) for name, c in scene.cosines.items() if name != point.id]
    about_this, about_others = _contrasts(scene, point)
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
        rival=float(cosines[best].max()) - max(others, default=0.0),
        wrong=about_this.nearness,
        contrast=about_this.margin,
        contrast_scaled=about_this.scaled,
        contrast_words=about_this.words,
        elsewhere=about_others.nearness,
        elsewhere_contrast=about_others.margin,
        worst=max(about_this.margin, about_others.margin),
        probed=float(point.id == probing),
    )
    return Measured(point, features, unit, about_this.misconception, about_this.unit)


def _contrasts(scene: _Scene, point: Point) -> tuple[_Contrast, _Contrast]:
    """The strongest misconception about ``point``, and the strongest about anything else."""
    this, others = _NO_CONTRAST, _NO_CONTRAST
    for misconception in scene.question.misconceptions:
        found = _contrast(scene, point, misconception)
        if point.id in misconception.contradicts:
            this = max(this, found, key=lambda c: c.weight)
        else:
            others = max(others, found, key=lambda c: c.weight)
    return this, others


def _contrast(scene: _Scene, point: Point, misconception: Misconception) -> _Contrast:
    wrong, right = scene.wrong[misconception.id], scene.targets[point.id]
    nearness = (scene.vectors @ wrong.T).max(axis=1)
    margin = nearness - scene.cosines[point.id].max(axis=1)
    at = int((nearness + margin).argmax())
    distance = float(np.linalg.norm(wrong[:, None] - right[None], axis=2).min())
    wrong_words = content(" ".join([misconception.claim, *misconception.also]))
    right_words = content(" ".join(scene.wordings[point.id]))
    said = content(scene.heard[at].text)
    return _Contrast(
        misconception=misconception,
        unit=scene.heard[at],
        nearness=float(nearness[at]),
        margin=float(margin[at]),
        scaled=float(margin[at]) / max(distance, 0.1),
        words=_share(wrong_words - right_words, said) - _share(right_words - wrong_words, said),
    )


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
    nothing = dict.fromkeys(NAMES, 0.0) | {name: -0.5 for name in NAMES if "contrast" in name}
    return Features(**nothing | {"probed": float(probed)})
