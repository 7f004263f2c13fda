"""Drives sessions for the page and says, step by step, what it is to show. Plain values: no Gradio here.

Promises: a message is shown as sent once it is stored; a refused one comes back, to be put into its box; a turn goes
on when the browser leaves.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from queue import SimpleQueue
from threading import Lock, Thread
from typing import TYPE_CHECKING

from interviewer.errors import InterviewerError, SessionBusy, UnknownSession
from interviewer.models import Plan, Role
from interviewer.surfaces.web.view import View, said_with, starter_of, status_of, view_of

if TYPE_CHECKING:
    from pathlib import Path

    from interviewer.interview.session import Interviews, Session

_READING = "Reading your answer"
_SPEAKING = "Putting it into words"
_LOADING = "Loading the models; only the first answer waits for this"
_ELSEWHERE = "Being answered in another window"
_LOOK_AGAIN = 0.5  # seconds, as those below
_A_MOMENT = 0.01
_SHOWN_AFTER = 1.0
_UNKNOWN = "The session that was asked for is not kept here, so this is a new interview."
_BROKEN = "Something broke on this side and was written to the log. What you sent is kept; reload the page to have it answered."


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
    """``reports`` is the folder in which reports are put for download; ``warm`` begins to load the models."""

    def __init__(self, interviews: Interviews, reports: Path, warm: Callable[[], Thread]):
        self.reports = reports
        self._interviews = interviews
        self._begin_warming = warm
        self._warming: Thread | None = None
        self._lock = Lock()

    def open(self, asked: str, remembered: str) -> Iterator[Screen]:
        """The session that the address asks for, else the one that this browser had open, else a new one."""
        session = self._known(asked or remembered)
        notice = _UNKNOWN if asked and session is None else ""
        yield from self._show(session or self._interviews.begin(), notice)

    def begin(self, plan: Plan) -> Iterator[Screen]:
        yield from self._show(self._interviews.begin(plan))

    def reply(self, session_id: str, text: str, code: str = "", *, key: str, after: int) -> Iterator[Screen]:
        """Sends one message. ``after`` is the last turn that the sender's page shows."""
        session = self._known(session_id)
        if session is None:
            yield from self._show(self._interviews.begin(), notice=_UNKNOWN, text=said_with(text, code))
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

    def status(self, session_id: str) -> str:
        session = self._known(session_id)
        return status_of(session) if session else ""

    def warm(self) -> None:
        """Begins to load the models, once."""
        with self._lock:
            if self._warming is None:
                self._warming = self._begin_warming()

    def _show(self, session: Session, notice: str = "", text: str | None = None) -> Iterator[Screen]:
        """The whole conversation; where the last message has no answer yet, that too, as soon as there is one."""
        view = view_of(session)
        while view.waiting:
            yield Screen(view, pending=self._step(_READING), notice=notice, text=text)
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
        yield Screen(view, notice=notice, text=text, code=view.code or view.starter)

    def _known(self, session_id: str) -> Session | None:
        try:
            return self._interviews.open(session_id) if session_id else None
        except UnknownSession:
            return None

    def _step(self, step: str) -> str:
        """``step``, or that it waits for the models."""
        self.warm()
        return _LOADING if self._warming and self._warming.is_alive() else step


class Background:
    """Work in a thread of its own, done to its end also when nobody asks for it any more."""

    def __init__(self, work: Callable[[Callable[[str], None]], object]):
        self._steps: SimpleQueue[str | None] = SimpleQueue()
        self._future: Future[object] = Future()
        Thread(target=self._run, args=(work,), name="turn", daemon=True).start()

    @property
    def done(self) -> bool:
        return self._future.done()

    def steps(self) -> Iterator[str]:
        """What the work reports of its progress, until it is done; raises the error that it ended with."""
        yield from iter(self._steps.get, None)
        self._future.result()

    def _run(self, work: Callable[[Callable[[str], None]], object]) -> None:
        try:
            self._future.set_result(work(self._steps.put))
        except BaseException as error:
            self._future.set_exception(error)
        finally:
            self._steps.put(None)


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
