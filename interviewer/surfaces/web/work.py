"""Long work in the background, one piece after another: begun by a form, watched on a page, cancelled by a button.

Promises that work goes on when nobody watches, and that a piece which was cancelled stops at its next step, and that none is
forgotten before it has ended. What it is worth
keeping is the work's own to keep: here it is forgotten when the process ends.
"""

from __future__ import annotations

import logging
import secrets
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from threading import Lock, Thread

from interviewer.errors import InterviewerError

Say = Callable[[str], None]

_REMEMBERED = 50  # pieces of work, beside those that go on
_WAITING = "Waiting for other work to be done"
_BROKEN = "Something broke on this side and was written to the log."


class Stage(StrEnum):
    GOES_ON = "goes on"
    DONE = "done"
    CANCELLED = "cancelled"
    FAILED = "failed"


@dataclass(frozen=True)
class Piece:
    """``step``: what is being done; ``leads_to``: the address where what came of it is; ``told``: why it failed."""

    id: str
    title: str
    stage: Stage = Stage.GOES_ON
    step: str = _WAITING
    cancelling: bool = False
    leads_to: str = ""
    told: str = ""


class Cancelled(Exception):
    """Raised inside the work, where it next says how far it is."""


class Work:
    def __init__(self) -> None:
        self._pieces: OrderedDict[str, Piece] = OrderedDict()
        self._lock = Lock()
        self._turn = Lock()  # held by the piece that is being worked on

    def begin(
        self, title: str, task: Callable[[Say], str], leads_to: str = "", afterwards: Callable[[], None] = lambda: None
    ) -> str:
        """Its id. ``task`` is handed a function to say how far it is, and returns the address of what came of it; ``leads_to`` is
        where to look when it was cancelled or failed. ``afterwards`` is done in any case, also where the task never began."""
        piece = Piece(id=secrets.token_hex(8), title=title, leads_to=leads_to)
        with self._lock:
            self._pieces[piece.id] = piece
            over = [each.id for each in self._pieces.values() if each.stage is not Stage.GOES_ON][:-_REMEMBERED]
            for old in over:
                del self._pieces[old]
        Thread(target=self._run, args=(piece.id, task, afterwards), name="work", daemon=True).start()
        return piece.id

    def get(self, piece_id: str) -> Piece | None:
        return self._pieces.get(piece_id)

    def cancel(self, piece_id: str) -> None:
        self._change(piece_id, cancelling=True)

    def _run(self, piece_id: str, task: Callable[[Say], str], afterwards: Callable[[], None]) -> None:
        def say(step: str) -> None:
            self._change(piece_id, step=step)
            if self._pieces[piece_id].cancelling:
                raise Cancelled

        with self._turn:
            try:
                try:
                    say("Beginning")
                    led_to = task(say)
                finally:
                    afterwards()
                self._change(piece_id, leads_to=led_to, stage=Stage.DONE)
            except Cancelled:
                self._change(piece_id, stage=Stage.CANCELLED)
            except InterviewerError as error:
                self._change(piece_id, stage=Stage.FAILED, told=str(error))
            except Exception:
                logging.getLogger(__name__).exception("work failed")
                self._change(piece_id, stage=Stage.FAILED, told=_BROKEN)

    def _change(self, piece_id: str, **values: object) -> None:
        with self._lock:
            if piece := self._pieces.get(piece_id):
                self._pieces[piece_id] = replace(piece, **values)  # type: ignore[arg-type]
