"""What every sandbox offers, on this machine or on many, and which of them the settings ask for."""

from __future__ import annotations

from typing import Protocol

from interviewer.models import CodeRun, OnProgress, Task
from interviewer.sandbox import Isolation, Sandbox
from interviewer.sandbox.ray import RaySandbox
from interviewer.settings import Settings


class Door(Protocol):
    def isolation(self) -> Isolation: ...

    def warm(self) -> None: ...

    def judge(self, task: Task, code: str, on_progress: OnProgress = ..., *, compare: bool = False) -> CodeRun: ...

    def experiment(self, code: str, seconds: float = 10, on_progress: OnProgress = ...) -> CodeRun: ...

    def close(self) -> None: ...


def open_door(settings: Settings) -> Door:
    """Raises MissingPart where a Ray cluster is asked for and Ray is not installed."""
    return RaySandbox(settings) if settings.ray_address else Sandbox(settings)
