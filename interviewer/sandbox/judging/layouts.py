"""The checks of how a result lies in memory: its strides, and whether it is a view of an argument."""

from __future__ import annotations

import torch

from interviewer.sandbox.compare import wrong_strides
from interviewer.sandbox.inside.tensors import Spec, split
from interviewer.sandbox.judging.answers import announce, call, compare, compare_answer, compare_inputs, tensors_of
from interviewer.sandbox.judging.caller import Caller, Wrong, announced, which
from interviewer.sandbox.judging.exam import JudgeFault
from interviewer.sandbox.judging.solving import Solved, answer_to


def layout(solved: Solved, caller: Caller) -> None:
    """The memory is fetched as it lies there and read with the reference's strides: claiming them is not enough."""
    caller.begin(solved)
    reply = announce(solved, caller)
    specs = announced(solved.answers[0], reply, caller.slot.device)
    right = solved.answers[0]
    for at, (expected, result) in enumerate(zip(right.results, reply.results or (), strict=True)):
        if problem := wrong_strides(expected.shape, expected.stride(), result.stride):
            raise Wrong(which(right, at) + problem)
    lying: list[Spec] = [
        {"dtype": spec["dtype"], "shape": [_extent(expected)]}
        for spec, expected in zip(specs, right.results, strict=True)
    ]
    data = caller.fetch({"memory": lying, "inputs": solved.calls[0].specs}, elements=[s["shape"][0] for s in lying])
    flat = split(lying, data["memory"])
    pairs = zip(flat, right.results, strict=True)
    compare(solved, right, [memory.as_strided(expected.shape, expected.stride()) for memory, expected in pairs])
    compare_inputs(solved, data["inputs"])


def view(solved: Solved, caller: Caller) -> None:
    """The first tensor argument is overwritten after the call, and the result must follow it."""
    caller.begin(solved)
    answer = call(solved, caller)
    compare_answer(solved, answer)
    step = solved.case.steps[0]
    if not step.tensors:
        raise JudgeFault(f"its check {solved.case.check.name!r} has a case without a tensor")
    name, first = tensors_of(solved)[0]
    new = _other(first, solved.case.exam.generator)
    right = answer_to(solved, tuple(new if arg is first else arg for arg in step.args))
    if [r.shape for r in right.results] != [r.shape for r in solved.answers[0].results]:
        raise JudgeFault(f"its check {solved.case.check.name!r} has a reference whose shapes depend on values")
    caller.poke(0, new)
    got = split(answer.specs, caller.fetch({"results": answer.specs})["results"])
    try:
        compare(solved, right, got)
    except Wrong as wrong:
        raise Wrong(
            f"the result doesn't share its memory with {name}: after {name} was overwritten, {wrong}"
        ) from wrong


def _extent(tensor: torch.Tensor) -> int:
    """How many elements lie between the first and the last of it, both included."""
    if not tensor.numel():
        return 0
    return 1 + sum((length - 1) * stride for length, stride in zip(tensor.shape, tensor.stride(), strict=True))


def _other(tensor: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    """Other values of the same form, none of them what it was."""
    if tensor.dtype is torch.bool:
        return ~tensor
    if not tensor.is_floating_point():
        return tensor + 1
    return -(tensor.nan_to_num() + 1 + torch.rand(tensor.shape, generator=generator)).to(tensor.dtype)
