"""One answer held against what is right: what several kinds of checks share. Raises Wrong."""

from __future__ import annotations

import math
from typing import Any

import torch

from interviewer.sandbox.compare import wrong_values
from interviewer.sandbox.inside.tensors import DTYPES, Spec, size_of
from interviewer.sandbox.judging.caller import Answer, Caller, Wrong, which
from interviewer.sandbox.judging.solving import Right, Solved
from interviewer.sandbox.reply import Reply

_MOST_BYTES = 64 << 20  # of results whose form nothing prescribes


def call(solved: Solved, caller: Caller, at: int = 0, **how: Any) -> Answer:
    """Its call number ``at``; ``how``: see ``Caller.answer``."""
    return caller.answer(solved.answers[at], solved.calls[at], mode=solved.case.steps[at].mode, **how)


def announce(solved: Solved, caller: Caller, seed: int | None = None) -> Reply:
    return caller.announce(solved.calls[0], mode=solved.case.steps[0].mode, seed=seed)


def compare_answer(solved: Solved, answer: Answer, at: int = 0) -> None:
    """The values of the results, and that the arguments are what they were."""
    compare(solved, solved.answers[at], answer.tensors())
    compare_inputs(solved, answer.inputs, at)


def compare(solved: Solved, right: Right, got: list[torch.Tensor]) -> None:
    """The values of results whose form is right."""
    for at, (expected, result) in enumerate(zip(right.results, got, strict=True)):
        if problem := wrong_values(expected, result, solved.tolerance):
            raise Wrong(which(right, at) + problem)


def compare_inputs(solved: Solved, data: bytes, at: int = 0) -> None:
    sent, start = solved.calls[at], 0
    if data == sent.body:
        return
    for (name, _), spec in zip(tensors_of(solved, at), sent.specs, strict=True):
        end = start + size_of(spec)
        if data[start:end] != sent.body[start:end]:
            raise Wrong(f"it changed its input {name}, which must stay as it was")
        start = end


def tensors_of(solved: Solved, at: int = 0) -> list[tuple[str, torch.Tensor]]:
    args = solved.case.steps[at].args
    pairs = zip(solved.case.exam.names_of(args), args, strict=True)
    return [(name, arg) for name, arg in pairs if isinstance(arg, torch.Tensor)]


def any_form(reply: Reply) -> list[Spec]:
    """Whatever was announced, as long as it is not too much."""
    specs: list[Spec] = [{"dtype": result.dtype, "shape": result.shape} for result in reply.results or ()]
    if unknown := [spec["dtype"] for spec in specs if spec["dtype"] not in DTYPES]:
        raise Wrong(f"it returned a tensor of {unknown[0]}")
    if sum(math.prod(max(1, length) for length in spec["shape"]) * 8 for spec in specs) > _MOST_BYTES:
        raise Wrong(f"it returned more than {_MOST_BYTES >> 20} MiB")
    return specs
