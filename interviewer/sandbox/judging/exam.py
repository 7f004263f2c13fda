"""A task's judge block, executed for one run: the cases that it draws and the reference that knows the answers.

The block is our own code. Promises fresh random inputs in every run and every round, and that whatever goes wrong in it
is a JudgeFault, which is never the candidate's fault.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import CodeType
from typing import Any

import torch

from interviewer.models import CheckKind, Requirement, Task
from interviewer.sandbox.compare import Argument, describe, show
from interviewer.sandbox.inside.tensors import DTYPES, dtype_name

Args = tuple[Argument, ...]


class JudgeFault(Exception):
    """The task's own judge, or its solution, does not do what docs/bank.md asks of it."""


@contextlib.contextmanager
def our_code(what: str = "judge") -> Iterator[None]:
    """Around every call of what the task's file brings along."""
    try:
        yield
    except JudgeFault:
        raise
    except Exception as error:
        raise JudgeFault(f"its {what} failed with {type(error).__name__}: {error}") from error


@dataclass(frozen=True)
class Step:
    """One call. ``mode``: of the module; None for a function."""

    mode: str | None
    args: Args

    @property
    def tensors(self) -> list[torch.Tensor]:
        return [arg for arg in self.args if isinstance(arg, torch.Tensor)]


@dataclass(frozen=True)
class Case:
    """What one check asks once: ``init`` for a module's constructor, and its calls; only ``modes`` has several."""

    exam: Exam
    check: Requirement
    init: Args
    steps: tuple[Step, ...]

    @property
    def size(self) -> int:
        """The number of elements in all arguments."""
        return sum(tensor.numel() for step in self.steps for tensor in step.tensors)

    def described(self) -> str:
        """For a person: the one call, or how many there are."""
        made = f"{self.exam.task.entry}({', '.join(show(arg) for arg in self.init)})" if self.exam.is_module else ""
        if len(self.steps) > 1:
            return f"With {made} and {len(self.steps)} calls"
        call = describe(self.exam.names_of(self.steps[0].args), self.steps[0].args)
        return f"With {made} and {call}" if made else f"With {call}"


class Exam:
    """Raises JudgeFault where the block can't be executed."""

    def __init__(self, task: Task):
        self.task = task
        self.generator = torch.Generator().manual_seed(secrets.randbits(63))
        judge: dict[str, Any] = {"__name__": "judge"}
        with our_code():
            exec(_compiled(task.judge), judge)
            self._cases: Callable[[torch.Generator], Iterator[tuple[Any, ...]]] = judge["cases"]
        self.reference: Any = judge.get("reference")
        self.verify: Callable[..., Any] | None = judge.get("verify")
        self.is_module = isinstance(self.reference, type) and issubclass(self.reference, torch.nn.Module)
        self._names = self._parameters()

    def draw(self, *names: str) -> list[Case]:
        """The cases of these checks with new numbers, in the order of the task's checks. Every check has one at least."""
        checks = {check.name: check for check in self.task.checks if check.name in names}
        found: dict[str, list[Case]] = {name: [] for name in checks}
        with our_code():
            for name, *rest in self._cases(self.generator):
                if name not in self.task.names:
                    raise JudgeFault(f"its judge has a case for {name!r}, which is not among its checks")
                if name in checks:
                    found[name].append(self._case(checks[name], *rest))
        if missing := [name for name, cases in found.items() if not cases]:
            raise JudgeFault(f"its judge has no case for {', '.join(missing)}")
        return [case for cases in found.values() for case in cases]

    def names_of(self, args: Args) -> list[str]:
        return [self._names[at] if at < len(self._names) else f"argument {at + 1}" for at in range(len(args))]

    def _parameters(self) -> list[str]:
        """The names of the reference's arguments."""
        if self.is_module:
            return list(inspect.signature(self.reference.forward).parameters)[1:]
        return list(inspect.signature(self.reference).parameters) if self.reference else []

    def _case(self, check: Requirement, *parts: Any) -> Case:
        exactly = check.kind is CheckKind.GRADCHECK
        if not self.is_module:
            if check.mode or check.kind in (CheckKind.STATE, CheckKind.MODES):
                raise JudgeFault(f"its check {check.name!r} is for a module, but its reference is none")
            (args,) = parts
            return Case(self, check, (), (Step(None, _arguments(args, exactly)),))
        init, calls = parts
        if check.kind is not CheckKind.MODES:
            calls = [(check.mode or "train", calls)]
        steps = tuple(Step(mode, _arguments(args, exactly)) for mode, args in calls)
        if not steps or any(step.mode not in ("train", "eval") for step in steps):
            raise JudgeFault(f"its check {check.name!r} needs calls in the modes train and eval")
        return Case(self, check, _arguments(init, exactly), steps)


@functools.lru_cache(maxsize=256)
def _compiled(judge: str) -> CodeType:
    return compile(judge, "judge.py", "exec", dont_inherit=True)


def _arguments(args: Any, exactly: bool) -> Args:
    if not isinstance(args, tuple | list):
        raise JudgeFault(f"its judge has {type(args).__name__} where a tuple of arguments was expected")
    return tuple(_argument(arg, exactly) for arg in args)


def _argument(arg: Any, exactly: bool) -> Argument:
    """What the submission gets: float32 for float64, while coarser dtypes stay; or float64 throughout, ``exactly``."""
    if arg is None or isinstance(arg, bool | int | float | str):
        return arg
    if not isinstance(arg, torch.Tensor):
        raise JudgeFault(f"its judge has an argument of type {type(arg).__name__}")
    if dtype_name(arg.dtype) not in DTYPES:
        raise JudgeFault(f"its judge has an argument of {arg.dtype}, which cannot be sent")
    if exactly and arg.is_floating_point():
        return copy_of(arg, torch.float64)
    return copy_of(arg, torch.float32 if arg.dtype is torch.float64 else arg.dtype)


def copy_of(tensor: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """In memory of its own, with the same strides where they hold each element once."""
    if tensor.is_contiguous() or 0 in tensor.stride():
        return tensor.detach().to(dtype, memory_format=torch.contiguous_format, copy=True)
    return torch.empty_strided(tensor.shape, tensor.stride(), dtype=dtype).copy_(tensor.detach())
