"""An NVIDIA GPU, or a slice of one (MIG), as the driver sees it from outside the sandbox.

Written from the driver's documentation and tried on its CPU twin alone; see the README for what was run on a card.
Other makers' GPUs are not used.
"""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import os
import runpy
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

_LOOK_EVERY = 0.002
_SLACK = 64 << 20  # what a driver may take or leave
_SECONDS_TO_REST = 60.0
_CONTROL = Path("/dev/nvidiactl")
_SHARED_NODES = ("nvidiactl", "nvidia-uvm", "nvidia-uvm-tools", "nvidia-modeset", "nvidia-caps")


class Quarantined(Exception):
    """The device may be in a state in which nothing that it computes can be trusted."""


class Accelerator(Protocol):
    """What the pool needs of a device. ``torch_device`` is its name inside a sandbox that sees no other."""

    @property
    def name(self) -> str: ...

    @property
    def torch_device(self) -> str: ...

    def environment(self) -> dict[str, str]: ...

    def nodes(self) -> list[str]:
        """Paths of device files that a program needs."""
        ...

    def memory_used(self) -> int:
        """Bytes of the device's memory in use by anybody. Raises OSError where the driver doesn't say."""
        ...


@dataclass(frozen=True)
class NvidiaGpu:
    """``uuid`` names the GPU or the slice; ``minor`` is the number of its device file."""

    uuid: str
    name: str
    minor: int
    torch_device: str = "cuda"

    def environment(self) -> dict[str, str]:
        return {"CUDA_VISIBLE_DEVICES": self.uuid, "CUDA_CACHE_DISABLE": "1"}

    def nodes(self) -> list[str]:
        return [f"/dev/{name}" for name in (*_SHARED_NODES, f"nvidia{self.minor}")]

    def memory_used(self) -> int:
        nvml = _nvml()
        try:
            handle = nvml.nvmlDeviceGetHandleByUUID(self.uuid)
            return int(nvml.nvmlDeviceGetMemoryInfo(handle).used)
        except nvml.NVMLError as error:
            raise OSError(f"the driver does not say how much memory of {self.name} is used: {error}") from error


class Meter:
    """The most of a device's memory that was in use while it watched. Looks 500 times a second; what a program holds for
    a shorter time can be missed, but torch's allocator keeps what it was given until it is asked to return it."""

    def __init__(self, accelerator: Accelerator):
        self._accelerator = accelerator
        self._most = accelerator.memory_used()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="gpu-memory", daemon=True)
        self._thread.start()

    def most(self) -> int:
        """Bytes, other programs' included. Raises OSError where the driver doesn't say."""
        self._most = max(self._most, self._accelerator.memory_used())
        return self._most

    def stop(self) -> None:
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        with contextlib.suppress(OSError):
            while not self._over.wait(_LOOK_EVERY):
                self.most()


class Exclusive:
    """One run at a time on a device, which must be as it was before the next one may have it.

    At rest, one slot waits with its context made. ``settled`` says whether that is so again.
    """

    def __init__(self, accelerator: Accelerator, settled: Callable[[], bool]):
        self._accelerator = accelerator
        self._settled = settled
        self._turn = threading.Lock()
        self._at_rest: int | None = None
        self._quarantine = ""

    @contextlib.contextmanager
    def turn(self) -> Iterator[None]:
        """Raises Quarantined, then and for ever after, where the device did not come to rest."""
        with self._turn:
            if not self._quarantine:
                self._quarantine = self._problem()
            if self._quarantine:
                raise Quarantined(
                    f"{self._accelerator.name} is not used any more: {self._quarantine}. Start anew to try it again."
                )
            yield

    def _problem(self) -> str:
        until = time.monotonic() + _SECONDS_TO_REST
        if not _becomes(self._settled, until):
            return "no sandbox got ready on it"
        try:
            if self._at_rest is None:
                self._at_rest = self._accelerator.memory_used()
            allowed = self._at_rest + _SLACK
            if not _becomes(lambda: self._accelerator.memory_used() <= allowed, until):
                return f"{self._accelerator.memory_used() - self._at_rest} bytes more of its memory are in use than at rest"
        except OSError as error:
            return str(error)
        return ""


def _becomes(true: Callable[[], bool], until: float) -> bool:
    while not true():
        if time.monotonic() > until:
            return False
        time.sleep(0.01)
    return True


def find() -> tuple[NvidiaGpu | None, str]:
    """The first GPU or slice that can be used, or None and why there is none."""
    if not _CONTROL.exists():
        return None, "this machine has no NVIDIA GPU"
    if not _torch_has_cuda():
        return None, "the installed torch is built without CUDA"
    if importlib.util.find_spec("pynvml") is None:
        return None, "the package nvidia-ml-py is not installed (the extra `gpu`)"
    nvml = _nvml()
    try:
        return _first(nvml), ""
    except nvml.NVMLError as error:
        return None, f"the NVIDIA driver does not answer: {error}"


def _first(nvml: Any) -> NvidiaGpu:
    chosen = os.environ.get("CUDA_VISIBLE_DEVICES", "").split(",")[0].strip() or "0"  # as CUDA and schedulers have it
    by_number = chosen.isdigit()
    handle = nvml.nvmlDeviceGetHandleByIndex(int(chosen)) if by_number else nvml.nvmlDeviceGetHandleByUUID(chosen)
    if chosen.startswith("MIG-"):
        whole = nvml.nvmlDeviceGetDeviceHandleFromMigDeviceHandle(handle)
        return NvidiaGpu(
            chosen, f"{nvml.nvmlDeviceGetName(whole)} (MIG slice)", int(nvml.nvmlDeviceGetMinorNumber(whole))
        )
    name, minor = str(nvml.nvmlDeviceGetName(handle)), int(nvml.nvmlDeviceGetMinorNumber(handle))
    for number in range(_slices(nvml, handle)):
        try:
            piece = nvml.nvmlDeviceGetMigDeviceHandleByIndex(handle, number)
        except nvml.NVMLError:  # a place where a slice could be, but is not
            continue
        return NvidiaGpu(str(nvml.nvmlDeviceGetUUID(piece)), f"{name} (MIG slice)", minor)
    return NvidiaGpu(str(nvml.nvmlDeviceGetUUID(handle)), name, minor)


def _slices(nvml: Any, handle: Any) -> int:
    try:
        current, _ = nvml.nvmlDeviceGetMigMode(handle)
        return int(nvml.nvmlDeviceGetMaxMigDeviceCount(handle)) if current else 0
    except nvml.NVMLError:  # a GPU that can't be divided
        return 0


def _torch_has_cuda() -> bool:
    """Read from a file of the package: importing torch for this would take seconds."""
    torch = importlib.util.find_spec("torch")
    if torch is None or torch.origin is None:
        return False
    return runpy.run_path(str(Path(torch.origin).with_name("version.py"))).get("cuda") is not None


@functools.cache
def _nvml() -> Any:
    import pynvml

    pynvml.nvmlInit()
    return pynvml
