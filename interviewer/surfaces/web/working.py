"""Work that goes on in a thread of its own while a page waits for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from queue import SimpleQueue
from threading import Thread
from typing import Generic, TypeVar

Result = TypeVar("Result")


class Stopped(Exception):
    """Somebody who waited for the work wants it no more."""


class Background(Generic[Result]):
    """Done to its end also when nobody asks for it any more, unless it is stopped."""

    def __init__(self, work: Callable[[Callable[[str], None]], Result]):
        self._steps: SimpleQueue[str | None] = SimpleQueue()
        self._future: Future[Result] = Future()
        self._stopped = False
        Thread(target=self._run, args=(work,), name="turn", daemon=True).start()

    @property
    def done(self) -> bool:
        return self._future.done()

    def steps(self) -> Iterator[str]:
        """What the work reports of its progress, until it is done; raises the error that it ended with, or Stopped."""
        yield from iter(self._steps.get, None)
        if self._stopped:
            raise Stopped
        self._future.result()

    def result(self) -> Result:
        """Waits for it; raises the error that it ended with."""
        return self._future.result()

    @property
    def stopped(self) -> bool:
        """Whether it was told to stop; it may still go on for a while."""
        return self._stopped

    def wait(self) -> None:
        """Until the work has ended, however it does."""
        wait([self._future])

    def stop(self) -> None:
        """Its steps are told no longer from now on; the work itself ends where it next reports one, or at its end."""
        self._stopped = True
        self._steps.put(None)

    def _tell(self, step: str) -> None:
        if self._stopped:
            raise Stopped
        self._steps.put(step)

    def _run(self, work: Callable[[Callable[[str], None]], Result]) -> None:
        try:
            self._future.set_result(work(self._tell))
        except BaseException as error:
            self._future.set_exception(error)
        finally:
            self._steps.put(None)
