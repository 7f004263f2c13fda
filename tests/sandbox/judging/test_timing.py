"""Speed and growth, on a clock that the submission can't reach. Margins are wide: nothing here depends on a quiet machine."""

from __future__ import annotations

import pytest

from interviewer.models import Outcome
from interviewer.sandbox import Sandbox
from interviewer.sandbox.judging import contests
from interviewer.sandbox.judging.caller import Caller
from interviewer.sandbox.judging.measuring import timed
from interviewer.sandbox.judging.solving import Solved

from .small import Kind, check, failed, task

pytestmark = pytest.mark.sandbox

SUM = task(
    "total",
    """
import torch

def cases(g):
    for _ in range(2):
        yield "values", (torch.randn(5, generator=g),)
        yield "speed", (torch.randn(1000, generator=g),)

def reference(x):
    return x.sum()
""",
    check(Kind.VALUES),
    check(Kind.SPEED, times=10.0),
    solution="import time\ndef total(x):\n    time.sleep(0.005)\n    return x.sum()",
)

STEPS = task(
    "steps",
    """
import torch

def cases(g):
    for n in (100, 200, 400, 100, 200, 400):
        yield "growth", (torch.randn(n, generator=g),)

def reference(x):
    return x.cumsum(0)
""",
    check(Kind.GROWTH, exponent=1.5),
    tolerance=1e-4,
    seconds=20,
)

SLOW = "import time\ndef total(x):\n    time.sleep(0.2 if len(x) > 5 else 0)\n    return x.sum()"

CLOCKS = """
import time
sleep = time.sleep
for name in ("time", "perf_counter", "monotonic", "process_time", "thread_time"):
    setattr(time, name, lambda: 0.0)
    setattr(time, name + "_ns", lambda: 0)
import datetime, torch
datetime.datetime = None
torch.cuda.Event = type("Event", (), {"elapsed_time": lambda *_: 0.0})
"""


def test_a_submission_as_quick_as_the_solution_passes_and_both_times_are_told(sandbox: Sandbox) -> None:
    run = sandbox.judge(SUM, "def total(x):\n    return x.sum()")
    assert run.outcome is Outcome.PASSED, run
    assert run.submission_seconds is not None and run.reference_seconds is not None
    assert run.reference_seconds > 0.01  # the sum over the two cases, each of which sleeps for 5 ms


@pytest.mark.parametrize("before", ["", CLOCKS], ids=["plain", "clocks patched"])
def test_a_slow_submission_fails_whatever_its_own_clocks_say(sandbox: Sandbox, before: str) -> None:
    run = sandbox.judge(SUM, before + SLOW)
    assert failed(run).keys() == {"speed"}, run
    assert "times as long as the reference solution" in failed(run)["speed"]


def test_quick_and_wrong_is_wrong(sandbox: Sandbox) -> None:
    kept = "kept = {}\ndef total(x):\n    return kept.setdefault(x.shape, x.sum())"
    run = sandbox.judge(
        SUM.model_copy(update={"checks": SUM.checks[1:], "judge": SUM.judge.replace('yield "values",', "_ =")}), kept
    )
    assert "expected" in failed(run)["speed"] and "got" in failed(run)["speed"]


def test_slowing_the_solution_down_does_not_help(sandbox: Sandbox) -> None:
    """Its best time is from before any of the submission ran."""
    burn = "import os\nfor _ in range(8):\n    if os.fork() == 0:\n        while True: pass\n"
    run = sandbox.judge(SUM, burn + SLOW)
    assert "speed" in failed(run), run


def test_a_solution_that_a_busy_machine_holds_up_for_a_while_does_not_help(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    held_up = iter(range(10))  # two cases in two quiet rounds, and in three more

    def on_a_busy_machine(caller: Caller, solved: Solved) -> float:
        seconds = timed(caller, solved)
        return seconds + 0.025 if caller.ours and next(held_up, None) is not None else seconds

    monkeypatch.setattr(contests, "timed", on_a_busy_machine)
    assert failed(sandbox.judge(SUM, SLOW)).keys() == {"speed"}


def test_a_solution_that_fails_is_our_fault(sandbox: Sandbox) -> None:
    broken = SUM.model_copy(update={"solution": "def total(x):\n    return x[10**9]"})
    run = sandbox.judge(broken, "def total(x):\n    return x.sum()")
    assert (run.outcome, run.checks) == (Outcome.INFRASTRUCTURE, ())
    assert "its own solution fails: IndexError" in run.message


def test_the_time_is_one_account_over_all_slots(sandbox: Sandbox) -> None:
    code = "import time\ntime.sleep(0.7)\ndef total(x):\n    return x.sum()"
    run = sandbox.judge(SUM.model_copy(update={"seconds": 1.0}), code)
    assert run.outcome is Outcome.TIMEOUT
    assert "more than 1 s in all" in run.message


@pytest.mark.parametrize("before", ["", CLOCKS], ids=["plain", "clocks patched"])
def test_linear_growth_passes_and_quadratic_growth_fails(sandbox: Sandbox, before: str) -> None:
    code = before + "import time\ntry: sleep\nexcept NameError: sleep = time.sleep\n"
    code += "def steps(x):\n    sleep(0.00004 * len(x)"
    linear = sandbox.judge(STEPS, code + ")\n    return x.cumsum(0)")
    assert linear.outcome is Outcome.PASSED, linear
    quadratic = sandbox.judge(STEPS, code + " * len(x) / 50)\n    return x.cumsum(0)")
    assert "grows like the number of elements to the power of" in failed(quadratic)["growth"]


def test_small_calls_that_a_busy_machine_holds_up_for_a_while_make_no_growth_flatter(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    held_up = iter(range(6))  # two small calls in each of three rounds

    def on_a_busy_machine(caller: Caller, solved: Solved) -> float:
        seconds = timed(caller, solved)
        return seconds + 0.012 if solved.case.size == 100 and next(held_up, None) is not None else seconds

    monkeypatch.setattr(contests, "timed", on_a_busy_machine)
    quadratic = "import time\ndef steps(x):\n    time.sleep(1e-6 * len(x) ** 2)\n    return x.cumsum(0)"
    assert failed(sandbox.judge(STEPS, quadratic)).keys() == {"growth"}


def test_growth_needs_right_values(sandbox: Sandbox) -> None:
    run = sandbox.judge(STEPS, "def steps(x):\n    return x")
    assert "With x = float32 [100]: expected" in failed(run)["growth"]
