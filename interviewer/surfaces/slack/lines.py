"""Work that waits its turn, in lines of which each is worked off in order.

Promises: of one line never two things are done at once, and of what waits in it the earliest is done first; lines don't
wait for each other as long as there are workers.
"""

from __future__ import annotations

import heapq
import itertools
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Lock

Moment = tuple[int, int]


class Lines:
    def __init__(self, workers: int = 8):
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="slack")
        self._waiting: dict[str, list[tuple[Moment, int, Callable[[], None]]]] = {}
        self._count = itertools.count()
        self._lock = Lock()
        self._closed = False

    def put(self, line: str, when: Moment, work: Callable[[], None]) -> None:
        """``when`` orders what waits in the same ``line``."""
        with self._lock:
            if self._closed:
                return
            idle = line not in self._waiting
            heapq.heappush(self._waiting.setdefault(line, []), (when, next(self._count), work))
            if idle:
                self._pool.submit(self._work_off, line)

    def close(self) -> None:
        """What is being done is finished; what waits is left."""
        self._closed = True
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _work_off(self, line: str) -> None:
        while True:
            with self._lock:
                if self._closed or not self._waiting[line]:
                    del self._waiting[line]
                    return
                _, _, work = heapq.heappop(self._waiting[line])
            try:
                work()
            except Exception:
                logging.getLogger(__name__).exception("something that Slack sent could not be handled")
