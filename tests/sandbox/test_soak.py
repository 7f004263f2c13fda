"""Right, wrong and hostile submissions, several at a time, for long: `make soak` hands in 500, the ordinary tests fewer."""

from __future__ import annotations

import itertools
import os
import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from interviewer.bank.corpus import own_questions
from interviewer.models import CodeRun, Outcome, Task
from interviewer.sandbox import Sandbox
from interviewer.sandbox.attacks import attacks
from interviewer.sandbox.attacks.bait import Bait
from interviewer.sandbox.attacks.footprint import Footprint, until
from interviewer.sandbox.limits import MIB
from interviewer.settings import Settings

SUBMISSIONS = int(os.environ.get("INTERVIEWER_SOAK", "40"))
AT_ONCE = 4
MEASURED = {"memory", "speed", "growth"}  # noisy by nature where four run at a time on two cores

Handed = tuple[str, Task | None, str, set[Outcome], float]


def honest() -> list[Handed]:
    """Every submission of the bank, with the outcome that its author wrote down."""
    handed: list[Handed] = []
    for question in own_questions():
        task = question.task
        if task is None or any(check.kind in MEASURED for check in task.checks):
            continue
        handed.append((f"{question.id}: solution", task, task.solution, {Outcome.PASSED}, 0))
        for each in task.submissions:
            ends = {Outcome.PASSED} if each.right else {each.ends or Outcome.FAILED}
            handed.append((f"{question.id}: {each.name}", task, each.code, ends, 0))
    return handed


def hostile(bait: Bait) -> list[Handed]:
    alone = [a for a in attacks(None) if not (a.kills_supervisor or a.neighbour or a.needs_gpu)]
    return [(a.name, a.task, a.program(bait.target()), set(a.ends), a.seconds) for a in alone]


def resident(pid: int) -> int:
    """Bytes of memory that this process holds now."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.sandbox
@pytest.mark.timeout(1800)
def test_mixed_submissions_end_as_they_should_and_leave_nothing(sandbox: Sandbox) -> None:
    own = Sandbox(Settings(sandbox_memory_mb=512, sandbox_runs=AT_ONCE))
    shuffled = random.Random(SUBMISSIONS)
    with Bait() as bait, ThreadPoolExecutor(AT_ONCE) as threads:
        kinds = [honest(), hostile(bait)]
        for kind in kinds:
            shuffled.shuffle(kind)
        mixed = list(itertools.islice(zip(*(itertools.cycle(kind) for kind in kinds), strict=True), SUBMISSIONS // 2))
        handed = [each for pair in mixed for each in pair]

        def hand_in(each: Handed) -> CodeRun:
            _, task, code, _, seconds = each
            return own.judge(task, code) if task else own.experiment(code, seconds)

        assert own.experiment("pass").outcome is Outcome.PASSED
        before = Footprint.at_rest(own)
        runs = list(threads.map(hand_in, handed[: len(handed) // 2]))
        halfway = resident(os.getpid())
        runs += threads.map(hand_in, handed[len(handed) // 2 :])
        wrong = [
            f"{name}: {run.outcome.value}, {run.message}"
            for (name, _, _, ends, _), run in zip(handed, runs, strict=True)
            if run.outcome not in ends
        ]
        assert not wrong, "\n".join(wrong)
        assert not until(lambda: before.more_in(Footprint.of(own)), 20)
        assert resident(os.getpid()) < halfway + 64 * MIB
    own.close()
