"""What the next answer will need of the judge, done while its candidate thinks.

Promises: one thing after the other, on a thread that never keeps a process from ending; what fails here is done, and fails aloud, when the
answer comes.
"""

from __future__ import annotations

import logging
from queue import SimpleQueue
from threading import Lock, Thread

from interviewer.grading.judge import EmbeddedJudge
from interviewer.interview.state import Current, Judge


class Ahead:
    """A judge that is not the embedded one prepares nothing."""

    def __init__(self, judge: Judge):
        self._judge = judge if isinstance(judge, EmbeddedJudge) else None
        self._waiting: SimpleQueue[Current] = SimpleQueue()
        self._thread: Thread | None = None
        self._lock = Lock()

    def prepare(self, now: Current) -> None:
        """``now``: the question on the table. Returns at once."""
        if self._judge is None:
            return
        self._waiting.put(now)
        with self._lock:
            if self._thread is None:
                self._thread = Thread(target=self._work, args=(self._judge,), name="ahead", daemon=True)
                self._thread.start()

    def _work(self, judge: EmbeddedJudge) -> None:
        while True:
            now = self._waiting.get()
            try:
                judge.prepare(now.question, now.probing)
            except Exception:
                logging.getLogger(__name__).info("a question could not be prepared", exc_info=True)
