"""What a conversation remembers between turns: plain JSON, so that any process can take it up.

``State`` is what the checkpoint holds; its values are dumps of the frozen values below and in models.
A class of our own never goes into a checkpoint.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Protocol, TypedDict

from interviewer.errors import NothingToPractise
from interviewer.interview.plan import Wish
from interviewer.llm import TurnModel
from interviewer.models import (
    CodeRun,
    Hit,
    OnProgress,
    Part,
    Plan,
    Question,
    Reference,
    Ruling,
    Shown,
    Task,
    Value,
    Verdict,
)


class Intent(StrEnum):
    """What a message is."""

    ANSWER = "answer"
    PLAN = "plan"
    HINT = "hint"
    REPEAT = "repeat"
    SKIP = "skip"
    END = "end"
    DISPUTE = "dispute"
    DONT_KNOW = "dont_know"
    SMALL_TALK = "small_talk"
    SILENCE = "silence"


GRADED = frozenset({Intent.ANSWER, Intent.DONT_KNOW})


class Heard(Value):
    """One message, understood. ``code`` is the content of its fenced blocks, joined."""

    intent: Intent
    text: str
    code: str = ""


class Current(Value):
    """The question on the table, whole as it was asked: the bank may change under an open session.
    ``probing`` is the point that the last follow-up asked for, ``asked_as`` its words where they are not the authored ones,
    ``clarified`` the one that was asked about since the grader was unsure of it."""

    question: Question
    replies: tuple[str, ...] = ()
    probing: str = ""
    asked_as: str = ""
    probed: tuple[str, ...] = ()
    clarified: str = ""
    hints: int = 0
    silences: int = 0
    disputed: str = ""
    verdict: Verdict | None = None
    run: CodeRun | None = None
    shown: tuple[Shown, ...] = ()


class Action(StrEnum):
    """What the interviewer does next."""

    GREET = "greet"
    FOLLOW_UP = "follow_up"
    NEXT = "next"
    FINISH = "finish"
    HINT = "hint"
    REPEAT = "repeat"
    REPLAN = "replan"
    DISPUTE = "dispute"
    REDIRECT = "redirect"
    NUDGE = "nudge"
    KEEP_PLAN = "keep_plan"


class Decision(Value):
    """``closed`` is set where the turn ended a question: its verdict is shown before anything else."""

    action: Action
    point: str = ""
    closed: bool = False
    reason: str = ""


class Reviewed(Value):
    """What a person decided on a grade of this session: ``verdict`` is the one that counts from then on."""

    question: str
    ruling: Ruling
    verdict: Verdict


class State(TypedDict, total=False):
    session: str
    plan: dict[str, Any]
    begun: str
    turn: int  # seq of the candidate's turn that this run answers; -1 for the greeting
    message: str
    heard: dict[str, Any]
    retrieved: dict[str, Any]
    run: dict[str, Any] | None
    graded: dict[str, Any] | None
    claim: str  # words of this message that running something would settle, as a language model sees it; may be empty
    shown: list[dict[str, Any]]  # the experiments of this turn
    current: dict[str, Any] | None
    asked: list[str]
    answered: list[dict[str, Any]]
    decision: dict[str, Any]
    said: list[dict[str, Any]]
    closed: dict[str, Any] | None  # the evidence of the question that this turn ended
    filed: list[dict[str, Any]]  # what this turn puts in the queue of reviews
    reviewed: list[dict[str, Any]]  # what people have decided on this session's grades
    done: bool
    calls: list[dict[str, Any]]  # what this turn asked of a language model
    spent: dict[str, Any]  # what the session has used of it
    told: list[str]  # the faults of it that the candidate was told of


class Bank(Protocol):
    """What the interview asks of the bank."""

    def questions(self) -> tuple[Question, ...]: ...
    def get(self, question_id: str) -> Question: ...
    def references(self, question_id: str) -> tuple[Reference, ...]: ...
    def neighbours(self, question_id: str, k: int) -> list[Hit]: ...
    def search(self, text: str, k: int) -> list[Hit]: ...


class Judge(Protocol):
    """What the interview asks of grading."""

    def grade(
        self,
        question: Question,
        reply: str,
        *,
        probing: str = "",
        run: CodeRun | None = None,
        references: tuple[Reference, ...] = (),
    ) -> Verdict: ...


class Sandbox(Protocol):
    """What the interview asks of the sandbox."""

    def judge(self, task: Task, code: str, on_progress: OnProgress = ...) -> CodeRun: ...
    def experiment(self, code: str, seconds: float = 10, on_progress: OnProgress = ...) -> CodeRun: ...


def _no_record(wish: Wish, base: Plan) -> Plan:
    raise NothingToPractise("Nothing is known here of your earlier interviews.")


@dataclass(frozen=True)
class Rooms:
    """What the steps of a turn may use, handed in by whoever assembles the process. ``judge`` grades, the
    ``embedded`` one without anybody's help; ``model``: the language model for this turn, where there is one; ``on_text`` is told what is being said while it is phrased;
    ``plan_for`` makes an interview of this person's record, or raises NothingToPractise."""

    bank: Bank
    judge: Judge
    embedded: Judge
    sandbox: Sandbox
    now: Callable[[], datetime]
    progress: Callable[[str], None]
    model: TurnModel | None = None
    on_text: Callable[[str], None] = lambda _: None
    plan_for: Callable[[Wish, Plan], Plan] = _no_record


def current(state: State) -> Current | None:
    value = state.get("current")
    return Current.model_validate(value) if value else None


def with_shown(now: Current, shown: Sequence[Shown]) -> State:
    """``shown`` as the experiments of this turn, and beside those that the question had before."""
    joined = now.model_copy(update={"shown": (*now.shown, *shown)})
    return {"shown": [each.model_dump(mode="json") for each in shown], "current": joined.model_dump(mode="json")}


def parts(*said: Part) -> list[dict[str, Any]]:
    return [part.model_dump(mode="json", exclude_defaults=True) for part in said]
