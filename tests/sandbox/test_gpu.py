"""Everything about a GPU that doesn't need one: the same code with a device that is the CPU under another name."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from interviewer.sandbox import Sandbox, bubblewrap, gpu
from interviewer.sandbox.bubblewrap import Bubblewrap
from interviewer.sandbox.gpu import Exclusive, Meter, Quarantined
from interviewer.sandbox.limits import MIB, Limits
from interviewer.sandbox.pool import Pool
from interviewer.sandbox.slot import Ended
from interviewer.sandbox.start import compile_in, run


class Twin:
    """Computes on the CPU; its memory is what the test says, or a megabyte for each file in a folder."""

    name = "twin"

    def __init__(self, torch_device: str = "cpu"):
        self.torch_device = torch_device
        self.used = 100 * MIB

    def environment(self) -> dict[str, str]:
        return {"VISIBLE_TWIN": "TWIN-1"}

    def nodes(self) -> list[str]:
        return ["/dev/net", "/dev/twin-that-does-not-exist"]

    def memory_used(self) -> int:
        return self.used


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(gpu, "_SECONDS_TO_REST", 0.2)
    yield


@pytest.mark.skipif(Path("/dev/nvidiactl").exists(), reason="there is a GPU")
def test_without_a_gpu_the_reason_is_said() -> None:
    assert gpu.find() == (None, "this machine has no NVIDIA GPU")


def test_a_torch_without_cuda_cannot_use_a_gpu(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import torch

    if torch.version.cuda:
        pytest.skip("this torch has CUDA")
    monkeypatch.setattr(gpu, "_CONTROL", tmp_path)
    assert gpu.find() == (None, "the installed torch is built without CUDA")


@pytest.mark.sandbox
def test_a_slot_on_a_device_has_its_environment_and_its_files(sandbox: Sandbox) -> None:
    binary, twin = bubblewrap.find(), Twin()
    assert binary
    pool = Pool(Bubblewrap(binary, devices=tuple(twin.nodes())), Limits(), 0, twin)
    try:
        with pool.take(Limits()) as slot:
            compile_in(
                slot,
                "import os\nprint(os.environ['VISIBLE_TWIN'], os.path.isdir('/sys/devices'), os.path.exists('/dev/net'))",
            )
            run(slot, "")
            slot.ask("end")
            assert (slot.device, slot.output) == ("cpu", f"TWIN-1 True {Path('/dev/net').exists()}\n")
    finally:
        pool.close()


@pytest.mark.sandbox
def test_a_device_that_computes_wrongly_is_never_handed_out(sandbox: Sandbox) -> None:
    binary, twin = bubblewrap.find(), Twin("meta")  # a device of torch that computes no values
    assert binary
    pool = Pool(Bubblewrap(binary), Limits(), 1, twin)
    try:
        with pytest.raises(Ended, match="could not be started"):
            pool.take(Limits())
    finally:
        pool.close()


def test_peak_memory_is_seen_from_outside_while_it_lasts() -> None:
    twin = Twin()
    meter = Meter(twin)
    twin.used += 300 * MIB
    time.sleep(0.1)
    twin.used -= 300 * MIB
    assert meter.most() == 400 * MIB
    meter.stop()


def test_one_run_at_a_time_has_the_device() -> None:
    exclusive, together, most = Exclusive(Twin(), lambda: True), 0, 0

    def use() -> None:
        nonlocal together, most
        with exclusive.turn():
            together += 1
            most = max(most, together)
            time.sleep(0.02)
            together -= 1

    threads = [threading.Thread(target=use) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == 1


def test_memory_that_is_not_given_back_puts_the_device_in_quarantine(quick: None) -> None:
    twin = Twin()
    exclusive = Exclusive(twin, lambda: True)
    with exclusive.turn():
        twin.used += 500 * MIB
    with pytest.raises(Quarantined, match="more of its memory are in use than at rest"), exclusive.turn():
        pass
    twin.used = 100 * MIB
    with pytest.raises(Quarantined, match="Start anew"), exclusive.turn():  # what it computes can't be trusted any more
        pass


def test_memory_that_comes_back_late_is_waited_for() -> None:
    twin = Twin()
    exclusive = Exclusive(twin, lambda: True)
    with exclusive.turn():
        twin.used += 500 * MIB
        threading.Timer(0.2, lambda: setattr(twin, "used", 100 * MIB)).start()
    with exclusive.turn():
        assert twin.used == 100 * MIB


def test_a_device_on_which_no_slot_gets_ready_is_in_quarantine(quick: None) -> None:
    with pytest.raises(Quarantined, match="no sandbox got ready"), Exclusive(Twin(), lambda: False).turn():
        pass
