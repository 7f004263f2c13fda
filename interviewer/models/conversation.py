"""What is said in an interview, and what is reported and reviewed of it."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from pydantic import Field

from interviewer.models.bank import Doubt, Level, Question, Topic
from interviewer.models.base import Slug, Value
from interviewer.models.calls import ModelCall, Spent
from interviewer.models.grading import Standing, Verdict
from interviewer.models.runs import CodeRun


class Plan(Value):
    """What an interview is to be: asked of the candidate, or given by the caller.

    ``feedback``: after "each" question, which makes it a practice; or at the "end" alone, in the report, which makes it an
    exam. An exam shows no verdict, no correction and no experiment before its report, and gives no hints. ``fixed``: the
    candidate's wishes don't change it.
    """

    level: Level = Level.MID
    topics: tuple[Topic, ...] = ()
    minutes: int = Field(30, ge=5, le=180)
    questions: int | None = Field(None, ge=1, le=50, description="ends after so many; None: as time allows")
    code: bool = True
    feedback: Literal["each", "end"] = "each"
    only: tuple[Slug, ...] = Field((), description="ask exactly these question ids, in this order")
    leave_out: tuple[Slug, ...] = Field((), description="question ids that are not asked")
    fixed: bool = False

    @property
    def exam(self) -> bool:
        return self.feedback == "end"


class PartKind(StrEnum):
    SAY = "say"
    QUESTION = "question"
    FOLLOW_UP = "follow_up"
    HINT = "hint"
    EVIDENCE = "evidence"
    CORRECTION = "correction"
    RUN = "run"
    REPORT = "report"
    EXPERIMENT = "experiment"
    NOTICE = "notice"


class Shown(Value):
    """An experiment that was run before the candidate's eyes. ``quote``: the words that it was run on; ``printed``: what
    it printed there and then; ``means`` is empty as long as the candidate is to find that out."""

    experiment: str
    quote: str
    code: str
    printed: str
    means: str = ""


class Part(Value):
    """One block of what the interviewer says; surfaces decide how it looks."""

    kind: PartKind
    text: str = ""
    verdict: Verdict | None = None
    run: CodeRun | None = None
    shown: Shown | None = None
    report: Report | None = None


class Role(StrEnum):
    INTERVIEWER = "interviewer"
    CANDIDATE = "candidate"


class Turn(Value):
    """One thing said. ``seq`` counts from 0 within the session; even turns are the interviewer's. ``calls``: what was asked of
    a language model for it; ``spent``: what the session has used of it by then."""

    seq: int
    role: Role
    text: str = ""
    parts: tuple[Part, ...] = ()
    at: str = ""
    calls: tuple[ModelCall, ...] = ()
    spent: Spent = Spent()


class ReviewKind(StrEnum):
    """Why a person is to look at a grade: the candidate disputes it, or the grader is unsure of it."""

    DISPUTE = "dispute"
    UNSURE = "unsure"


class Judgement(StrEnum):
    """What a person decides on a grade."""

    UPHELD = "upheld"
    CHANGED = "changed"


class Ruling(Value):
    """A person's decision as the candidate sees it: what was decided, why, and when."""

    kind: ReviewKind
    judgement: Judgement
    comment: str
    at: str


class Answered(Value):
    """A finished question as the report shows it: the whole of what was said on it, graded.

    ``unsure`` says why the grader is unsure of its verdict and has handed it to a person. ``verdict`` is the one that
    counts; where a person corrected it, ``graded`` is the grader's own. ``prerequisites`` are questions to understand
    first; ``shown_by`` names, by point, the experiment that shows how it is.
    """

    question: str
    text: str
    topic: Topic
    level: Level
    verdict: Verdict
    replies: tuple[str, ...] = ()
    run: CodeRun | None = None
    shown: tuple[Shown, ...] = ()
    hints: int = 0
    follow_ups: int = 0
    skipped: bool = False
    disputed: str = ""
    unsure: str = ""
    rulings: tuple[Ruling, ...] = ()
    graded: Verdict | None = None
    read: tuple[str, ...] = ()
    reference: str = ""
    doubts: tuple[Doubt, ...] = ()
    prerequisites: tuple[Slug, ...] = ()
    shown_by: dict[Slug, str] = {}

    def awaits(self, kind: ReviewKind) -> bool:
        """Whether a person is still to look at the grade for this reason."""
        filed = self.disputed if kind is ReviewKind.DISPUTE else self.unsure
        return bool(filed) and kind not in {ruling.kind for ruling in self.rulings}


class Evidence(Value):
    """Everything that a person needs to judge a grade: the question as it was asked, rubric and all, and what was said,
    run and graded. ``at``: when the question closed (ISO 8601); empty in what was kept before that was written down."""

    question: Question
    answered: Answered
    at: str = ""


class Filing(Value):
    """A grade that a person is to look at, and why, in plain words."""

    kind: ReviewKind
    question: str
    reason: str


class TopicEstimate(Value):
    """A candidate's level on a topic: ``ability`` on the scale of level ranks (0 junior to 3 staff),
    ``sd`` its standard deviation; wide when little was asked."""

    topic: Topic
    ability: float
    sd: float
    asked: int


class Study(Value):
    """A point worth learning, for what was said or left unsaid on it. ``correction``: what is so, where a misconception was held;
    ``experiment`` names the one that shows it; ``prerequisites`` are questions to understand first, on which something was
    missed as well. ``unsure``: the grader is not sure of it, so it may have been said after all."""

    question: Slug
    point: Slug
    topic: Topic
    claim: str
    standing: Standing
    correction: str = ""
    experiment: str = ""
    prerequisites: tuple[Slug, ...] = ()
    unsure: bool = False


class Report(Value):
    """``study``: what is most worth learning next, the most valuable first."""

    session: str
    plan: Plan
    answered: tuple[Answered, ...]
    topics: tuple[TopicEstimate, ...]
    score: float | None
    notes: tuple[str, ...] = ()
    study: tuple[Study, ...] = ()


Part.model_rebuild()
