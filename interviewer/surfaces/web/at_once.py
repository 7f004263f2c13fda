"""How much one person may have going on at the same time, so that nobody can take up the whole page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import TypeVar

from interviewer.access import LOCAL, Person

_MOST = 3  # answers and runs, for each person
TOO_MANY = (
    f"{_MOST} of your answers or runs are still being worked on, so this was not begun. What you wrote is as you left it; "
    "wait for one of them, then try again."
)
Step = TypeVar("Step")


class AtOnce:
    def __init__(self) -> None:
        self._lock = Lock()
        self._held: Counter[str] = Counter()

    @contextmanager
    def place(self, user: str) -> Iterator[bool]:
        """One place until it is left, or False where the person holds all that they may."""
        with self._lock:
            free = self._held[user] < _MOST
            self._held[user] += free
        try:
            yield free
        finally:
            with self._lock:
                self._held[user] -= free
                if not self._held[user]:
                    del self._held[user]


def in_place(at_once: AtOnce, person: Person, steps: Iterator[Step], refused: Step) -> Iterator[Step]:
    """``steps``, or ``refused`` where the person has too much going on. Where nobody signs in all are one person, and nothing is
    refused."""
    if person.user == LOCAL.user:
        yield from steps
        return
    with at_once.place(person.user) as free:
        yield from steps if free else iter([refused])
