"""The cases of a task with their right results, and one case put to the submission.

The task's judge is our own code and runs here, never in the sandbox. Promises fresh random inputs in every run and
comparison in float64.
"""

from __future__ import annotations

import inspect
import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import torch

from interviewer.models import Task
from interviewer.sandbox.compare import Argument, describe, expected_dtype, wrong_form, wrong_values
from interviewer.sandbox.inside.tensors import DTYPES, Spec, dtype_name, size_of, spec_of, split, to_bytes
from interviewer.sandbox.reply import Reply
from interviewer.sandbox.slot import Slot

_DETAIL_LIMIT = 2000


class JudgeFault(Exception):
    """The task's own judge does not do what docs/bank.md asks of it."""


@dataclass(frozen=True)
class Case:
    """One call and what it must give. ``upstream`` and ``gradients`` are empty where no gradient is asked for."""

    check: str
    names: tuple[str, ...]
    args: tuple[Argument, ...]
    expected: tuple[torch.Tensor, ...]
    several: bool
    upstream: tuple[torch.Tensor, ...]
    gradients: tuple[torch.Tensor, ...]

    @property
    def inputs(self) -> list[tuple[str, torch.Tensor]]:
        pairs = zip(self.names, self.args, strict=True)
        return [(name, arg) for name, arg in pairs if isinstance(arg, torch.Tensor)]

    @property
    def leaves(self) -> list[tuple[str, torch.Tensor]]:
        """The inputs whose gradient is asked for."""
        return [(name, arg) for name, arg in self.inputs if self.upstream and arg.is_floating_point()]

    @property
    def size(self) -> int:
        return sum(arg.numel() for _, arg in self.inputs)


def read_cases(task: Task) -> list[Case]:
    """All cases of one run. Raises JudgeFault where the task's judge is at fault."""
    try:
        return list(_read_cases(task))
    except JudgeFault:
        raise
    except Exception as error:
        raise JudgeFault(f"its judge failed with {type(error).__name__}: {error}") from error


def put(case: Case, slot: Slot, tolerance: float) -> str:
    """What is wrong with the submission's answer to this case; empty where nothing is. Raises slot.Ended."""
    problem = _put(case, slot, tolerance)
    return f"With {describe(case.names, case.args)}: {problem}."[:_DETAIL_LIMIT] if problem else ""


def _read_cases(task: Task) -> Iterator[Case]:
    judge: dict[str, Any] = {"__name__": "judge"}
    exec(compile(task.judge, "judge.py", "exec", dont_inherit=True), judge)
    generator = torch.Generator().manual_seed(secrets.randbits(63))
    names = tuple(inspect.signature(judge["reference"]).parameters)
    seen = set()
    for check, args in judge["cases"](generator):
        if check not in task.checks:
            raise JudgeFault(f"its judge has a case for {check!r}, which is not among its checks")
        seen.add(check)
        given = tuple(_argument(arg) for arg in args)
        yield _solve(check, names[: len(given)], given, judge["reference"], generator, check in task.gradients)
    if missing := [check for check in task.checks if check not in seen]:
        raise JudgeFault(f"its judge has no case for {', '.join(missing)}")


def _argument(arg: Any) -> Argument:
    """What the submission gets; float64 becomes float32, coarser dtypes stay."""
    if arg is None or isinstance(arg, bool | int | float | str):
        return arg
    if not isinstance(arg, torch.Tensor):
        raise JudgeFault(f"its judge has an argument of type {type(arg).__name__}")
    if dtype_name(arg.dtype) not in DTYPES:
        raise JudgeFault(f"its judge has an argument of {arg.dtype}, which cannot be sent")
    return arg.detach().float() if arg.dtype is torch.float64 else arg.detach()


def _solve(
    check: str,
    names: tuple[str, ...],
    args: tuple[Argument, ...],
    reference: Callable[..., Any],
    generator: torch.Generator,
    with_gradient: bool,
) -> Case:
    """The right results in float64, from copies of the arguments."""
    exact = [_exact(arg, with_gradient) for arg in args]
    returned = reference(*exact)
    several = isinstance(returned, tuple | list)
    results = tuple(returned) if several else (returned,)
    if not all(isinstance(result, torch.Tensor) for result in results):
        raise JudgeFault("its reference returned something other than tensors")
    expected = tuple(result.detach() for result in results)
    if not with_gradient:
        return Case(check, names, args, expected, several, (), ())
    smooth = [result for result in results if result.is_floating_point()]
    upstream = tuple(
        torch.randn(result.shape, generator=generator).to(expected_dtype(result, args)) for result in smooth
    )
    leaves = [arg for arg in exact if isinstance(arg, torch.Tensor) and arg.requires_grad]
    found = torch.autograd.grad(smooth, leaves, [up.double() for up in upstream], allow_unused=True)
    pairs = zip(found, leaves, strict=True)
    gradients = tuple(torch.zeros_like(leaf) if grad is None else grad for grad, leaf in pairs)
    return Case(check, names, args, expected, several, upstream, gradients)


def _exact(arg: Argument, with_gradient: bool) -> Argument:
    if not isinstance(arg, torch.Tensor):
        return arg
    return arg.double().clone().requires_grad_(with_gradient) if arg.is_floating_point() else arg.clone()


def _put(case: Case, slot: Slot, tolerance: float) -> str:
    inputs = [arg for _, arg in case.inputs]
    args = [{"tensor": spec_of(arg)} if isinstance(arg, torch.Tensor) else {"value": arg} for arg in case.args]
    body = b"".join(to_bytes(arg) for arg in inputs)
    reply, _ = slot.ask("call", body, args=args, gradient=bool(case.leaves))
    if reply.failure:
        return str(reply.failure)
    if problem := _wrong_announcement(case, reply):
        return problem
    results = [result.model_dump() for result in reply.results or ()]
    return _fetch(case, slot, results, tolerance)


def _wrong_announcement(case: Case, reply: Reply) -> str:
    """Form is settled before a single byte of the results is read."""
    results = reply.results or []
    if len(results) != len(case.expected) or reply.several != case.several:
        wanted = f"a tuple of {len(case.expected)}" if case.several else "one tensor"
        return f"expected {wanted}, got {f'a tuple of {len(results)}' if reply.several else 'one tensor'}"
    for at, (expected, result) in enumerate(zip(case.expected, results, strict=True)):
        if problem := wrong_form(expected, expected_dtype(expected, case.args), result.dtype, result.shape):
            return _which(case, at) + problem
    return ""


def _fetch(case: Case, slot: Slot, results: list[Spec], tolerance: float) -> str:
    inputs = [{"dtype": dtype_name(arg.dtype), "shape": list(arg.shape)} for _, arg in case.inputs]
    gradients = [{"dtype": dtype_name(arg.dtype), "shape": list(arg.shape)} for _, arg in case.leaves]
    specs = results + inputs + gradients
    upstream = [spec_of(up) for up in case.upstream]
    body = b"".join(to_bytes(up) for up in case.upstream)
    reply, data = slot.ask("fetch", body, upstream=upstream, answer_bytes=sum(size_of(spec) for spec in specs))
    if reply.failure:
        return f"its gradient cannot be taken: {reply.failure}" if case.upstream else str(reply.failure)
    tensors = split(specs, data)
    got, after = tensors[: len(results)], tensors[len(results) : len(results) + len(inputs)]
    return (
        _wrong_results(case, got, tolerance)
        or _changed_inputs(case, after)
        or _wrong_gradients(case, tensors[len(results) + len(inputs) :], tolerance)
    )


def _wrong_results(case: Case, got: list[torch.Tensor], tolerance: float) -> str:
    for at, (expected, result) in enumerate(zip(case.expected, got, strict=True)):
        if problem := wrong_values(expected, result, tolerance):
            return _which(case, at) + problem
    return ""


def _changed_inputs(case: Case, after: list[torch.Tensor]) -> str:
    for (name, before), now in zip(case.inputs, after, strict=True):
        if to_bytes(before) != to_bytes(now):
            return f"it changed its input {name}, which must stay as it was"
    return ""


def _wrong_gradients(case: Case, got: list[torch.Tensor], tolerance: float) -> str:
    for (name, _), expected, gradient in zip(case.leaves, case.gradients, got, strict=True):
        if problem := wrong_values(expected, gradient, tolerance):
            return f"the gradient of {name}: {problem}"
    return ""


def _which(case: Case, at: int) -> str:
    return f"result {at + 1}: " if case.several else ""
