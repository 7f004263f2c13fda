"""Simulated candidates: what they know is known, so that an interview can be held against it.

A candidate has an ability on the scale of level ranks (0 junior … 3 staff). Whether they know a point is drawn from an
item-response curve, P = σ(1.7·(ability − difficulty)); the difficulty is the question's rank plus a spread that is fixed for
the point. Some of what they know they leave out until they are asked; some of what they don't know they believe wrongly.
Everything is drawn from the seed, the candidate and the question, whatever else was asked before.

Does not model learning within the interview, nor that one point is seldom known without another.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from eval.voices import Manner, Material, Source, Words, chosen, spoken, unknowing
from interviewer.models import Level, Misconception, Outcome, Point, Question, Standing, Submission

SLOPE = 1.7
_SPREAD = 0.5  # standard deviation of a point's difficulty about its question's, in levels
_BELIEVES_WRONGLY = 0.35  # of the points that they don't know
_LEAVES_OUT = {Manner.TERSE: 0.55, Manner.TALKATIVE: 0.1}
_LEAVES_OUT_ELSE = 0.35
_SLIPS = 0.35  # hands in something wrong first although they know what is right
_GIVES_UP_BELOW = 1 / 3  # of the points
_RUNS_ENDLESSLY = (Outcome.TIMEOUT, Outcome.OUT_OF_MEMORY)

HINT, DISPUTE = "hint", "dispute, I did say that"


@dataclass(frozen=True)
class Candidate:
    """``name`` and ``seed`` decide everything that is drawn."""

    name: str
    ability: float
    manner: Manner
    seed: int

    @property
    def level(self) -> Level:
        return list(Level)[min(3, max(0, round(self.ability)))]


@dataclass(frozen=True)
class Profile:
    """What a candidate knows of one question. ``wrong``: points that they have wrong, with the misconception behind it or
    None. Points that only a run earns are known where ``submission`` passes their checks; ``first`` is handed in first."""

    known: frozenset[str]
    left_out: frozenset[str]
    wrong: dict[str, Misconception | None]
    submission: Submission | None = None
    first: Submission | None = None


def people(count: int, seed: int) -> list[Candidate]:
    """``count`` candidates: levels and manners in turn, so that every manner meets every level within 28."""
    manners = list(Manner)
    return [Candidate(f"{seed}-{n:03d}", float(n % len(Level)), manners[n % len(manners)], seed) for n in range(count)]


def profile(candidate: Candidate, question: Question, material: Material) -> Profile:
    """Drawn anew, and the same, at each call."""
    chance = _chance(candidate, question, "profile")
    submission, first = _submissions(candidate, question, _chance(candidate, question, "submissions"))
    by_words = [p for p in question.points if not p.proven_by]
    by_runs = {p.id for p in question.points if submission and p.proven_by and _passes(submission, p)}
    known = {p.id for p in by_words if chance.random() < _knows(candidate, question, p)}
    left_out = {p for p in sorted(known) if chance.random() < _LEAVES_OUT.get(candidate.manner, _LEAVES_OUT_ELSE)}
    if known and left_out == known:
        left_out.remove(chance.choice(sorted(known)))
    wrong: dict[str, Misconception | None] = {}
    for point in by_words:
        if point.id not in known and point.id not in wrong and chance.random() < _BELIEVES_WRONGLY:
            wrong |= _belief(question, point, known | by_runs, material, chance)
    if submission and first:
        left_out |= {p.id for p in question.points if p.id in by_runs and not _passes(first, p)}
    return Profile(frozenset(known | by_runs), frozenset(left_out), wrong, submission, first)


def _belief(
    question: Question, point: Point, known: set[str], material: Material, chance: random.Random
) -> dict[str, Misconception | None]:
    """A misconception that denies ``point`` and nothing that is known; else a mistake of their own; else nothing."""
    fitting = [m for m in question.misconceptions if point.id in m.contradicts and known.isdisjoint(m.contradicts)]
    if fitting and (chance.random() < 0.6 or not material.for_mistake(question, point)):
        belief = chance.choice(fitting)
        return dict.fromkeys(belief.contradicts, belief)
    return {point.id: None} if material.for_mistake(question, point) else {}


def _knows(candidate: Candidate, question: Question, point: Point | None = None) -> float:
    spread = random.Random(f"{question.id}/{point.id if point else 'task'}").gauss(0, _SPREAD)
    return 1 / (1 + math.exp(-SLOPE * (candidate.ability - question.level.rank - spread)))


def _submissions(
    candidate: Candidate, question: Question, chance: random.Random
) -> tuple[Submission | None, Submission | None]:
    """What they can do at best, and what they hand in first."""
    if question.task is None or not question.task.submissions:
        return None, None
    right = [s for s in question.task.submissions if s.right]
    wrong = [s for s in question.task.submissions if not s.right and s.ends not in _RUNS_ENDLESSLY]
    if right and chance.random() < _knows(candidate, question):
        best = chance.choice(right)
        return best, chance.choice(wrong) if wrong and chance.random() < _SLIPS else best
    best = chance.choice(wrong or right)
    return best, best


def _passes(submission: Submission, point: Point) -> bool:
    return submission.ends is None and set(point.proven_by).isdisjoint(submission.fails)


def _chance(candidate: Candidate, question: Question, what: str) -> random.Random:
    return random.Random(f"{candidate.seed}/{candidate.name}/{question.id}/{what}")


@dataclass
class Talk:
    """A candidate at one question: what they say next, and how each point truly stands in what they have said.
    ``replied``: the points whose follow-up was answered."""

    candidate: Candidate
    question: Question
    material: Material
    said: dict[str, Standing] = field(default_factory=dict)
    held: dict[str, None] = field(default_factory=dict)
    sources: list[Source] = field(default_factory=list)
    answered: bool = False
    replied: set[str] = field(default_factory=set)
    hints: int = 0

    def __post_init__(self) -> None:
        self.profile = profile(self.candidate, self.question, self.material)
        self._chance = _chance(self.candidate, self.question, "talk")
        self._used: set[str] = set()

    def standing(self, point: str) -> Standing:
        """How it stands in what was said so far."""
        return self.said.get(point, Standing.MISSING)

    def wants_hint(self, *, stuck: bool) -> bool:
        """Counts the hints asked for: one a question at most, two for those whose manner it is."""
        asks = self.candidate.manner is Manner.ASKS_FOR_HINTS
        most, chance = (2, 0.6) if asks else (1, 0.15 if stuck else 0.0)
        wanted = self.hints < most and self._chance.random() < chance
        self.hints += wanted
        return wanted

    def open(self) -> str:
        """The first answer, in the order of the rubric."""
        self.answered = True
        mine = self.profile
        if self.question.choice:
            return self._choose()
        share = len(mine.known) / len(self.question.points)
        if self.candidate.manner is Manner.GIVES_UP and share < _GIVES_UP_BELOW and mine.first is None:
            return self._nothing()
        words = [self._code(mine.first)] if mine.first else []
        for point in self.question.points:
            if point.proven_by or self.standing(point.id) is not Standing.MISSING:
                continue
            if point.id in mine.known and point.id not in mine.left_out:
                words.append(self._say(point))
            elif point.id in mine.wrong:
                words.append(self._get_wrong(point))
        return self._spoken(words) if words else self._nothing()

    def answer(self, point: Point) -> str:
        """To the follow-up on ``point``."""
        self.replied.add(point.id)
        mine = self.profile
        if point.proven_by:
            better = mine.submission is not None and mine.submission != mine.first and point.id in mine.known
            return self._spoken([self._code(mine.submission)]) if better and mine.submission else self._nothing()
        if point.id in mine.known:
            return self._spoken([self._say(point, probed=True)])
        if point.id in mine.wrong and self._chance.random() < 0.7:
            return self._spoken([self._get_wrong(point)])
        return self._nothing()

    def _say(self, point: Point, *, probed: bool = False) -> Words:
        self.said[point.id] = Standing.COVERED
        return self._chosen(self.material.for_point(self.question, point, probed=probed))

    def _get_wrong(self, point: Point) -> Words:
        """One belief may deny several points; it is said once for all of them."""
        belief = self.profile.wrong[point.id]
        if belief is None:
            self.said[point.id] = Standing.CONTRADICTED
            return self._chosen(self.material.for_mistake(self.question, point))
        earned_by_words = {p.id for p in self.question.points if not p.proven_by}
        self.said |= {name: Standing.CONTRADICTED for name in belief.contradicts if name in earned_by_words}
        self.held[belief.id] = None
        return self._chosen(self.material.for_misconception(self.question, belief))

    def _code(self, submission: Submission) -> Words:
        for point in self.question.points:
            if point.proven_by:
                self.said[point.id] = Standing.COVERED if _passes(submission, point) else Standing.MISSING
        return Words(text=f"```python\n{submission.code.rstrip()}\n```\n", source=Source.CODE)

    def _choose(self) -> str:
        choice = self.question.choice
        assert choice is not None
        letters = [chr(ord("A") + n) for n in range(len(choice.options))]
        right = bool(self.profile.known)
        letter = choice.correct if right else self._chance.choice([c for c in letters if c != choice.correct])
        self.said = {p.id: Standing.COVERED if right else Standing.MISSING for p in self.question.points}
        return letter

    def _chosen(self, words: Sequence[Words]) -> Words:
        picked = chosen(words, self.candidate.manner, self._chance, self._used)
        self._used.add(picked.text)
        return picked

    def _spoken(self, words: Sequence[Words]) -> str:
        self.sources += [each.source for each in words]
        return spoken([each.text for each in words], self.candidate.manner, self._chance)

    def _nothing(self) -> str:
        self.sources.append(Source.NOTHING)
        return unknowing(self.candidate.manner, self._chance)
