"""Memory, measured where the submission can't reach."""

from __future__ import annotations

import pytest

from interviewer.models import Outcome
from interviewer.sandbox import Sandbox
from interviewer.sandbox.limits import MIB

from .small import Kind, check, failed, task

pytestmark = pytest.mark.sandbox

# The outer product has 64 MiB.
OUTER = task(
    "spread",
    """
import torch

def cases(g):
    for _ in range(2):
        yield "values", (torch.randn(5, generator=g),)
        yield "memory", (torch.randn(4096, generator=g),)

def reference(x):
    return torch.stack([(x * each).relu().sum() for each in x])
""",
    check(Kind.VALUES),
    check(Kind.MEMORY, mib=24),
    solution="""
import torch

def spread(x):
    return torch.cat([(block[:, None] * x).relu_().sum(1) for block in x.split(128)])
""",
    tolerance=1e-3,
)

AT_ONCE = "(x[:, None] * x).relu_().sum(1)"
BY_BLOCK = "torch.cat([(block[:, None] * x).relu_().sum(1) for block in x.split(256)])"
INTO_A_BUFFER = """result = torch.empty_like(x)
    for at in range(0, len(x), 64):
        result[at : at + 64] = torch.outer(x[at : at + 64], x).clamp(min=0).sum(1)
    return result"""


def code(body: str, before: str = "") -> str:
    return f"import os, time, torch\n{before}\ndef spread(x):\n    {body}"


@pytest.mark.parametrize("body", [f"return {BY_BLOCK}", INTO_A_BUFFER])
def test_a_call_below_the_limit_passes(sandbox: Sandbox, body: str) -> None:
    run = sandbox.judge(OUTER, code(body))
    assert run.outcome is Outcome.PASSED, run
    assert run.peak_memory is not None and run.reference_memory is not None
    assert run.peak_memory < 24 * MIB and run.reference_memory < 24 * MIB


CHEATS = {
    "frees at once": code(f"result = {AT_ONCE}; torch.ones(1 << 22).sum(); return result"),
    "in a child": code(
        "read, write = os.pipe()\n"
        "    if os.fork() == 0:\n"
        "        from concurrent.futures import ThreadPoolExecutor\n"
        "        product = bytearray(64 << 20)\n"
        "        os.write(write, b'x')\n"
        "        os._exit(0)\n"
        "    os.read(read, 1); os.wait()\n"
        f"    return {BY_BLOCK}"
    ),
    "put by at import": code(
        "return torch.mul(x[:, None], x, out=room[:len(x), :len(x)]).relu_().sum(1)",
        "room = torch.zeros(4096, 4096)",
    ),
    "in shared memory": code(
        "if len(x) < 10:\n        return (x[:, None] * x).relu_().sum(1)\n"
        "    with open('/dev/shm/room', 'wb') as file:\n        file.write(bytes(40 << 20))\n"
        f"    os.remove('/dev/shm/room')\n    return {BY_BLOCK}"
    ),
    "when it is given": code(
        f"return done.pop() if len(x) > 10 else {BY_BLOCK}",
        "done = []\n"
        "from inside import tensors\n"
        "split = tensors.split\n"
        "def early(specs, data):\n"
        "    tensors = split(specs, data)\n"
        "    if tensors and len(tensors[0]) > 10:\n"
        "        x = tensors[0]\n"
        f"        done.append({AT_ONCE})\n"
        "    return tensors\n"
        "tensors.split = early",
    ),
    "when it is fetched": code(
        "result = torch.empty_like(x); waiting.append((result, x)); return result",
        "waiting = []\n"
        "from inside import tensors\n"
        "memory_of = tensors.memory_of\n"
        "def late(tensor):\n"
        "    for result, x in waiting:\n"
        f"        result.copy_({AT_ONCE})\n"
        "    waiting.clear()\n"
        "    return memory_of(tensor)\n"
        "tensors.memory_of = late",
    ),
}


@pytest.mark.parametrize("cheat", CHEATS)
def test_memory_counts_wherever_and_whenever_it_is_used(sandbox: Sandbox, cheat: str) -> None:
    run = sandbox.judge(OUTER, CHEATS[cheat])
    assert run.outcome is Outcome.FAILED, run
    assert failed(run).keys() == {"memory"}, run
    assert "MiB at its peak; at most 24 MiB are allowed" in failed(run)["memory"]


def test_the_values_have_to_be_right_as_well(sandbox: Sandbox) -> None:
    run = sandbox.judge(OUTER, code(f"return {BY_BLOCK} if len(x) < 10 else x"))
    assert "values are off" in failed(run)["memory"]


def test_more_than_the_run_may_have_ends_it(sandbox: Sandbox) -> None:
    hungry = code(f"room = bytearray(2 << 30) if len(x) > 10 else None; return {BY_BLOCK}")
    run = sandbox.judge(OUTER, hungry)
    assert run.outcome is Outcome.OUT_OF_MEMORY
    assert [each.passed for each in run.checks] == [True, False]


def test_a_submission_that_passes_is_compared_with_the_solution_when_asked(sandbox: Sandbox) -> None:
    task_without = OUTER.model_copy(
        update={"checks": OUTER.checks[:1], "judge": OUTER.judge.replace('yield "memory",', "_ =")}
    )
    run = sandbox.judge(task_without, code(f"return {AT_ONCE}"), compare=True)
    assert run.outcome is Outcome.PASSED
    assert run.submission_seconds and run.reference_seconds
    assert run.peak_memory is not None and run.reference_memory is not None
    assert sandbox.judge(task_without, code("return x"), compare=True).submission_seconds is None
