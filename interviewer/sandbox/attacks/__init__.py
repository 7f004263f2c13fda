"""The attack list: hostile programs run against this machine's sandbox, and what shows whether it held.

Promises that an attack counts as held only by how its run ended and by evidence from outside, and that the submission
after it is judged as if nothing had happened. A list of known attacks: it does not show that there are no others.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from interviewer.errors import SandboxUnavailable
from interviewer.models import CodeRun, Outcome, Task, Value
from interviewer.sandbox import Sandbox, gpu
from interviewer.sandbox.attacks.bait import Bait
from interviewer.sandbox.attacks.catalogue import Attack, Group, attacks, quick
from interviewer.sandbox.attacks.footprint import Footprint, until
from interviewer.sandbox.attacks.supervisor import kill_supervisor
from interviewer.sandbox.attacks.task import BLEND, BLEND_ON_GPU

__all__ = ["Attack", "Before", "Group", "Result", "attacks", "quick", "run_attack", "run_attacks"]

_CODE = Path(__file__).parent / "code"
_SECONDS_TO_CLEAN_UP = 15
_NEIGHBOURS_START = 0.5
_OUTPUT_MOST = 66 * 1024
_TEXT_MOST = 4096


class Result(Value):
    """``held``: None where it was not tried. ``detail`` says how it ended, or what got through."""

    name: str
    group: Group
    tries: str
    held: bool | None
    detail: str


def run_attacks(
    sandbox: Sandbox, names: list[str] | None = None, on_attack: Callable[[str], None] | None = None
) -> list[Result]:
    """The attacks of these names, or all; ``on_attack`` hears each name before it begins.

    Raises SandboxUnavailable where there are no walls: then these programs would run with this user's rights. Attacks
    on another submission need a sandbox that runs two at a time.
    """
    isolation = sandbox.isolation()
    if not isolation.available:
        raise SandboxUnavailable(f"No attack was run, because there is no sandbox: {isolation.reason} {isolation.mend}")
    chosen = attacks(names)
    before = Before.of(sandbox, chosen)
    results = []
    for attack in chosen:
        if on_attack:
            on_attack(attack.name)
        results.append(run_attack(attack, sandbox, before))
    return results


@dataclass(frozen=True)
class Before:
    """How things were before the first attack, and are to be after each."""

    footprint: Footprint
    tasks: list[Task]
    honest: list[CodeRun]

    @classmethod
    def of(cls, sandbox: Sandbox, chosen: list[Attack]) -> Before:
        """On a GPU there is one honest submission more, if any of the attacks needs it."""
        on_gpu = any(attack.needs_gpu for attack in chosen) and gpu.find()[0] is not None
        tasks = [BLEND, BLEND_ON_GPU] if on_gpu else [BLEND]
        honest = [_honest_run(task, sandbox) for task in tasks]
        return cls(Footprint.at_rest(sandbox), tasks, honest)

    def differs(self, sandbox: Sandbox) -> str:
        """What an attack has left behind or changed for the next submission; empty where nothing."""
        if left := until(lambda: self.footprint.more_in(Footprint.of(sandbox)), _SECONDS_TO_CLEAN_UP):
            return f"it left something behind: {left}"
        for task, honest in zip(self.tasks, self.honest, strict=True):
            if (now := _honest_run(task, sandbox)) != honest:
                return f"the next submission, which is right, ended otherwise than before: {now}"
        return ""


def _honest_run(task: Task, sandbox: Sandbox) -> CodeRun:
    """Without what differs from run to run."""
    run = sandbox.judge(task, (_CODE / "next.py").read_text(encoding="utf-8"))
    return run.model_copy(update={"seconds": 0.0})


def run_attack(attack: Attack, sandbox: Sandbox, before: Before) -> Result:
    """One attack against a sandbox that has walls, and the submission after it."""

    def result(held: bool | None, detail: str) -> Result:
        return Result(name=attack.name, group=attack.group, tries=attack.tries, held=held, detail=detail)

    card, why = gpu.find()
    if attack.needs_gpu and card is None:
        return result(None, f"Skipped: it needs a GPU, and {why}.")
    with Bait() as bait:
        if attack.kills_supervisor:
            said, problem, detail = "", kill_supervisor(attack.program(bait.target())), "nothing of it was left"
        else:
            run, harm = (
                _beside_another(attack, sandbox, bait) if attack.neighbour else (_hand_in(attack, sandbox, bait), "")
            )
            said, problem, detail = _said(run), wrong_end(attack, run) or harm, _detail(attack, run)
        problem = problem or before.differs(sandbox) or bait.touched(said)
    return result(not problem, problem or detail)


def _beside_another(attack: Attack, sandbox: Sandbox, bait: Bait) -> tuple[CodeRun, str]:
    """While it runs, another submission does, which keeps the secret; also what is wrong with how that one ended."""
    program = f"TARGET = {{'secret': {bait.secret!r}}}\n" + (_CODE / "neighbour.py").read_text(encoding="utf-8")
    with ThreadPoolExecutor(1) as thread:
        neighbour = thread.submit(sandbox.experiment, program)
        time.sleep(_NEIGHBOURS_START)
        run = _hand_in(attack, sandbox, bait)
        together = not neighbour.done()
        other = neighbour.result()
    if other.outcome is not Outcome.PASSED or other.output != "unharmed\n":
        return run, f"it harmed a submission that ran beside it: {other.message} {other.output}"
    return run, "" if together else "the other submission had ended before it, so they were not run at the same time"


def _hand_in(attack: Attack, sandbox: Sandbox, bait: Bait) -> CodeRun:
    program = attack.program(bait.target())
    return sandbox.judge(attack.task, program) if attack.task else sandbox.experiment(program, attack.seconds)


def wrong_end(attack: Attack, run: CodeRun) -> str:
    """What is wrong with how an attack ended, where the walls hold; empty where nothing is."""
    if run.outcome not in attack.ends:
        return f"it ended as {run.outcome.value}: {run.message or run.output[-500:]}"
    if claimed := [line for line in run.output.splitlines() if line.startswith("GOT ")]:
        return f"it got something: {'; '.join(claimed)[:1000]}"
    if attack.group is not Group.VERDICT and "TRIED" not in run.output:
        return f"it ended before it had tried: {run.message} {run.output[-500:]}"
    if run.outcome is not Outcome.PASSED and (passed := [check.name for check in run.checks if check.passed]):
        return f"checks passed that it can't pass honestly: {', '.join(passed)}"
    if not _is_plain(run):
        return "what came back holds control characters, or too much text"
    return ""


def _is_plain(run: CodeRun) -> bool:
    texts = [run.message, *(check.detail for check in run.checks)]
    bounded = len(run.output) <= _OUTPUT_MOST and all(len(text) <= _TEXT_MOST for text in texts)
    return bounded and all(c.isprintable() or c in "\n\t\N{REPLACEMENT CHARACTER}" for c in _said(run))


def _said(run: CodeRun) -> str:
    return "\n".join([run.output, run.message, *(check.detail for check in run.checks)])


def _detail(attack: Attack, run: CodeRun) -> str:
    tried = run.output.count("\nTRIED ") + run.output.startswith("TRIED ")
    if attack.group is Group.HOST and run.outcome is Outcome.PASSED:
        return f"{tried} ways tried, none worked"
    return f"ended as {run.outcome.value}: {run.message}"
