"""Who may compute now: as many at a time as there are processors, and who works for an answer before who works ahead."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition


class Places:
    def __init__(self, count: int):
        self._free = count
        self._waiting = 0
        self._changed = Condition()

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """As soon as there is a place."""
        with self._changed:
            self._waiting += 1
            self._changed.wait_for(lambda: self._free > 0)
            self._waiting -= 1
            self._free -= 1
        with self._left_again():
            yield

    @contextmanager
    def when_idle(self) -> Iterator[None]:
        """When there is a place that nobody waits for."""
        with self._changed:
            self._changed.wait_for(lambda: self._free > 0 and not self._waiting)
            self._free -= 1
        with self._left_again():
            yield

    @contextmanager
    def _left_again(self) -> Iterator[None]:
        try:
            yield
        finally:
            with self._changed:
                self._free += 1
                self._changed.notify_all()
