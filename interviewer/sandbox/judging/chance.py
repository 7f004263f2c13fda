"""The checks of functions that draw random numbers, which no single value can decide."""

from __future__ import annotations

import secrets

import torch

from interviewer.sandbox.judging.answers import announce, any_form, call, compare_inputs
from interviewer.sandbox.judging.caller import Answer, Caller, Wrong
from interviewer.sandbox.judging.exam import JudgeFault, copy_of, our_code
from interviewer.sandbox.judging.solving import Solved

_SEEDS = 2**31


def determinism(solved: Solved, caller: Caller) -> None:
    seed, *others = (secrets.randbelow(_SEEDS) for _ in range(4))
    first = _bytes_for_seed(solved, caller, seed)
    if all(_bytes_for_seed(solved, caller, other) == first for other in others):
        raise Wrong("another seed gave the same values")
    if _bytes_for_seed(solved, caller, seed) != first:
        raise Wrong("the same seed gave other values at the second time")


def property_(solved: Solved, caller: Caller) -> None:
    """The judge block's own ``verify`` decides."""
    case = solved.case
    if not case.exam.verify:
        raise JudgeFault("its judge has no verify")
    caller.begin(solved)
    seed = secrets.randbelow(_SEEDS)
    if solved.answers:
        answer = call(solved, caller, seed=seed)
    else:
        specs = any_form(announce(solved, caller, seed=seed))
        parts = caller.fetch({"results": specs, "inputs": solved.calls[0].specs})
        answer = Answer(specs, parts["results"], parts["inputs"])
    compare_inputs(solved, answer.inputs)
    args = [copy_of(arg, arg.dtype) if isinstance(arg, torch.Tensor) else arg for arg in case.steps[0].args]
    try:
        with our_code("verify"):
            problem = case.exam.verify(case.check.name, tuple(args), tuple(answer.tensors()))
    except JudgeFault as fault:
        if solved.answers:  # its form had been checked
            raise
        raise Wrong("what it returned can't be examined: it has another form than was asked for") from fault
    if not isinstance(problem, str):
        raise JudgeFault("its verify returned something other than text")
    if problem:
        raise Wrong(problem)


def _bytes_for_seed(solved: Solved, caller: Caller, seed: int) -> bytes:
    caller.begin(solved)
    answer = call(solved, caller, seed=seed)
    compare_inputs(solved, answer.inputs)
    return answer.results
