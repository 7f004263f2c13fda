"""What lives on a machine of a cluster: a sandbox of its own, spoken to in bytes.

Promises that what goes in and out is JSON, and the candidate's code as bytes that are only handed on to a slot; and that
an order is run once, however often it is asked for: who asks again gets what was told of the first run. Knows nothing of
the cluster.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module

from interviewer.errors import SandboxUnavailable
from interviewer.models import CodeRun, OnProgress
from interviewer.sandbox import Sandbox
from interviewer.sandbox.ray.orders import SIGN_OF_LIFE, News, Order, without_result
from interviewer.settings import Settings

_SECONDS_BETWEEN_SIGNS = 2.0
_SECONDS_ON_ITS_WAY = 1.0
_REMEMBERED = 256


class Holder:
    """Safe to use from several threads."""

    def __init__(self, settings: bytes):
        self._sandbox = Sandbox(Settings.model_validate_json(settings))
        self._sandbox.warm()
        threading.Thread(target=_load_judge, daemon=True).start()
        self._jobs: dict[str, Job] = {}
        self._changed = threading.Condition()

    def isolation(self) -> bytes:
        return self._sandbox.isolation().model_dump_json().encode()

    def run(self, order: bytes, code: bytes) -> Iterator[bytes]:
        """All news of this order, from the first on; SIGN_OF_LIFE where there was none for a while."""
        if type(order) is not bytes or type(code) is not bytes:
            raise TypeError("a holder takes bytes and nothing else")
        wanted = Order.model_validate_json(order)
        with self._changed:
            if wanted.id not in self._jobs:
                self._forget_the_oldest()
                self._jobs[wanted.id] = Job(wanted, partial(self._work, wanted, code.decode(errors="replace")))
            job = self._jobs[wanted.id]
            self._changed.notify_all()
        yield from job.news()

    def recall(self, order_id: bytes) -> Iterator[bytes]:
        """The same for an order that was begun here, or is on its way; nothing for one that is not."""
        wanted = order_id.decode()
        with self._changed:
            self._changed.wait_for(lambda: wanted in self._jobs, _SECONDS_ON_ITS_WAY)
            job = self._jobs.get(wanted)
        if job:
            yield from job.news()

    def _work(self, order: Order, code: str, on_progress: OnProgress) -> CodeRun:
        if order.task is None:
            return self._sandbox.experiment(code, order.seconds, on_progress)
        return self._sandbox.judge(order.task, code, on_progress, compare=order.compare)

    def _forget_the_oldest(self) -> None:
        over = [order for order, job in self._jobs.items() if job.over]
        for order in over[: max(0, len(self._jobs) - _REMEMBERED + 1)]:
            del self._jobs[order]


class Job:
    """One run and all that was told of it. Begins at once, and goes on whether or not anybody listens."""

    def __init__(self, order: Order, work: Callable[[OnProgress], CodeRun]):
        self.over = False
        self._order = order
        self._work = work
        self._told: list[bytes] = []
        self._changed = threading.Condition()
        threading.Thread(target=self._run, name=f"order-{order.id}", daemon=True).start()

    def news(self) -> Iterator[bytes]:
        at = 0
        while not self.over or at < len(self._told):
            if self._is_told(at):
                yield self._told[at]
                at += 1
            else:
                yield SIGN_OF_LIFE

    def _is_told(self, at: int) -> bool:
        """Waits a while for it."""
        with self._changed:
            return self._changed.wait_for(lambda: len(self._told) > at, _SECONDS_BETWEEN_SIGNS)

    def _run(self) -> None:
        try:
            run = self._work(lambda progress: self._tell(News(id=self._order.id, progress=progress).as_bytes()))
            end = News(id=self._order.id, run=run).as_bytes()
        except SandboxUnavailable as error:
            end = News(id=self._order.id, refused=str(error)).as_bytes()
        except Exception as error:  # ours, since a candidate's code raises in its slot only
            end = without_result(self._order, f"the sandbox failed with {type(error).__name__}: {error}").as_bytes()
        self._tell(end, over=True)

    def _tell(self, news: bytes, over: bool = False) -> None:
        with self._changed:
            self._told.append(news)
            self.over = self.over or over
            self._changed.notify_all()


def _load_judge() -> None:
    """And torch with it, which takes seconds that the first submission would wait for."""
    import_module("interviewer.sandbox.judging.hearing")
