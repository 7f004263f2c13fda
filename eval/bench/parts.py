"""The sandbox, the search and the judge, each measured by itself.

The submission is the solution of a task of the bank, so what is timed is what a candidate gets; a second task, as small
as one can be, shows what a submission costs whatever it does.
"""

from __future__ import annotations

import functools
import importlib.util
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import torch

from eval.cases import our_cases
from eval.retrieval import evaluate, read_paraphrases
from interviewer.bank.bank import Bank
from interviewer.bank.corpus import own_questions, questions_of
from interviewer.embedding import Embedder
from interviewer.grading.judge import EmbeddedJudge
from interviewer.models import CodeRun, Outcome, Requirement, Task
from interviewer.sandbox import Sandbox
from interviewer.sandbox.attacks.footprint import sandboxed
from interviewer.sandbox.door import Door
from interviewer.settings import Settings

TASK = "masked-mean"
ROUNDS = 60
COLD_ROUNDS = 5
AT_ONCE = 4
SUBMISSIONS = 80
SEARCHES = 100

# One check and one shape, which comes twice, as every shape must.
SMALLEST = Task(
    entry="double",
    starter="",
    checks=(Requirement(name="values"),),
    judge="""
import torch
def cases(g):
    for _ in range(2):
        yield "values", (torch.randn(64, 64, generator=g),)
def reference(x):
    return x + x
""",
    solution="def double(x):\n    return x * 2\n",
)

# What a person would write to try a submission by hand: the same cases, and the gradient of those that have one.
_BY_HAND = """
import torch
{solution}
{judge}
def by_hand(seed):
    for check, args in cases(torch.Generator().manual_seed(seed)):
        args = [a.float() if isinstance(a, torch.Tensor) and a.dtype is torch.float64 else a for a in args]
        leaves = [a.requires_grad_() for a in args if check in {gradients} and torch.is_tensor(a) and a.is_floating_point()]
        result = {entry}(*args)
        if leaves:
            torch.autograd.grad(result, leaves, torch.ones_like(result), allow_unused=True)
"""


def part_figures(settings: Settings) -> dict[str, Any]:
    """Times in milliseconds, memory in MiB."""
    task = _task()
    figures: dict[str, Any] = {"task": TASK, "checks": len(task.checks)}
    with tempfile.TemporaryDirectory() as home:
        sandbox = Sandbox(settings.model_copy(update={"home": Path(home)}))
        try:
            figures["isolation"] = str(sandbox.isolation())
            figures |= _latency(sandbox, task, settings.sandbox_slots)
            smallest = _latency(sandbox, SMALLEST, settings.sandbox_slots)
            figures |= {f"smallest_{name}": value for name, value in smallest.items()}
            figures |= _pool(sandbox, settings.sandbox_slots)
            figures |= _throughput(sandbox, task)
        finally:
            sandbox.close()
        figures |= _over_ray(settings, task)
        figures |= _search(settings.model_copy(update={"home": Path(home)}))
        figures |= _grading(settings)
    return figures


def _task() -> Task:
    question = next(q for q in own_questions() if q.id == TASK)
    assert question.task
    return question.task


def machine() -> str:
    return f"{os.cpu_count()} cores, torch {torch.__version__}"


def _latency(sandbox: Sandbox, task: Task, slots: int) -> dict[str, Any]:
    """Verified submissions beside bare calls in this warm process and beside a cold ``python file.py``, in turns."""
    source = _BY_HAND.format(
        solution=task.solution,
        judge=task.judge,
        entry=task.entry,
        gradients={check.name for check in task.checks if check.kind == "gradient"},
    )
    bare: dict[str, Any] = {}
    exec(compile(source, "by_hand", "exec"), bare)
    verified_times, bare_times, cold_times = [], [], []
    for number in range(ROUNDS):
        _wait_for(sandbox, slots)
        verified_times.append(_milliseconds(functools.partial(_submit, sandbox, task)))
        bare_times.append(_milliseconds(functools.partial(bare["by_hand"], number)))
        if number % (ROUNDS // COLD_ROUNDS) == 0:
            cold_times.append(_milliseconds(lambda: _cold(source)))
    verified, called, cold = (statistics.median(times) for times in (verified_times, bare_times, cold_times))
    return {
        "verified_ms": verified,
        "verified_p95_ms": statistics.quantiles(verified_times, n=20)[-1],
        "bare_ms": called,
        "on_top_ms": verified - called,
        "cold_ms": cold,
        "cold_over_verified": cold / verified,
    }


def _cold(source: str) -> None:
    with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
        file.write(source + "\nby_hand(0)\n")
        file.flush()
        subprocess.run([sys.executable, file.name], check=True)


def _pool(sandbox: Sandbox, slots: int) -> dict[str, Any]:
    """How long an empty place in the pool stays empty, and what a waiting slot keeps to itself."""
    times = []
    for _ in range(ROUNDS // 3):
        _wait_for(sandbox, slots)
        _passed(sandbox.experiment("pass"))
        times.append(_milliseconds(lambda: _wait_for(sandbox, slots)))
    cells = sandboxed(os.getpid(), 2)
    private = [_private(pid) for pid in cells]
    zygote = [_private(pid) for pid in sandboxed(os.getpid()) if pid not in cells]
    return {
        "refill_ms": statistics.median(times),
        "memory_a_slot_mib": sum(private) / slots / 2**20 if slots else 0.0,
        "memory_of_the_zygote_mib": max(zygote, default=0) / 2**20,
    }


def _throughput(sandbox: Sandbox, task: Task) -> dict[str, Any]:
    with ThreadPoolExecutor(AT_ONCE) as threads:
        began = time.perf_counter()
        for run in threads.map(lambda _: sandbox.judge(task, task.solution), range(SUBMISSIONS)):
            _passed(run)
        seconds = time.perf_counter() - began
    return {"throughput_a_second": SUBMISSIONS / seconds, "throughput_at_once": AT_ONCE}


def _over_ray(settings: Settings, task: Task) -> dict[str, Any]:
    """The same door over a cluster of one node on this machine, beside the local one."""
    if importlib.util.find_spec("ray") is None:
        return {"ray": "not installed"}
    from interviewer.sandbox.ray import RaySandbox

    near, far = Sandbox(settings), RaySandbox(settings)
    try:
        times: dict[str, list[float]] = {"near": [], "far": []}
        for number in range(ROUNDS // 2 + 5):
            for name, door in (("near", near), ("far", far)):
                took = _milliseconds(functools.partial(_submit, door, task))
                if number >= 5:  # the first ones start actors and fill pools
                    times[name].append(took)
                time.sleep(0.05)
        return {"ray_on_top_ms": statistics.median(times["far"]) - statistics.median(times["near"])}
    finally:
        far.close()
        near.close()


def _search(settings: Settings) -> dict[str, Any]:
    """A search by words that the bank doesn't contain, beside embedding those words alone."""
    searches = read_paraphrases()[:SEARCHES]
    embedder = Embedder()
    bank = Bank(settings, embedder)
    try:
        found = evaluate(bank, searches)
    finally:
        bank.close()
    embedding = statistics.median(_milliseconds(functools.partial(embedder.encode, [p.text])) for p in searches)
    return {"search_ms": found["median_ms"], "search_p95_ms": found["p95_ms"], "search_embedding_ms": embedding}


def _grading(settings: Settings) -> dict[str, Any]:
    """Replies of ``dev`` graded one after another, without their code: the first to each question, when its claims have to
    be read as well, and all later ones."""
    judge, questions = EmbeddedJudge(), {q.id: q for q in questions_of(settings)}
    judge.warm()
    first: list[float] = []
    later: list[float] = []
    seen: set[str] = set()
    for case in our_cases("dev"):
        question = questions[case.question_id]
        took = _milliseconds(functools.partial(judge.grade, question, case.answer))
        (later if question.id in seen else first).append(took)
        seen.add(question.id)
    return {
        "grade_ms": statistics.median(later),
        "grade_p95_ms": statistics.quantiles(later, n=20)[-1],
        "grade_first_ms": statistics.median(first),
        "grades_a_second": 1000 * (len(first) + len(later)) / (sum(first) + sum(later)),
    }


def _submit(door: Door, task: Task) -> None:
    _passed(door.judge(task, task.solution))


def _passed(run: CodeRun) -> None:
    if run.outcome is not Outcome.PASSED:
        raise RuntimeError(f"a right submission ended as {run.outcome.value}: {run.message}")


def _wait_for(sandbox: Sandbox, slots: int) -> None:
    sandbox.warm()
    while sandbox.ready < slots:
        time.sleep(0.0005)


def _milliseconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1000


def _private(pid: int) -> int:
    """Bytes that no other process shares."""
    lines = (line.split() for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines())
    return sum(int(line[1]) * 1024 for line in lines if line[0] in ("Private_Clean:", "Private_Dirty:"))
