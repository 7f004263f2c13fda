"""Exams that are drawn and solved before anybody hands anything in, so that a submission doesn't wait for it.

Each is used once: the next run of the same task gets other numbers, like every run. Holds a few tasks at a time, those
that were judged last.
"""

from __future__ import annotations

import queue
import threading
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

import torch

from interviewer.models import Task
from interviewer.sandbox.judging.exam import Exam
from interviewer.sandbox.judging.solving import Solved, solve

_MOST_TASKS = 8
_PAUSE = 0.03  # the verdict goes out first: two threads of one process wait for each other
_MOST_ELEMENTS = 1 << 20  # of an exam's inputs; a larger one is made when it is wanted


@dataclass(frozen=True)
class Prepared:
    exam: Exam
    solved: list[Solved]


class Shelf:
    def __init__(self) -> None:
        self._exams: OrderedDict[str, Prepared] = OrderedDict()
        self._lock = threading.Lock()
        self._wanted: queue.SimpleQueue[tuple[Task, Sequence[str]]] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    def take(self, task: Task) -> Prepared | None:
        """An exam that nobody has had, if there is one."""
        with self._lock:
            found = self._exams.pop(task.judge, None)
        return found if found and found.exam.task == task else None

    def refill(self, task: Task, names: Sequence[str]) -> None:
        """Begins to make one more, in the background, with the cases of the checks ``names``."""
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="sandbox-exams", daemon=True)
                self._thread.start()
        self._wanted.put((task, names))

    def _work(self) -> None:
        torch.set_num_threads(1)  # of this thread
        while True:
            task, names = self._wanted.get()
            time.sleep(_PAUSE)
            try:
                self._make(task, names)
            except Exception:  # met again, and told, when somebody hands something in
                continue

    def _make(self, task: Task, names: Sequence[str]) -> None:
        with self._lock:
            if task.judge in self._exams:
                return
        exam = Exam(task)
        drawn = exam.draw(*names)
        if sum(case.size for case in drawn) > _MOST_ELEMENTS:
            return
        prepared = Prepared(exam, [solve(case) for case in drawn])
        with self._lock:
            self._exams[task.judge] = prepared
            while len(self._exams) > _MOST_TASKS:
                self._exams.popitem(last=False)
