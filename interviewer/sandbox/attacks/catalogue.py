"""Every attack of the list: what it is handed in as, and how a run of it may end when the walls hold.

The program of an attack is a file of its own below ``code``, and the first line of its docstring says what it tries.
What it tries on a GPU alone is only run where there is one.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from interviewer.models import Outcome, Task
from interviewer.sandbox.attacks.task import (
    BLEND,
    BLEND_IN_A_HURRY,
    BLEND_ON_GPU,
    FRUGAL_BLEND,
    NOISE,
    QUICK_BLEND,
    QUICK_BLEND_ON_GPU,
    SCALE,
    SKIP,
    TURN,
)

_CODE = Path(__file__).parent / "code"
_TOOLS = _CODE / "tools.py"

PASSED, FAILED, VIOLATION = Outcome.PASSED, Outcome.FAILED, Outcome.VIOLATION
TIMEOUT, OUT_OF_MEMORY = Outcome.TIMEOUT, Outcome.OUT_OF_MEMORY


class Group(StrEnum):
    VERDICT = "verdict"
    HOST = "host"
    RESOURCES = "resources"


@dataclass(frozen=True)
class Attack:
    """``ends``: the outcomes that are right for it. ``task``: what it is a submission to; None: it is free code.

    ``neighbour``: another submission runs meanwhile, which it must not reach.
    """

    file: str
    group: Group
    ends: tuple[Outcome, ...]
    task: Task | None = None
    seconds: float = 3
    neighbour: bool = False
    needs_gpu: bool = False
    kills_supervisor: bool = False

    @property
    def name(self) -> str:
        return self.file.replace("_", "-")

    @property
    def path(self) -> Path:
        return _CODE / self.group.value / f"{self.file}.py"

    @property
    def tries(self) -> str:
        doc = ast.get_docstring(ast.parse(self.path.read_text(encoding="utf-8"))) or ""
        return doc.splitlines()[0]

    def program(self, target: dict[str, object]) -> str:
        """Its code with all that it needs; ``target`` is what of this machine is worth reaching."""
        tools, own = (path.read_text(encoding="utf-8") for path in (_TOOLS, self.path))
        return f"{tools}\nTARGET = {target!r}\n{own}"


def _forgery(file: str, *ends: Outcome, task: Task = BLEND) -> Attack:
    return Attack(file, Group.VERDICT, ends or (FAILED,), task=task)


def _escape(file: str, *ends: Outcome, neighbour: bool = False) -> Attack:
    return Attack(file, Group.HOST, ends or (PASSED,), seconds=20, neighbour=neighbour)


def _flood(file: str, *ends: Outcome, seconds: float = 1.5) -> Attack:
    return Attack(file, Group.RESOURCES, ends, seconds=seconds)


def _on_gpu(file: str, group: Group, task: Task) -> Attack:
    return Attack(file, group, (FAILED,), task=task, needs_gpu=True)


ATTACKS: tuple[Attack, ...] = (
    # Two that show that the list can tell right from wrong.
    _forgery("honest", PASSED),
    _forgery("plainly_wrong"),
    # Saying that all is well.
    _forgery("prints_passed_and_exits"),
    _forgery("exits_when_called"),
    _forgery("raises_success"),
    _forgery("hostile_exception"),
    _forgery("hostile_output"),
    _forgery("ends_as_our_fault"),
    _forgery("crashes"),
    # Patching what compares, computes or answers.
    _forgery("patches_comparison"),
    _forgery("patches_reference_operations"),
    _forgery("patches_runner", VIOLATION),
    _forgery("patches_serialisation"),
    _forgery("patches_autograd"),
    _forgery("fakes_torch"),
    _forgery("traces_the_runner", VIOLATION),
    # Results that are not what they seem.
    _forgery("always_equal_tensor"),
    _forgery("dispatching_tensor"),
    _forgery("not_a_tensor"),
    _forgery("reduces_to_code"),
    _forgery("replays_cached_output"),
    _forgery("zeroes_inputs"),
    _forgery("spoils_inputs"),
    _forgery("nothing_but_nan"),
    _forgery("infinite_values"),
    _forgery("stale_memory"),
    _forgery("fills_after_return"),
    _forgery("half_precision"),
    _forgery("half_dtype"),
    _forgery("broadcastable_shape"),
    _forgery("stride_zero"),
    _forgery("meta_tensor"),
    # Stealing what is expected.
    _forgery("steals_from_gc"),
    _forgery("steals_from_frames"),
    _forgery("steals_from_memory"),
    _forgery("steals_from_files"),
    _forgery("steals_by_import"),
    # Writing to the channel.
    _forgery("writes_channel_at_import", VIOLATION),
    _forgery("writes_channel_from_thread", VIOLATION),
    _forgery("writes_channel_from_atexit", FAILED, VIOLATION),
    _forgery("writes_channel_from_child", FAILED, VIOLATION),
    _forgery("serves_in_the_runners_place"),
    _forgery("answers_twice", VIOLATION),
    _forgery("replays_last_frame", VIOLATION),
    _forgery("adds_a_verdict_to_answers", VIOLATION),
    _forgery("header_bomb", VIOLATION),
    _forgery("body_bomb", VIOLATION),
    _forgery("deep_header", VIOLATION),
    _forgery("odd_numbers", VIOLATION),
    _forgery("shape_lie", TIMEOUT, task=BLEND_IN_A_HURRY),
    _forgery("huge_reply", VIOLATION),
    _forgery("another_size", VIOLATION),
    _forgery("closes_channel", VIOLATION),
    _forgery("moves_channel", FAILED, VIOLATION),
    _forgery("floods_channel", VIOLATION),
    _forgery("swallows_requests", TIMEOUT, task=BLEND_IN_A_HURRY),
    # Deceiving the checks of time, memory, layout, views, chance and state.
    _forgery("patched_clocks", task=QUICK_BLEND),
    _forgery("patched_cuda_events", task=QUICK_BLEND),
    _forgery("postpones_work", task=QUICK_BLEND),
    _forgery("slows_the_reference", task=QUICK_BLEND),
    _on_gpu("side_stream", Group.VERDICT, QUICK_BLEND_ON_GPU),
    _forgery("hides_memory_in_a_child", task=FRUGAL_BLEND),
    _forgery("frees_memory_before_return", task=FRUGAL_BLEND),
    _forgery("hoards_memory_beforehand", task=FRUGAL_BLEND),
    _forgery("claims_a_layout", task=TURN),
    _forgery("claims_a_view", task=SKIP),
    _forgery("is_never_random", task=NOISE),
    _forgery("state_of_another", task=SCALE),
    # The network.
    _escape("connects_to_this_machine"),
    _escape("connects_outside"),
    _escape("opens_odd_sockets"),
    _escape("reaches_unix_sockets"),
    _escape("reconfigures_the_network"),
    # Files.
    _escape("reads_secrets"),
    _escape("follows_links"),
    _escape("reads_the_project"),
    _escape("looks_for_open_files"),
    _escape("writes_outside"),
    _escape("overwrites_libraries"),
    _escape("overwrites_its_interpreter"),
    _escape("leaves_traps"),
    _escape("makes_devices"),
    _escape("opens_by_handle"),
    # Other processes.
    _escape("reads_environments"),
    _escape("looks_into_process_1"),
    _escape("looks_at_other_slots", neighbour=True),
    _escape("traces_others", neighbour=True),
    _escape("signals_everyone", FAILED, neighbour=True),
    # Rights and the kernel.
    _escape("becomes_root"),
    _escape("mounts"),
    _escape("makes_namespaces"),
    _escape("calls_into_the_kernel"),
    _escape("uses_keyrings"),
    _escape("administers_the_machine"),
    _escape("turns_kernel_knobs"),
    _escape("runs_programs_of_the_host"),
    _on_gpu("other_gpus", Group.HOST, BLEND_ON_GPU),
    # Taking more than a share.
    _flood("fork_bomb", TIMEOUT, OUT_OF_MEMORY),
    _flood("thread_bomb", TIMEOUT, OUT_OF_MEMORY, FAILED),
    _flood("zombie_bomb", TIMEOUT),
    _flood("memory_bomb", OUT_OF_MEMORY, seconds=10),
    _flood("memory_bomb_in_children", TIMEOUT, OUT_OF_MEMORY, seconds=3),
    _flood("shared_memory_bomb", PASSED, OUT_OF_MEMORY, seconds=10),
    _flood("system_v_memory_bomb", FAILED, OUT_OF_MEMORY, seconds=10),
    _flood("anonymous_file_bomb", FAILED, OUT_OF_MEMORY, seconds=10),
    _flood("pipe_bomb", TIMEOUT, OUT_OF_MEMORY),
    _flood("disk_flood", PASSED, seconds=10),
    _flood("inode_flood", PASSED, seconds=10),
    _flood("file_flood", TIMEOUT),
    _flood("output_flood", FAILED, seconds=10),
    _flood("error_output_flood", FAILED, seconds=10),
    # Not ending.
    _flood("endless_loop", TIMEOUT),
    _flood("endless_call", TIMEOUT),
    _flood("stops_itself", TIMEOUT),
    _flood("hogs_processors", TIMEOUT),
    _flood("reads_for_ever", TIMEOUT, VIOLATION),
    _flood("leaves_a_daemon", PASSED, seconds=10),
    Attack("supervisor_killed", Group.RESOURCES, (), kills_supervisor=True),
    _on_gpu("gpu_memory_hog", Group.RESOURCES, BLEND_ON_GPU),
    _on_gpu("leaves_a_gpu_kernel", Group.RESOURCES, BLEND_ON_GPU),
)


_QUICK = (
    "honest",
    "plainly-wrong",
    "prints-passed-and-exits",
    "patches-comparison",
    "replays-cached-output",
    "writes-channel-at-import",
    "connects-to-this-machine",
    "connects-outside",
    "reads-secrets",
    "writes-outside",
    "becomes-root",
    "memory-bomb",
    "leaves-a-daemon",
)


def attacks(names: list[str] | None = None) -> list[Attack]:
    """Those of these names, in the order of the list; all of them where no names are given. Raises KeyError."""
    known = {attack.name: attack for attack in ATTACKS}
    wanted = {name: known[name] for name in names} if names is not None else known
    return [attack for name, attack in known.items() if name in wanted]


def quick() -> list[str]:
    """The names of the short form: what matters most, in a few seconds."""
    return list(_QUICK)
