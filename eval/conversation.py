"""One simulated candidate before the interviewer: hears turns as a surface gets them, answers, and notes what happened.

Knows at every moment how each point truly stands in what the candidate has said, so that what the interviewer makes of it
can be held against that.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from eval.candidates import DISPUTE, HINT, Candidate, Talk
from eval.voices import Manner, Material
from interviewer.grading.score import score_of
from interviewer.grading.text import content, sentences
from interviewer.interview.ability import estimate
from interviewer.interview.session import Session
from interviewer.models import (
    Answered,
    HeldMisconception,
    Level,
    Part,
    PartKind,
    Plan,
    Point,
    Question,
    Standing,
    Turn,
    Value,
    Verdict,
)

_LEAST_WORDS = 3  # of a sentence whose repetition is noticed
_MOST_DISPUTES = 2
_QUOTE = re.compile(r"“[^”]*”")
_FENCED = re.compile(r"```.*?```", re.DOTALL)
_SPOKEN = (PartKind.SAY, PartKind.FOLLOW_UP, PartKind.HINT, PartKind.CORRECTION)


class FollowUp(Value):
    """One follow-up. ``stood``: how its point truly stood in what had been said; ``graded``: how the grader took it;
    ``knew``: the candidate knew it and had not said it; ``overlap``: see ``leak``."""

    question: str
    point: str
    text: str
    stood: Standing
    graded: Standing | None
    knew: bool
    overlap: float


class Hint(Value):
    question: str
    text: str
    overlap: float


class Asked(Value):
    """A question when it was over. Points as (true standing, the grader's); ``unsaid``: known and left out at first;
    ``asked_for``: those of them that a follow-up probed. ``held``: misconceptions that were really said."""

    question: str
    level: Level
    score: float | None
    true_score: float | None
    points: dict[str, tuple[Standing, Standing]]
    unsaid: tuple[str, ...]
    asked_for: tuple[str, ...]
    held: tuple[str, ...]
    found: tuple[str, ...]


class Played(Value):
    """One interview. ``estimates``: the ability after each question, as the report would have it; ``true_estimates``: the
    same with grades that are right. ``words`` and ``milliseconds``: of each of the interviewer's turns; ``repeats``: sentences
    that they said again; ``misheard``: answers that were not taken for one. ``disputes``: how many grades were disputed."""

    name: str
    ability: float
    manner: Manner
    asked: tuple[Asked, ...]
    follow_ups: tuple[FollowUp, ...]
    hints: tuple[Hint, ...]
    estimates: tuple[float, ...]
    true_estimates: tuple[float, ...]
    turns: int
    words: tuple[int, ...]
    milliseconds: tuple[float, ...]
    repeats: tuple[str, ...]
    misheard: int
    disputes: int
    sources: dict[str, int]
    ended: bool
    transcript: tuple[tuple[str, str], ...]


def leak(text: str, claim: str, question: str) -> float:
    """The share of the claim's content words, beyond those of the question, that ``text`` gives away."""
    own = content(claim) - content(question)
    return len(own & content(text)) / len(own) if own else 0.0


@dataclass
class Conversation:
    """One candidate before the interviewer: understands turns by their parts alone, as a surface does."""

    candidate: Candidate
    session: Session
    questions: Sequence[Question]
    material: Material
    talks: dict[str, Talk] = field(default_factory=dict)
    follow_ups: list[FollowUp] = field(default_factory=list)
    hints: list[Hint] = field(default_factory=list)
    words: list[int] = field(default_factory=list)
    milliseconds: list[float] = field(default_factory=list)
    repeats: list[str] = field(default_factory=list)
    transcript: list[tuple[str, str]] = field(default_factory=list)
    misheard: int = 0

    def __post_init__(self) -> None:
        self._talk: Talk | None = None
        self._probing: Point | None = None
        self._requested = False  # the last message was a request, whose answer says things again on purpose
        self._disputes = False
        self._disputed = 0
        self._heard: set[str] = set()
        self._chance = random.Random(f"{self.candidate.seed}/{self.candidate.name}/disputes")

    # --- listening --------------------------------------------------------------------------------

    def hear(self, turn: Turn, milliseconds: float) -> None:
        texts = [part.text for part in turn.parts if part.text]
        self.transcript.append(("interviewer", "\n\n".join(texts)))
        self.words.append(len(_FENCED.sub(" ", " ".join(texts)).split()))
        self.milliseconds.append(milliseconds)
        if not self._requested:
            self._notice_repeats(turn.parts)
        before = self._talk, self._probing
        for part in turn.parts:
            self._hear_part(part)
        if (
            self._talk is not None
            and not self._requested
            and before == (self._talk, self._probing)
            and not self.session.ended
        ):
            self.misheard += self._talk.answered

    def _hear_part(self, part: Part) -> None:
        match part.kind:
            case PartKind.EVIDENCE if part.verdict and self._talk:
                self._disputes = self._feels_wronged(part.verdict, self._talk)
            case PartKind.QUESTION:
                question = self._question(part.text)
                if self._talk is None or self._talk.question.id != question.id:
                    self._talk = self.talks[question.id] = Talk(self.candidate, question, self.material)
                    self._probing = None
            case PartKind.FOLLOW_UP if self._talk:
                self._hear_follow_up(part.text, self._talk)
            case PartKind.HINT if self._talk:
                question = self._talk.question
                told = max(leak(part.text, p.claim, question.question) for p in question.points)
                self.hints.append(Hint(question=question.id, text=part.text, overlap=told))

    def _hear_follow_up(self, text: str, talk: Talk) -> None:
        question = talk.question
        point = next(p for p in question.points if p.follow_up == text)
        if any((f.question, f.point) == (question.id, point.id) for f in self.follow_ups):
            return
        self._probing = point
        stood = talk.standing(point.id)
        self.follow_ups.append(
            FollowUp(
                question=question.id,
                point=point.id,
                text=text,
                stood=stood,
                graded=next((p.verdict for p in self.session.standing().points if p.point == point.id), None),
                knew=point.id in talk.profile.known and stood is not Standing.COVERED,
                overlap=leak(text, point.claim, question.question),
            )
        )

    def _question(self, text: str) -> Question:
        """The one whose words ``text`` begins with; what follows are options and starter code."""
        return max((q for q in self.questions if text.startswith(q.question)), key=lambda q: len(q.question))

    def _feels_wronged(self, verdict: Verdict, talk: Talk) -> bool:
        if self.candidate.manner is not Manner.DISPUTES or self._disputed >= _MOST_DISPUTES:
            return False
        unheard = [
            p
            for p in verdict.points
            if talk.standing(p.point) is Standing.COVERED and p.verdict is not Standing.COVERED
        ]
        return bool(unheard) and self._chance.random() < 0.5

    def _notice_repeats(self, parts: Sequence[Part]) -> None:
        for part in parts:
            for sentence in sentences(_QUOTE.sub("…", part.text)) if part.kind in _SPOKEN else []:
                if len(sentence.split()) < _LEAST_WORDS:
                    continue
                if sentence in self._heard:
                    self.repeats.append(sentence)
                self._heard.add(sentence)

    # --- speaking ---------------------------------------------------------------------------------

    def reply(self) -> str:
        text, self._requested = self._next()
        self.transcript.append(("candidate", text))
        return text

    def _next(self) -> tuple[str, bool]:
        """What to say, and whether that is a request."""
        talk, probing = self._talk, self._probing
        if self._disputes:
            self._disputes = False
            self._disputed += 1
            return DISPUTE, True
        if talk is None:
            return "end", True
        known = talk.profile.known
        if not talk.answered:
            return (HINT, True) if talk.wants_hint(stuck=not known) else (talk.open(), False)
        if probing is None or probing.id in talk.replied:
            return "skip", True  # what was said was not taken for an answer
        return (HINT, True) if talk.wants_hint(stuck=probing.id not in known) else (talk.answer(probing), False)

    # --- looking back -----------------------------------------------------------------------------

    def played(self, plan: Plan) -> Played:
        report = self.session.report()
        answered = [each for each in report.answered if each.question in self.talks]
        right = [
            each.model_copy(update={"verdict": _true_verdict(each, self.talks[each.question])}) for each in answered
        ]
        return Played(
            name=self.candidate.name,
            ability=self.candidate.ability,
            manner=self.candidate.manner,
            asked=tuple(self._asked(each, truth) for each, truth in zip(answered, right, strict=True)),
            follow_ups=tuple(self.follow_ups),
            hints=tuple(self.hints),
            estimates=_estimates(answered, plan),
            true_estimates=_estimates(right, plan),
            turns=len(self.words),
            words=tuple(self.words),
            milliseconds=tuple(self.milliseconds),
            repeats=tuple(self.repeats),
            misheard=self.misheard,
            disputes=self._disputed,
            sources=dict(Counter(source.value for talk in self.talks.values() for source in talk.sources)),
            ended=self.session.ended,
            transcript=tuple(self.transcript),
        )

    def _asked(self, answered: Answered, truth: Answered) -> Asked:
        talk = self.talks[answered.question]
        probed = {f.point for f in self.follow_ups if f.question == answered.question and f.knew}
        unsaid = sorted(talk.profile.left_out)
        return Asked(
            question=answered.question,
            level=answered.level,
            score=answered.verdict.score,
            true_score=truth.verdict.score,
            points={p.point: (talk.standing(p.point), p.verdict) for p in answered.verdict.points},
            unsaid=tuple(unsaid),
            asked_for=tuple(name for name in unsaid if name in probed),
            held=tuple(talk.held),
            found=tuple(m.id for m in answered.verdict.misconceptions),
        )


def _true_verdict(answered: Answered, talk: Talk) -> Verdict:
    """The verdict that a grader would give who knows what was said."""
    given = answered.verdict
    points = tuple(p.model_copy(update={"verdict": talk.standing(p.point)}) for p in given.points)
    held = tuple(HeldMisconception(id=name, quote="", correction="") for name in talk.held)
    score = score_of(points, held) if points and given.score is not None else None
    return given.model_copy(update={"points": points, "misconceptions": held, "score": score})


def _estimates(answered: Sequence[Answered], plan: Plan) -> tuple[float, ...]:
    return tuple(round(estimate(answered[: n + 1], plan.level)[0], 3) for n in range(len(answered)))
