"""Slots that are ready before anybody asks: used once, replaced, and gone with whoever made them."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from interviewer.models import Outcome
from interviewer.sandbox import Sandbox, bubblewrap
from interviewer.sandbox.attacks.footprint import alive
from interviewer.sandbox.bubblewrap import Bubblewrap
from interviewer.sandbox.cgroup import places
from interviewer.sandbox.limits import MIB, Limits, tree
from interviewer.sandbox.pool import Pool
from interviewer.sandbox.slot import Ended
from interviewer.settings import Settings

pytestmark = pytest.mark.sandbox

LIMITS = Limits(memory=512 * MIB)


def becomes_true(condition: Callable[[], bool], seconds: float = 20) -> bool:
    until = time.monotonic() + seconds
    while not condition() and time.monotonic() < until:
        time.sleep(0.02)
    return condition()


@pytest.fixture
def pool(sandbox: Sandbox) -> Iterator[Pool]:
    binary = bubblewrap.find()
    assert binary
    made = Pool(Bubblewrap(binary), LIMITS, size=2)
    made.start()
    assert becomes_true(lambda: made.ready == 2)
    yield made
    made.close()


def zygote_of(pool: Pool) -> int:
    """The process that bubblewrap became or started: the one that has loaded torch."""
    return next(pid for pid in tree(os.getpid()) if _is_zygote(pid))


def groups() -> list[Path]:
    return [g for place in places().values() for g in place.folder.glob(f"interviewer-{os.getpid()}-*")]


def test_a_slot_is_handed_out_once_and_replaced(pool: Pool) -> None:
    users = set()
    for _ in range(6):
        with pool.take(LIMITS) as slot:
            users.add(slot._own_cell.pid)
    assert len(users) == 6
    assert becomes_true(lambda: pool.ready == 2)


def test_many_may_take_slots_at_the_same_time(pool: Pool) -> None:
    def use(_: int) -> int:
        with pool.take(LIMITS) as slot:
            slot.ask("hello", ours=True)
            return slot._own_cell.pid

    with ThreadPoolExecutor(8) as threads:
        assert len(set(threads.map(use, range(24)))) == 24


def test_a_run_may_have_other_limits_than_the_slots_that_are_ready(pool: Pool) -> None:
    with pool.take(replace(LIMITS, memory=700 * MIB, seconds=3)) as slot:
        assert slot.limits.memory == 700 * MIB and slot.limits.seconds == 3
    with pool.take(replace(LIMITS, scratch=8 * MIB)) as slot:
        assert slot.limits.scratch == 8 * MIB


def test_a_zygote_that_is_killed_is_replaced(pool: Pool) -> None:
    killed = zygote_of(pool)
    os.kill(killed, signal.SIGKILL)
    assert becomes_true(lambda: not Path(f"/proc/{killed}").exists())
    with pool.take(LIMITS) as slot:
        reply, _ = slot.ask("hello", ours=True)
        assert reply.failure is None
    assert becomes_true(lambda: pool.ready == 2)


def test_a_ready_slot_that_is_killed_is_not_handed_out(pool: Pool) -> None:
    for slot in pool._ready:
        slot._own_cell.kill()
        assert slot._own_cell.wait(5)
    with pool.take(LIMITS) as slot:
        assert slot.ask("hello", ours=True)[0].failure is None


def test_closing_leaves_no_process_and_no_control_group(pool: Pool) -> None:
    mine = set(tree(zygote_of(pool)))
    taken = pool.take(LIMITS)
    mine |= set(tree(taken._own_cell.pid))
    taken.close()
    pool.close()
    assert not any(alive(pid) for pid in mine)
    with pytest.raises(Ended):
        pool.take(LIMITS)


def test_a_run_whose_zygote_is_killed_is_run_again() -> None:
    sandbox = Sandbox(Settings(sandbox_memory_mb=512, sandbox_slots=1))
    with ThreadPoolExecutor(1) as thread:
        before = set(tree(os.getpid()))
        running = thread.submit(sandbox.experiment, "import subprocess\nsubprocess.run(['sleep', '2'])\nprint('done')")
        assert becomes_true(lambda: any(_command(pid) == "sleep" for pid in set(tree(os.getpid())) - before))
        os.kill(next(pid for pid in set(tree(os.getpid())) - before if _is_zygote(pid)), signal.SIGKILL)
        run = running.result()
    sandbox.close()
    assert (run.outcome, run.output) == (Outcome.PASSED, "done\n")


def test_nothing_is_left_of_a_supervisor_that_is_killed(sandbox: Sandbox) -> None:
    script = """
from interviewer.sandbox import Sandbox
from interviewer.settings import Settings
sandbox = Sandbox(Settings())
sandbox.experiment("print(1)")
print("running", flush=True)
sandbox.experiment("while True: pass", seconds=60)
"""
    victim = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE)
    assert victim.stdout and victim.stdout.readline() == b"running\n"
    time.sleep(0.3)
    below = [pid for pid in tree(victim.pid) if pid != victim.pid]
    left = [g for place in places().values() for g in place.folder.glob(f"interviewer-{victim.pid}-*")]
    assert below and (left or not places())
    victim.kill()
    victim.wait()
    assert becomes_true(lambda: not any(alive(pid) for pid in below))
    assert becomes_true(lambda: not any(group.exists() for group in left))


def _is_zygote(pid: int) -> bool:
    """Cells look like it, but are one process namespace further down."""
    with contextlib.suppress(OSError, StopIteration):
        status = Path(f"/proc/{pid}/status").read_text().splitlines()
        levels = next(line for line in status if line.startswith("NSpid:")).split()[1:]
        mine = Path("/proc/self/status").read_text().split("NSpid:")[1].splitlines()[0].split()
        return "inside.zygote" in Path(f"/proc/{pid}/cmdline").read_text() and len(levels) == len(mine) + 1
    return False


def _command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""


def test_more_open_files_than_select_can_count_do_no_harm(sandbox: Sandbox) -> None:
    script = """
import os, resource
from interviewer.sandbox import Sandbox
from interviewer.settings import Settings
resource.setrlimit(resource.RLIMIT_NOFILE, (4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
held = [os.open("/dev/null", 0) for _ in range(1100)]
sandbox = Sandbox(Settings())
print(sandbox.experiment("print(1)").outcome.value)
sandbox.close()
"""
    assert subprocess.check_output([sys.executable, "-c", script]) == b"passed\n"


def test_a_pool_survives_that_there_were_no_descriptors_left(sandbox: Sandbox) -> None:
    script = """
import os, resource, time
from interviewer.sandbox import Sandbox
from interviewer.settings import Settings
resource.setrlimit(resource.RLIMIT_NOFILE, (200, 200))
sandbox = Sandbox(Settings())
sandbox.experiment("pass")
held = []
try:
    while True: held.append(os.open("/dev/null", 0))
except OSError: os.close(held.pop())
first = sandbox.experiment("pass").outcome.value
for file in held: os.close(file)
time.sleep(0.5)
print(first, sandbox.experiment("pass").outcome.value)
sandbox.close()
"""
    said = subprocess.check_output([sys.executable, "-c", script], text=True).split()
    assert said[0] in ("passed", "infrastructure") and said[1] == "passed"


def test_closing_during_a_run_ends_it_and_starts_nothing_anew() -> None:
    sandbox = Sandbox(Settings(sandbox_memory_mb=512))
    before = set(tree(os.getpid()))
    with ThreadPoolExecutor(1) as thread:
        running = thread.submit(sandbox.experiment, "import subprocess\nsubprocess.run(['sleep', '20'])")
        assert becomes_true(lambda: any(_command(pid) == "sleep" for pid in set(tree(os.getpid())) - before))
        sandbox.close()
        assert running.result().outcome is Outcome.INFRASTRUCTURE
    assert becomes_true(lambda: not set(tree(os.getpid())) - before)
