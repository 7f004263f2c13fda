"""What of a session stands in Slack: what was said elsewhere is brought there too, and the report with its files.

Promises: what was answered is shown, also when the process died between the two, and nothing of it twice; what a person wrote elsewhere is
counted, not repeated, since others may read a thread.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from interviewer.errors import SessionBusy
from interviewer.interview.session import Interviews, Session, alone
from interviewer.models import Role, Turn
from interviewer.store import Place
from interviewer.surfaces.slack.answer import Answer
from interviewer.surfaces.slack.blocks import Message, buttons, meanwhile, messages, note, spoken, turn_blocks
from interviewer.surfaces.slack.enclosing import Enclosing

_PATIENCE = 60.0  # seconds for another process that answers in the same session
_LOOK_AGAIN = 0.3

Result = TypeVar("Result")


class Showing:
    """``to_the_page``: whether there is a page that an interview could go on on."""

    def __init__(self, interviews: Interviews, enclosing: Enclosing, *, to_the_page: bool):
        self._interviews = interviews
        self._places = interviews.store.places
        self._enclosing = enclosing
        self._to_the_page = to_the_page

    def at(self, team: str, channel: str, thread: str) -> Place | None:
        return self._places.at(place_name(team, channel, thread))

    def bound(self, team: str, answer: Answer, session: Session) -> Place:
        """The thread of ``answer`` as a place of the session; an answer that a dead process began there is taken over."""
        place = self._places.bind(place_name(team, answer.channel, answer.thread), session.id, session.user)
        self.keep_place(answer, place)
        return place

    def keep_place(self, answer: Answer, place: Place) -> None:
        answer.keep_place(place.pending, lambda ts: self._places.begin_answer(place.place, ts))

    def shown(self, place: Place) -> int:
        """The last turn of its session that stands in Slack, wherever that is."""
        return max(p.shown for p in self._places.of_session(place.session))

    def behind(self, session: Session, place: Place) -> bool:
        """Whether something was said that doesn't stand in Slack yet."""
        return bool(self._new(session, place))

    def begin(self, team: str, session: Session, answer: Answer) -> None:
        """The first turn, in the thread of ``answer`` or, where that has none, as the beginning of one."""
        if answer.thread:
            self.show(session, self.bound(team, answer, session), answer)
            return
        turns = session.turns()
        answer.thread = answer.finish(self._messages(session, turns))
        self._places.show(self.bound(team, answer, session).place, turns[-1].seq)

    def show(self, session: Session, place: Place, answer: Answer, *, answered: str = "", ending: str = "") -> None:
        """What was said and not shown yet, and the report's files. ``answered`` is the key of the message that ``answer`` answers, where
        it was taken. Where all was shown, and of the answer nothing stands there yet, nothing is said but ``ending``, which comes last."""
        turns, new = session.turns(), self._new(session, place)
        said: list[Message] = []
        if new or not (ending or answer.withdraw()):
            said = self._messages(session, new or [t for t in turns if t.role is Role.INTERVIEWER][-1:])
        own = self._interviews.store.seq_of(session.id, answered) if answered else None
        last = self.shown(place)
        elsewhere = [t for t in turns if t.role is Role.CANDIDATE and t.seq > last and t.seq != own]
        before = [meanwhile(len(elsewhere))] if elsewhere and said else []
        after = [note(ending)] if ending else []
        if before or said or after:
            answer.finish([*before, *said, *after])
        if new:
            self._places.show(place.place, new[-1].seq)
        if self._enclosing.owes(session):
            patiently(lambda: self._enclose(session, answer))

    def _enclose(self, session: Session, answer: Answer) -> None:
        with alone(self._interviews, session.id):
            self._enclosing.enclose(session, answer.client, answer.channel, answer.thread)

    def _new(self, session: Session, place: Place) -> list[Turn]:
        last = self.shown(place)
        return [turn for turn in session.turns() if turn.role is Role.INTERVIEWER and turn.seq > last]

    def _messages(self, session: Session, turns: list[Turn]) -> list[Message]:
        """The buttons stand under the newest."""
        *older, newest = turns
        under_it = buttons(
            session.id, newest.seq, ended=session.ended, exam=session.withholds_grades, page=self._to_the_page
        )
        earlier = [block for turn in older for block in [*turn_blocks(turn), {"type": "divider"}]]
        return [
            *(messages(spoken(older[-1]), earlier) if older else []),
            *messages(spoken(newest), [*turn_blocks(newest), under_it]),
        ]


def place_name(team: str, channel: str, thread: str) -> str:
    return f"slack:{team}:{channel}:{thread}"


def patiently(work: Callable[[], Result]) -> Result:
    """Tries again while another process answers in the same session."""
    deadline = time.monotonic() + _PATIENCE
    while True:
        try:
            return work()
        except SessionBusy:
            if time.monotonic() > deadline:
                raise
            time.sleep(_LOOK_AGAIN)
