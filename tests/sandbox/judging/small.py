"""Small tasks, one a kind of check, and what became of a submission."""

from __future__ import annotations

from typing import Any

from interviewer.models import CheckKind, CodeRun, Requirement, Task

Kind = CheckKind


def task(entry: str, judge: str, *checks: Requirement, solution: str = "", **more: Any) -> Task:
    return Task(entry=entry, starter="", judge=judge, solution=solution, checks=checks, **more)


def check(kind: CheckKind, **limits: Any) -> Requirement:
    """One that is named after its kind."""
    return Requirement(name=kind.value, kind=kind, **limits)


def failed(run: CodeRun) -> dict[str, str]:
    """The checks that did not pass, with what was said of them."""
    return {each.name: each.detail for each in run.checks if not each.passed}
