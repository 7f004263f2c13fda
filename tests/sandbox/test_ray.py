"""Submissions on the machines of a real Ray cluster, which live on this one: a head that only leads, and two that work."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from interviewer.errors import MissingPart
from interviewer.models import Outcome, Progress
from interviewer.sandbox import Isolation, Sandbox, bubblewrap
from interviewer.sandbox.door import open_door
from interviewer.sandbox.ray import RaySandbox
from interviewer.sandbox.ray.holder import Holder
from interviewer.sandbox.ray.orders import News, Order
from interviewer.settings import Settings

from .tasks import RIGHT, SCALE

pytestmark = [pytest.mark.sandbox, pytest.mark.long]
pytest.importorskip("ray")

SETTINGS = Settings(sandbox_memory_mb=512, sandbox_slots=1)
QUICK_TO_NOTICE = {
    "health_check_initial_delay_ms": 500,
    "health_check_period_ms": 500,
    "health_check_failure_threshold": 3,
}
WRONG = "def scale(x, factor):\n    return x * factor, (x * factor).sum()"
HOSTILE = "import os\nprint('all checks passed')\nos._exit(0)"


@pytest.fixture(scope="module")
def cluster(sandbox: Sandbox) -> Iterator[Any]:
    from ray._common.utils import get_default_ray_temp_dir
    from ray.cluster_utils import Cluster

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        folder = tempfile.mkdtemp(prefix="ray-")  # sockets lie there, so its name must be short
        # A Cluster notes its address in Ray's own folder, and takes that for granted.
        Path(get_default_ray_temp_dir()).mkdir(exist_ok=True)
        head = {"num_cpus": 0, "include_dashboard": False, "temp_dir": folder, "_system_config": QUICK_TO_NOTICE}
        made = Cluster(initialize_head=True, head_node_args=head)
        made.add_node(num_cpus=2)
        made.add_node(num_cpus=2, num_gpus=1)
        yield made
        made.shutdown()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def far(cluster: Any) -> Iterator[RaySandbox]:
    made = RaySandbox(SETTINGS, address=cluster.address)
    assert made.isolation().available
    yield made
    made.close()


@pytest.fixture
def threads() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(8) as made:
        yield made


def sleep(name: str) -> str:
    """Code that can be found from outside while it runs, and ends when it is woken."""
    return f"import subprocess\nsubprocess.run(['sleep', '60', '0.{name}'])\nprint('done')"


def asleep(name: str) -> set[int]:
    return {pid for pid in pids() if command(pid) == f"sleep 60 0.{name}"}


def wake(name: str) -> None:
    for pid in asleep(name):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def is_actor(pid: int) -> bool:
    return command(pid).startswith("ray::Holder")


def actor_of(pid: int) -> int:
    while not is_actor(pid):
        pid = parent(pid)
    return pid


def machine_of(pid: int) -> int:
    """Its raylet."""
    return parent(actor_of(pid))


def test_right_and_wrong_submissions_fare_as_on_one_machine(sandbox: Sandbox, far: RaySandbox) -> None:
    for code in (RIGHT, WRONG, HOSTILE):
        here, there = sandbox.judge(SCALE, code), far.judge(SCALE, code)
        assert (there.outcome, there.message, there.output) == (here.outcome, here.message, here.output)
        assert [(c.name, c.passed) for c in there.checks] == [(c.name, c.passed) for c in here.checks]
        assert there.isolation == here.isolation


def test_progress_and_what_an_experiment_prints_come_back(far: RaySandbox) -> None:
    heard: list[Progress] = []
    far.judge(SCALE, RIGHT, heard.append)
    assert [str(p) for p in heard if p.step == "check"] == [
        "running check 1 of 2: values",
        "running check 2 of 2: gradient",
    ]
    run = far.experiment("print('\\N{SNOWMAN}')\nraise ValueError('no')")
    assert run.outcome is Outcome.FAILED and run.output.startswith("\N{SNOWMAN}\n") and "no" in run.message


def test_code_that_is_not_text_is_judged_and_not_lost(far: RaySandbox) -> None:
    assert far.experiment("print('\udcff')").outcome in (Outcome.PASSED, Outcome.FAILED)


def test_a_submission_whose_actor_is_killed_is_run_once_more(far: RaySandbox, threads: ThreadPoolExecutor) -> None:
    running = threads.submit(far.experiment, sleep("1"), 60)
    first = wait_for(lambda: asleep("1"))
    os.kill(actor_of(min(first)), signal.SIGKILL)
    wait_for(lambda: asleep("1") - first)
    wake("1")
    assert (running.result().outcome, running.result().output) == (Outcome.PASSED, "done\n")
    assert not asleep("1")


def test_a_machine_that_joins_gets_work_which_is_run_once_more_when_it_goes(
    cluster: Any, far: RaySandbox, threads: ThreadPoolExecutor
) -> None:
    before = {machine_of(pid) for pid in pids() if is_actor(pid)}
    added = cluster.add_node(num_cpus=2)

    def three_are_busy() -> Any:
        running = [threads.submit(far.experiment, sleep("2"), 60) for _ in range(3)]
        wait_for(lambda: len(asleep("2")) == 3)
        if len({machine_of(pid) for pid in asleep("2")}) == 3:
            return running
        wake("2")
        return [done.result() for done in running] and None

    running = wait_for(three_are_busy)
    there = {pid for pid in asleep("2") if machine_of(pid) not in before}
    cluster.remove_node(added, allow_graceful=False)
    wait_for(lambda: len(asleep("2") - there) == 3)
    wake("2")
    assert [done.result().output for done in running] == ["done\n"] * 3


def test_actors_share_a_gpu_by_fractions_and_the_third_waits(cluster: Any, threads: ThreadPoolExecutor) -> None:
    two = RaySandbox(SETTINGS, address=cluster.address, slots_per_node=2, gpus=0.5)
    third = RaySandbox(SETTINGS, address=cluster.address, slots_per_node=1, gpus=0.5)
    with closing(two), closing(third):
        running = [threads.submit(two.experiment, sleep("3"), 60) for _ in range(2)]
        wait_for(lambda: len(asleep("3")) == 2)
        assert len({actor_of(pid) for pid in asleep("3")}) == 2
        heard: list[Progress] = []
        waiting = threads.submit(third.experiment, "print('done')", on_progress=heard.append)
        wait_for(lambda: heard == [Progress(step="queued")])
        wake("3")
        assert [done.result().output for done in running] == ["done\n"] * 2
        assert not waiting.done()
        two.close()
        assert waiting.result().output == "done\n"


def test_without_any_machine_it_is_nobodys_fault_and_work_goes_on_when_one_is_back(
    cluster: Any, far: RaySandbox, threads: ThreadPoolExecutor
) -> None:
    running = threads.submit(far.experiment, sleep("4"), 60)
    wait_for(lambda: asleep("4"))
    for worker in list(cluster.worker_nodes):
        cluster.remove_node(worker, allow_graceful=False)
    run = running.result()
    assert (run.outcome, run.output) == (Outcome.INFRASTRUCTURE, "")
    assert "no machine of the Ray cluster" in run.message and "doesn't count against it" in run.message
    cluster.add_node(num_cpus=2)
    assert far.judge(SCALE, RIGHT).outcome is Outcome.PASSED


def test_a_client_that_dies_loses_nothing_silently_and_leaves_nothing_running(
    far: RaySandbox, threads: ThreadPoolExecutor
) -> None:
    running = threads.submit(far.experiment, sleep("5"), 60)
    sleeper = min(wait_for(lambda: asleep("5")))
    actor = actor_of(sleeper)
    assert far._client
    os.kill(far._client._process.pid, signal.SIGKILL)
    assert running.result().outcome is Outcome.INFRASTRUCTURE
    wait_for(lambda: not command(actor) and not command(sleeper))
    assert far.experiment("print('done')").output == "done\n"


def test_a_cluster_of_this_machine_alone_ends_with_its_sandbox(sandbox: Sandbox) -> None:
    before = set(pids())
    with closing(RaySandbox(SETTINGS, address="local")) as alone:
        assert alone.experiment("print('done')").output == "done\n"
        begun = {pid for pid in set(pids()) - before if "ray" in command(pid)}
        assert any(is_actor(pid) for pid in begun)
    wait_for(lambda: not any(command(pid) for pid in begun))


def test_where_nobody_listens_code_is_not_judged_and_the_isolation_says_why() -> None:
    with closing(RaySandbox(SETTINGS, address="127.0.0.1:1")) as nowhere:
        run, isolation = nowhere.judge(SCALE, RIGHT), nowhere.isolation()
    assert (run.outcome, run.checks) == (Outcome.INFRASTRUCTURE, ())
    assert "no Ray cluster could be reached at 127.0.0.1:1" in run.message
    assert not isolation.available and "No Ray cluster could be reached" in isolation.reason


def test_a_submission_whose_reply_was_lost_is_asked_for_again_and_not_run_again(cluster: Any) -> None:
    script = """
import sys, ray
from interviewer.sandbox.ray.client import Broken, _ask, _relay
from interviewer.sandbox.ray.crew import Post
from interviewer.sandbox.ray.holder import Holder
from interviewer.sandbox.ray.orders import Order
from interviewer.settings import Settings

ray.init(sys.argv[1], log_to_driver=False, configure_logging=False)
actor = ray.remote(Holder).remote(Settings(sandbox_memory_mb=512, sandbox_slots=1).model_dump_json().encode())
code = b"import os, time\\ntime.sleep(0.5)\\nprint(os.urandom(8).hex())"
heard = []
try:
    _relay(actor, actor.run, (b'{"id": "first", "kind": "experiment"}', code), heard.append)
except Broken:
    print("broken")
for _ in range(2):  # and broken once more the first time
    _ask(Post("", actor, 1, None), Order(id="second", kind="experiment"), code, heard.append)
print(*[news.run.output.strip() for news in heard if news.run])
"""
    breaks = {"num_failures": 2, "req_failure_prob": 0, "resp_failure_prob": 0, "in_flight_failure_prob": 100}
    chaos = json.dumps({"CoreWorkerService.grpc_client.PushTask": breaks})
    environment = {**os.environ, "RAY_testing_rpc_failure": chaos}
    command = [sys.executable, "-c", script, cluster.address]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stderr
    broken, first, second = ran.stdout.split()
    assert broken == "broken" and len(first) == 16 and first == second


@pytest.mark.parametrize(("order", "code"), [(Order(id="x", kind="experiment"), b""), (b"{}", "print(1)")])
def test_an_actor_takes_nothing_but_bytes(sandbox: Sandbox, order: Any, code: Any) -> None:
    with pytest.raises(TypeError, match="bytes and nothing else"):
        next(Holder(SETTINGS.model_dump_json().encode()).run(order, code))


def test_a_machine_that_cannot_isolate_code_refuses_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bubblewrap, "find", lambda: None)
    holder = Holder(SETTINGS.model_dump_json().encode())
    (news,) = holder.run(Order(id="x", kind="experiment").model_dump_json().encode(), b"print(1)")
    assert "cannot be isolated here" in News.model_validate_json(news).refused
    assert not Isolation.model_validate_json(holder.isolation()).available


def test_the_settings_decide_which_sandbox_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(open_door(Settings()), Sandbox)
    there = Settings(ray_address="127.0.0.1:6379")
    assert isinstance(open_door(there), RaySandbox)
    with pytest.raises(ValidationError):
        Settings(ray_address="ray://127.0.0.1:10001")
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingPart, match=r"pip install 'pytorch-interviewer\[ray\]'"):
        open_door(there)


def wait_for(condition: Callable[[], Any], seconds: float = 40) -> Any:
    until = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < until, "waited in vain"
        time.sleep(0.02)
    return found


def pids() -> list[int]:
    return [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdecimal()]


def command(pid: int) -> str:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().rstrip(b"\0").replace(b"\0", b" ").decode(errors="replace")
    return ""


def parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])
