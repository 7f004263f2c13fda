"""Programs that speak in the runner's place, or that look for a way from a failed check to our fault."""

from __future__ import annotations

import pytest

from interviewer.models import CheckKind, Outcome, Requirement, Task
from interviewer.sandbox import Sandbox

pytestmark = pytest.mark.sandbox


def task(judge: str, kind: CheckKind, solution: str, **limit: float) -> Task:
    checks = (Requirement(name="c", kind=kind, **limit),)
    return Task(entry="f", starter="", checks=checks, judge=judge, solution=solution, seconds=20)


def test_a_dtype_that_the_bytes_contradict_is_a_violation(sandbox: Sandbox) -> None:
    judge = """
import torch
def cases(g):
    yield "c", (torch.randn(4, generator=g),)
def reference(x):
    return (x > 0).to(torch.int8)
"""
    lie = """
import sys, torch
runner = sys.modules["inside.runner"]
form = runner._form
def f(x):
    runner._form = lambda t: {**form(t), "dtype": "int64"}
    return torch.zeros(4, dtype=torch.int8)
"""
    run = sandbox.judge(task(judge, CheckKind.VALUES, "def f(x): return (x > 0).char()"), lie)
    assert (run.outcome, "another form" in run.message) == (Outcome.VIOLATION, True)


def test_a_result_that_cannot_be_examined_is_the_candidates_fault(sandbox: Sandbox) -> None:
    judge = """
import torch
def cases(g):
    yield "c", (torch.randn(4, generator=g),)
def verify(check, args, results):
    (y,) = results
    return ""
"""
    run = sandbox.judge(task(judge, CheckKind.PROPERTY, "def f(x): return x"), "def f(x): return ()")
    assert run.outcome is Outcome.FAILED and "another form than was asked for" in run.checks[0].detail


def test_a_slow_program_gains_nothing_by_starving_the_reference_solution(sandbox: Sandbox) -> None:
    judge = """
import torch
def cases(g):
    for _ in range(2):
        yield "c", (torch.randn(200_000, generator=g),)
def reference(x):
    return x.sin()
"""
    greedy = """
import os, time
for _ in range(40):
    if os.fork() == 0:
        os.setsid()
        while True: pass
def f(x):
    for _ in range(20): y = x.sin()
    return y
"""
    run = sandbox.judge(task(judge, CheckKind.SPEED, "def f(x): return x.sin()", times=2.0), greedy)
    assert run.outcome in (Outcome.FAILED, Outcome.TIMEOUT)
