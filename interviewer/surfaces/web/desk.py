"""Drives sessions for the page and says, step by step, what it is to show. Plain values: no Gradio here.

Promises: nobody is shown a session that isn't theirs, and nothing is begun by looking; a message is shown as sent once it is
stored; a refused one comes back, to be put into its box; a turn goes on when the browser leaves.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from threading import Lock, Thread
from typing import TYPE_CHECKING

from interviewer.errors import InterviewerError, NothingToPractise, SessionBusy, UnknownSession
from interviewer.models import Plan, Role
from interviewer.surfaces.web.view import View, said_with, starter_of, view_of
from interviewer.surfaces.web.working import Background

if TYPE_CHECKING:
    from interviewer.access import Person
    from interviewer.interview.plan import Wish
    from interviewer.interview.session import Interviews, Session

_READING = "Reading your answer"
_SPEAKING = "Putting it into words"
_LOADING = "Loading the models; only the first answer waits for this"
_ELSEWHERE = "Being answered in another window"
_LOOK_AGAIN = 0.5  # seconds, as those below
_A_MOMENT = 0.01
_SHOWN_AFTER = 1.0
_UNKNOWN = "The interview that was asked for is not kept here."
_GONE = "This interview is not kept here any more, so your message was not taken. It is still in its box: begin another one and it stands there."
_NOT_YOURS = "Your invitation is for one interview, which has been opened again."
_BROKEN = "Something broke on this side and was written to the log. What you sent is kept; reload the page to have it answered."


@dataclass(frozen=True)
class Start:
    """The choice of an interview, nothing being open. ``last``: the session that this browser had open and that has ended."""

    notice: str = ""
    last: str = ""


@dataclass(frozen=True)
class Screen:
    """What to show. ``said`` is a message that is not in ``view`` yet, ``saying`` what is being answered to it; ``pending``, while an answer is worked
    on, says how far it is. ``text`` and ``code`` go into their boxes; None leaves a box as it is."""

    view: View
    said: str = ""
    saying: str = ""
    pending: str = ""
    notice: str = ""
    text: str | None = None
    code: str | None = None


class Desk:
    """``warm`` begins to load the models."""

    def __init__(self, interviews: Interviews, warm: Callable[[], Thread]):
        self._interviews = interviews
        self._begin_warming = warm
        self._warming: Thread | None = None
        self._lock = Lock()

    def open(self, person: Person, asked: str, remembered: str, *, afresh: bool = False) -> Iterator[Start | Screen]:
        """The session that the address asks for, else the one that this browser had open, where it goes on still; else, and where
        somebody wants one ``afresh``, the choice of another. Who came for one session alone is shown that one."""
        if person.only:
            asked, remembered, afresh = person.only, "", False
        session = self._known(person, asked)
        if session is None and not asked and not afresh:
            session = self._known(person, remembered)
        if session is None or (not asked and session.ended):
            yield Start(notice=_UNKNOWN if asked else "", last=session.id if session else "")
        else:
            yield from self._show(session)

    def begin(self, person: Person, plan: Plan, wish: Wish | None = None) -> Iterator[Start | Screen]:
        """A new session; with a wish, one made of what the person did so far, within ``plan``."""
        if person.only:
            session = self._known(person, person.only)
            yield from self._show(session, _NOT_YOURS) if session else iter([Start(_UNKNOWN)])
            return
        try:
            chosen = self._interviews.plan_for(person.user, wish, plan) if wish else plan
        except NothingToPractise as why:
            yield Start(notice=str(why))
            return
        yield from self._show(self._interviews.begin(chosen, person.user))

    def reply(
        self, person: Person, session_id: str, text: str, code: str = "", *, key: str, after: int
    ) -> Iterator[Start | Screen]:
        """Sends one message. ``after`` is the last turn that the sender's page shows."""
        session = self._known(person, session_id)
        if session is None:
            yield Start(notice=_GONE)
            return
        message = said_with(text, code)
        shown = [turn for turn in session.turns() if turn.seq <= after]
        before = view_of(session)
        saying: list[str] = []

        def reply(progress: Callable[[str], None]) -> object:
            def hear(sentence: str) -> None:
                saying.append(sentence)
                progress(_SPEAKING)

            return session.reply(message, key=key, after=after, progress=progress, on_text=hear)

        work = Background(reply)
        _wait_until(lambda: work.done or _taken(session, message, after))
        yield Screen(before, said=message, pending=self._step(_READING), text="")
        notice = ""
        try:
            for step in work.steps():
                yield Screen(before, said=message, saying=" ".join(saying), pending=self._step(step))
        except Exception as error:
            notice = _sentence(error)
        view = view_of(session)
        refused = notice and not _taken(session, message, after)
        other_task = view.starter != starter_of(shown)
        yield Screen(
            view,
            notice=notice,
            text=(message if other_task else text) if refused else None,
            code=view.code or view.starter if other_task else None,
        )

    def view(self, person: Person, session_id: str) -> View | None:
        """As it stands, without waiting for anything."""
        session = self._known(person, session_id)
        return view_of(session) if session else None

    def warm(self) -> None:
        """Begins to load the models, once."""
        with self._lock:
            if self._warming is None:
                self._warming = self._begin_warming()

    def _show(self, session: Session, notice: str = "") -> Iterator[Screen]:
        """The whole conversation; where the last message has no answer yet, that too, as soon as there is one."""
        view = view_of(session)
        while view.waiting:
            yield Screen(view, pending=self._step(_READING), notice=notice)
            try:
                for step in Background(session.resume).steps():
                    yield Screen(view, pending=self._step(step), notice=notice)
            except SessionBusy:
                yield Screen(view, pending=_ELSEWHERE, notice=notice)
                time.sleep(_LOOK_AGAIN)
            except Exception as error:
                notice = _sentence(error)
                break
            view = view_of(session)
        yield Screen(view, notice=notice, code=view.code or view.starter)

    def _known(self, person: Person, session_id: str) -> Session | None:
        """None also where it is somebody else's."""
        try:
            session = self._interviews.open(session_id) if session_id else None
        except UnknownSession:
            return None
        return session if session and person.may_open(session.id, session.user) else None

    def _step(self, step: str) -> str:
        """``step``, or that it waits for the models."""
        self.warm()
        return _LOADING if self._warming and self._warming.is_alive() else step


def _taken(session: Session, message: str, after: int) -> bool:
    """Whether ``message`` is in the store."""
    return any(t.seq > after and t.role is Role.CANDIDATE and t.text == message for t in session.turns())


def _wait_until(stored: Callable[[], bool]) -> None:
    """For at most a second: longer takes only an older message that has to be answered first."""
    deadline = time.monotonic() + _SHOWN_AFTER
    while not stored() and time.monotonic() < deadline:
        time.sleep(_A_MOMENT)


def _sentence(error: Exception) -> str:
    if isinstance(error, InterviewerError):
        return str(error)
    logging.getLogger(__name__).exception("a turn failed", exc_info=error)
    return _BROKEN
