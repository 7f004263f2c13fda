"""The door: every surface, and the eval harness, speaks to the interview through ``Session`` alone.

Promises: a message is on disk before it is worked on; an answer is given once, also when the process was
killed anywhere between; two surfaces on one session never interleave turns. Does not authenticate anybody.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from functools import cached_property, partial

from filelock import FileLock, Timeout
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.sqlite import SqliteSaver

from interviewer.errors import SessionBusy, SessionMoved, UsageError
from interviewer.interview.ahead import Ahead
from interviewer.interview.exam import discreet, in_exam
from interviewer.interview.graph import STEPS, Graph, Step, build_graph
from interviewer.interview.judges import judge_with
from interviewer.interview.plan import Wish
from interviewer.interview.practice import Record, attempts_of, plan_for, record_of
from interviewer.interview.report import build_report
from interviewer.interview.review import reviewed
from interviewer.interview.state import Bank, Judge, Rooms, Sandbox, State, current
from interviewer.llm import LanguageModel
from interviewer.llm.telemetry import unseen
from interviewer.models import Evidence, Filing, ModelCall, Part, Plan, Report, Role, Spent, Turn, Verdict
from interviewer.settings import Settings
from interviewer.store import SessionRow, Store

Progress = Callable[[str], None]

GREETING_TURN = -1
_WAIT_FOR_OTHER_SURFACE = 0.2  # seconds: what is sent meanwhile answers an older question


def utc_now() -> datetime:
    return datetime.now(UTC)


class Interviews:
    """All interviews of one home. Assembled once a process; safe to use from several threads."""

    def __init__(
        self,
        settings: Settings,
        *,
        bank: Bank,
        judge: Judge,
        sandbox: Sandbox,
        now: Callable[[], datetime] = utc_now,
        model: Callable[[], LanguageModel | None] = lambda: None,
        steps: dict[str, Step] = STEPS,
    ):
        self.store = Store(settings.database)
        self._settings = settings
        self._steps = steps
        self._model = model
        self.ahead = Ahead(judge)
        self._rooms = Rooms(bank=bank, judge=judge, embedded=judge, sandbox=sandbox, now=now, progress=lambda _: None)

    def begin(self, plan: Plan | None = None, user: str = "local") -> Session:
        """A new session, greeted and asked its first question."""
        session = self.open(self.store.begin(user, plan))
        session.resume()
        return session

    def open(self, session_id: str) -> Session:
        """Raises UnknownSession where there is none."""
        return Session(self, self.store.session(session_id))

    def forget(self, user: str) -> int:
        """Deletes all that ``user`` wrote, and all that was made of it; how many sessions that were. Raises SessionBusy,
        and deletes nothing, while one of them is being answered."""
        sessions = self.store.sessions(user)
        with ExitStack() as held:
            for row in sessions:
                held.enter_context(alone(self, row.id))
            for row in sessions:
                self._checkpoints.delete_thread(row.id)
            with self._checkpoints.cursor(transaction=False) as cursor:
                cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            self.store.forget(user)
        return len(sessions)

    def rooms(self, progress: Progress, on_text: Progress, spent: Spent | None) -> Rooms:
        """For one turn. ``spent``: what its session has used of a language model; None for a turn that needs none."""
        model = self._model() if spent is not None else None
        turn = model.turn(spent) if model else None
        return replace(
            self._rooms, progress=progress, on_text=on_text, model=turn, judge=judge_with(self._rooms.embedded, turn)
        )

    def record(self, user: str) -> Record:
        """Where ``user`` stands after all their interviews, and what is due again. An exam counts once it has ended."""
        attempts = attempts_of(self.store, user, lambda session: not self.open(session).withholds_grades)
        in_bank = {q.id for q in self._rooms.bank.questions()}
        return record_of(attempts, self._rooms.now().astimezone(UTC).date(), in_bank)

    def plan_for(self, user: str, wish: Wish, base: Plan | None = None) -> Plan:
        """An interview of what is due for ``user``, or of what they are worst at, within the bounds of ``base``. Raises
        NothingToPractise, which says why, where there is nothing of the kind."""
        return plan_for(self.record(user), wish, self._rooms.bank.questions(), base)

    def lock(self, session_id: str) -> FileLock:
        self._settings.locks.mkdir(parents=True, exist_ok=True)
        return FileLock(
            self._settings.locks / f"{session_id}.lock", timeout=_WAIT_FOR_OTHER_SURFACE, is_singleton=False
        )

    @cached_property
    def graph(self) -> Graph:
        return build_graph(self._checkpoints, self._steps)

    @cached_property
    def _checkpoints(self) -> SqliteSaver:
        self._settings.checkpoints.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(self._settings.checkpoints, check_same_thread=False, timeout=30)
        connection.execute("PRAGMA secure_delete=ON")  # what was deleted is not left lying in the file
        return SqliteSaver(connection)


class Session:
    """One conversation. Turns alternate, the interviewer's first."""

    def __init__(self, interviews: Interviews, row: SessionRow):
        self.id = row.id
        self.user = row.user
        self._row = row
        self._interviews = interviews
        self._store = interviews.store

    def turns(self) -> list[Turn]:
        return self._store.turns(self.id)

    @property
    def ended(self) -> bool:
        return self._store.session(self.id).ended is not None

    @property
    def withholds_grades(self) -> bool:
        """Whether this is an exam that still goes on."""
        state = self._state() if not self.ended else None
        return bool(state and state.get("plan") and in_exam(state))

    def reply(
        self,
        text: str,
        *,
        key: str | None = None,
        after: int | None = None,
        progress: Progress = lambda _: None,
        on_text: Progress = lambda _: None,
    ) -> Turn:
        """The interviewer's answer to ``text``; ``on_text`` is handed what a language model phrases, sentence by sentence.

        ``key`` names the message: the same key again gives the same answer and is not taken twice.
        ``after`` is the ``seq`` of the last turn that the sender has seen. Raises SessionBusy while another
        surface is being answered, SessionMoved when the conversation has gone on since ``after``.
        """
        with alone(self._interviews, self.id):
            self._catch_up(progress)
            turns = self.turns()
            if key and (seq := self._store.seq_of(self.id, key)) is not None:
                return turns[seq + 1]
            if after is not None and turns[-1].seq != after:
                raise SessionMoved(self.id)
            message = Turn(seq=len(turns), role=Role.CANDIDATE, text=text, at=_stamp())
            self._store.add_turn(self.id, message, key)
            return self._answer(message.seq, text, progress, on_text)

    def resume(self, progress: Progress = lambda _: None) -> list[Turn]:
        """Everything said so far, after answering what a kill left unanswered."""
        with alone(self._interviews, self.id):
            self._catch_up(progress)
        return self.turns()

    def report(self) -> Report:
        """The report as it stands. Once the interview has ended only a person's decision on a grade changes it."""
        opening = self._opening(GREETING_TURN, "")
        return build_report({**opening, **self._state(), "reviewed": opening["reviewed"]})

    def standing(self) -> Verdict:
        """The verdict on the question on the table. Raises UsageError when nothing was answered on it yet."""
        now = current(self._state())
        if now is None or now.verdict is None:
            raise UsageError("Nothing was answered on this question yet.")
        return now.verdict

    def _catch_up(self, progress: Progress) -> None:
        turns = self.turns()
        if not turns:
            self._answer(GREETING_TURN, "", progress)
        elif turns[-1].role is Role.CANDIDATE:
            self._answer(turns[-1].seq, turns[-1].text, progress)

    def _answer(self, seq: int, text: str, progress: Progress, on_text: Progress = lambda _: None) -> Turn:
        """Runs the graph for the turn ``seq``, from wherever an earlier run of it was cut off."""
        graph = self._interviews.graph
        snapshot = graph.get_state(self._config)
        spent = Spent.model_validate(snapshot.values.get("spent", {})) if seq != GREETING_TURN else None
        exam = seq != GREETING_TURN and Plan.model_validate(snapshot.values["plan"]).exam
        rooms = self._interviews.rooms(discreet(progress) if exam else progress, on_text, spent)
        rooms = replace(rooms, plan_for=partial(self._interviews.plan_for, self.user))
        with unseen():  # by a tracing service: the state holds what the candidate wrote
            if snapshot.values.get("turn") != seq:
                graph.invoke(self._opening(seq, text), self._config, context=rooms, durability="sync")
            elif snapshot.next:
                graph.invoke(None, self._config, context=rooms, durability="sync")
        state = self._state()
        said = tuple(Part.model_validate(part) for part in state["said"])
        answer = Turn(
            seq=seq + 1,
            role=Role.INTERVIEWER,
            parts=said,
            at=_stamp(),
            calls=tuple(ModelCall.model_validate(call) for call in state.get("calls", [])),
            spent=Spent.model_validate(state.get("spent", {})),
        )
        self._store.answer(
            self.id,
            answer,
            closed=Evidence.model_validate(state["closed"]) if state.get("closed") else None,
            filed=[Filing.model_validate(each) for each in state.get("filed", [])],
            ended=bool(state.get("done")),
        )
        if now := current(state):
            self._interviews.ahead.prepare(now)
        return answer

    def _opening(self, seq: int, text: str) -> State:
        decided = reviewed(self._store.reviews(session=self.id))
        opening: State = {
            "turn": seq,
            "message": text,
            "reviewed": [each.model_dump(mode="json") for each in decided],
        }
        if seq == GREETING_TURN:
            plan = self._row.plan or Plan()
            opening |= {"session": self.id, "begun": self._row.begun, "plan": plan.model_dump(mode="json")}
        return opening

    def _state(self) -> State:
        values: State = self._interviews.graph.get_state(self._config).values  # type: ignore[assignment]
        return values

    @property
    def _config(self) -> RunnableConfig:
        return {"configurable": {"thread_id": self.id}}


@contextmanager
def alone(interviews: Interviews, session_id: str) -> Iterator[None]:
    """Raises SessionBusy while anybody else is in the middle of a turn of this session."""
    try:
        with interviews.lock(session_id):
            yield
    except Timeout as error:
        raise SessionBusy(session_id) from error


def _stamp() -> str:
    return utc_now().isoformat(timespec="seconds")
