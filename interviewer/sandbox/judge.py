"""A submission against its task: which checks it has earned.

Promises that an error of ours is never counted against the candidate, and that a check passes only when all of its
cases were run and were right.
"""

from __future__ import annotations

from collections.abc import Callable

from interviewer.models import CodeRun, OnProgress, Progress, Task
from interviewer.sandbox.slot import Slot


def judge(
    task: Task, code: str, open_slot: Callable[[], Slot], on_progress: OnProgress, *, compare: bool = False
) -> CodeRun:
    """``open_slot``: a fresh slot at each call; the ordinary checks share the first. ``compare``: after all checks have
    passed, time and memory are measured beside the solution's, even where no check asks for it."""
    from interviewer.sandbox.judging.hearing import hear  # loads torch, which takes seconds

    on_progress(Progress(step="starting"))
    return hear(task, code, open_slot, on_progress, compare=compare)
