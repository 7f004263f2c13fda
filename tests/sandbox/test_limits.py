"""Code that wants too much, and what is left of it afterwards."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from interviewer.models import Outcome
from interviewer.sandbox import Sandbox
from interviewer.sandbox.cgroup import places
from interviewer.sandbox.limits import MIB, MemoryWatch, tree

pytestmark = pytest.mark.sandbox


def processes_with(marker: str) -> list[int]:
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit() and int(folder.name) != os.getpid():
            try:
                if marker.encode() in (folder / "cmdline").read_bytes():
                    found.append(int(folder.name))
            except OSError:
                continue
    return found


def becomes_true(fact: Callable[[], bool]) -> bool:
    until = time.monotonic() + 40
    while not fact() and time.monotonic() < until:
        time.sleep(0.02)
    return fact()


def test_an_infinite_loop_ends_with_its_time_whatever_it_ignores(sandbox: Sandbox) -> None:
    code = """
import signal
for number in signal.valid_signals():
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass
print("ready")
while True:
    pass
"""
    run = sandbox.experiment(code, seconds=1)
    assert (run.outcome, run.output) == (Outcome.TIMEOUT, "ready\n")


def test_a_program_that_never_reads_or_answers_ends_with_its_time(sandbox: Sandbox) -> None:
    assert sandbox.experiment("import time; time.sleep(3600)", seconds=0.5).outcome is Outcome.TIMEOUT


def test_a_memory_bomb_is_stopped(sandbox: Sandbox) -> None:
    run = sandbox.experiment("kept = []\nwhile True:\n    kept.append(bytearray(16 << 20))")
    assert run.outcome is Outcome.OUT_OF_MEMORY
    assert "512 MiB" in run.message


def test_many_processes_share_one_limit_of_memory(sandbox: Sandbox) -> None:
    code = """
import os, time
for _ in range(8):
    if not os.fork():
        kept = bytearray(100 << 20)
        time.sleep(60)
        os._exit(0)
for _ in range(8):
    print(os.WTERMSIG(os.wait()[1]))
    break
"""
    run = sandbox.experiment(code, seconds=20)
    assert run.outcome is Outcome.OUT_OF_MEMORY or run.output == "9\n"


def test_scratch_space_is_bounded(sandbox: Sandbox) -> None:
    code = """
import errno, os
for folder in ("/tmp", "/dev/shm"):
    try:
        for at in range(100):
            with open(f"{folder}/fill-{at}", "wb") as file:
                file.write(bytes(8 << 20))
    except OSError as error:
        print(errno.errorcode[error.errno])
    for name in os.listdir(folder):  # the folder that holds this project may be bound below /tmp
        if name.startswith("fill-"):
            os.remove(f"{folder}/{name}")
"""
    assert sandbox.experiment(code).output == "ENOSPC\nENOSPC\n"


def test_processes_are_bounded(sandbox: Sandbox) -> None:
    code = """
import os, time
started = 0
try:
    while True:
        if not os.fork():
            time.sleep(60)
            os._exit(0)
        started += 1
except OSError:
    print(started)
"""
    run = sandbox.experiment(code)
    assert run.outcome is Outcome.PASSED
    assert 0 < int(run.output) < 64


def test_a_fork_bomb_leaves_nothing(sandbox: Sandbox) -> None:
    marker = f"marker-{uuid.uuid4().hex}"
    code = f"""
import os, subprocess, sys
subprocess.Popen(["/bin/sh", "-c", "sleep 600 # {marker}"], start_new_session=True)
if not os.fork():
    os.setsid()
    if not os.fork():
        os.execv(sys.executable, [sys.executable, "-c", "import time; time.sleep(600) # {marker}"])
    os._exit(0)
while True:
    try:
        os.fork()
    except OSError:
        pass
"""
    run = sandbox.experiment(code, seconds=1.5)
    assert run.outcome in (Outcome.TIMEOUT, Outcome.OUT_OF_MEMORY)
    assert becomes_true(lambda: not processes_with(marker))


def test_a_flood_of_output_is_bounded(sandbox: Sandbox) -> None:
    run = sandbox.experiment("while True: print('x' * 1000)", seconds=20)
    assert run.outcome is Outcome.FAILED
    assert "more than 8 MiB" in run.message
    assert run.output.startswith("xxx") and "more bytes were left out" in run.output
    assert len(run.output) < 66 * 1024


def groups_of_ours() -> set[Path]:
    return {g for place in places().values() for g in place.folder.glob(f"interviewer-{os.getpid()}-*")}


@pytest.fixture
def others() -> tuple[set[int], set[Path]]:
    """Processes and control groups of other sandboxes and pools in this process; listed before there is this one's."""
    return set(tree(os.getpid())), groups_of_ours()


def test_after_closing_no_process_no_folder_and_no_control_group_is_left(
    others: tuple[set[int], set[Path]], sandbox: Sandbox
) -> None:
    processes, groups = others
    before = set(Path(tempfile.gettempdir()).iterdir())
    sandbox.experiment("open('/tmp/file', 'w').write('x')")
    sandbox.close()
    assert not set(tree(os.getpid())) - processes - {os.getpid()}
    left = {
        path for path in set(Path(tempfile.gettempdir()).iterdir()) - before if path.name.startswith("interviewer-run-")
    }
    assert not left and not groups_of_ours() - groups


def test_the_program_dies_with_its_supervisor(sandbox: Sandbox) -> None:
    marker = f"marker-{uuid.uuid4().hex}"
    code = f'import subprocess; subprocess.run(["/bin/sh", "-c", "sleep 600 # {marker}"])'
    script = """
import sys
from interviewer.sandbox import Sandbox
from interviewer.settings import Settings
Sandbox(Settings()).experiment(sys.stdin.read(), 100)
"""
    with subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, text=True) as supervisor:
        assert supervisor.stdin
        supervisor.stdin.write(code)
        supervisor.stdin.close()
        inside = becomes_true(lambda: bool(processes_with(marker)))
        supervisor.kill()
    assert inside
    assert becomes_true(lambda: not processes_with(marker))


def test_runs_side_by_side_do_not_mix(sandbox: Sandbox) -> None:
    codes = [f"import time\nfor _ in range(5):\n    print({n})\n    time.sleep(0.02)" for n in range(4)]
    with ThreadPoolExecutor(4) as threads:
        runs = list(threads.map(sandbox.experiment, codes))
    assert [run.output for run in runs] == [f"{n}\n" * 5 for n in range(4)]


def test_the_watch_over_memory_counts_the_whole_tree() -> None:
    grow = "kept = bytearray(300 << 20); import time; time.sleep(600)"
    parent_code = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {grow!r}])"
    with subprocess.Popen([sys.executable, "-c", parent_code], start_new_session=True) as parent:
        watch = MemoryWatch(parent.pid, 200 * MIB)
        parent.wait(60)
        watch.stop()
        os.killpg(parent.pid, signal.SIGKILL)
    assert watch.exceeded and parent.returncode == -signal.SIGKILL
