"""Replies judged by prompts and models: asked side by side, with everything that came back.

Promises that a reply which a model failed on has no verdict, and the reason, rather than the embedded judge's; and the same
results, in the order of the cases, whatever the number of threads. Does not say how good they are: see ``prompts``.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from joblib import Parallel, delayed

from eval.cases import Case
from interviewer.grading.judge import EmbeddedJudge
from interviewer.grading.opinion import Opinion
from interviewer.grading.panel import PanelJudge
from interviewer.house import House
from interviewer.interview.single import Graded, find_question, run_of
from interviewer.llm import LanguageModel, TurnModel, in_words
from interviewer.models import CodeRun, ModelCall, ModelFault, Purpose, Question, Spent
from interviewer.prompts import Rendered

PAUSE = 30.0  # seconds
PAUSES = 6
_MANY = 4
_OF_THE_SERVER = frozenset({ModelFault.TIMEOUT, ModelFault.RATE_LIMITED, ModelFault.SERVER, ModelFault.NETWORK})

T = TypeVar("T")
R = TypeVar("R")
Advance = Callable[[], None]


@dataclass(frozen=True)
class Reply:
    """A case and what is the same whoever judges it. ``question`` is None where there is nothing to grade against; ``alone``:
    the embedded judge's verdict."""

    case: Case
    question: Question | None
    run: CodeRun | None
    alone: Graded


@dataclass(frozen=True)
class Tried:
    """What a prompt and a model made of a reply. ``first`` and ``second``: what the model thought at each look, None where it
    wasn't asked or failed."""

    graded: Graded
    first: Opinion | None = None
    second: Opinion | None = None
    calls: tuple[ModelCall, ...] = ()


def prepare(cases: Sequence[Case], house: House, jobs: int, advance: Advance) -> list[Reply]:
    """Runs the code of coding tasks, once for all judges."""
    house.judge.warm()

    def ready(case: Case) -> Reply:
        question = find_question(case.question, case.reference, house.bank)
        if question is None:
            return Reply(case, None, None, Graded(id=case.id, unscored="There is nothing to grade against."))
        run = run_of(question, case.answer, house.sandbox)
        verdict = house.judge.grade(question, case.answer, run=run)
        return Reply(case, question, run, _graded(case, question).model_copy(update={"verdict": verdict}))

    return _in_threads(ready, cases, jobs, advance)


def try_out(
    replies: Sequence[Reply],
    embedded: EmbeddedJudge,
    model: LanguageModel,
    prompts: tuple[str, str],
    jobs: int,
    advance: Advance,
) -> list[Tried]:
    """The limits on a turn hold for each reply, and the one on a session's money for all of them together."""
    insistent = _Insistent(model)
    spent = _Spent()

    def tried(reply: Reply) -> Tried:
        if reply.question is None:
            return Tried(reply.alone)
        insistent.pause()
        turn = _Turn(insistent, Spent(money=spent.money))
        judge = PanelJudge(embedded, turn, prompts)
        verdict = judge.grade(reply.question, reply.case.answer, run=reply.run, references=reply.question.references)
        spent.add(turn.calls)
        graded = _graded(reply.case, reply.question).model_copy(
            update={"verdict": verdict, "seconds": sum(call.seconds for call in turn.calls)}
        )
        first = turn.opinions.get(Purpose.JUDGE)
        if turn.calls and first is None:
            fault = turn.calls[0].fault or ModelFault.BROKEN
            graded = graded.model_copy(update={"verdict": None, "unscored": f"The language model {in_words(fault)}."})
        return Tried(graded, first, turn.opinions.get(Purpose.SECOND_LOOK), tuple(turn.calls))

    return _in_threads(tried, replies, jobs, advance)


def _graded(case: Case, question: Question) -> Graded:
    return Graded(id=case.id, question_id="" if question.derived else question.id, derived=question.derived)


class _Turn(TurnModel):
    """Keeps what it was told, beside telling it."""

    def __init__(self, house: LanguageModel, spent: Spent):
        super().__init__(house, spent)
        self.opinions: dict[Purpose, Any] = {}

    def data(self, purpose: Purpose, prompt: Rendered, accept: Callable[[Any], T]) -> T:
        accepted = super().data(purpose, prompt, accept)
        self.opinions[purpose] = accepted
        return accepted


class _Spent:
    """US dollars, over all replies."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.money = 0.0

    def add(self, calls: Sequence[ModelCall]) -> None:
        with self._lock:
            self.money += sum(call.money or 0.0 for call in calls)


class _Insistent(LanguageModel):
    """Is not left alone for what came of a single request, as it would be while a person waits. A server that fails many times
    in a row is given a pause, a few times; then, or where it refuses the key, it is left alone for good."""

    def __init__(self, model: LanguageModel):
        super().__init__(model.settings, model.judge, model.voice, model.cache)
        self._given_up = threading.Event()
        self._pausing = threading.Lock()
        self._in_a_row = 0
        self._pauses = PAUSES

    def resting(self, name: str) -> bool:
        return self._given_up.is_set()

    def note(self, name: str, fault: ModelFault | None, wait: float | None = None) -> None:
        self._in_a_row = self._in_a_row + 1 if fault in _OF_THE_SERVER else 0
        if fault is ModelFault.KEY:
            self._given_up.set()

    def pause(self) -> None:
        """Before a request, where one is due."""
        with self._pausing:
            if self._in_a_row < _MANY:
                return
            if not self._pauses:
                self._given_up.set()
            self._pauses -= 1
            self._given_up.wait(PAUSE)
            self._in_a_row = 0


def _in_threads(work: Callable[[T], R], items: Sequence[T], jobs: int, advance: Advance) -> list[R]:
    done = []
    for result in Parallel(n_jobs=jobs, backend="threading", return_as="generator")(delayed(work)(i) for i in items):
        done.append(result)
        advance()
    return done
