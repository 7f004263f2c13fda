"""The checks of what one call gives: its values, its gradients, what it leaves in its arguments."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import torch

from interviewer.sandbox.compare import wrong_values
from interviewer.sandbox.inside.tensors import split
from interviewer.sandbox.judging.answers import announce, call, compare, compare_answer, tensors_of
from interviewer.sandbox.judging.caller import Answer, Caller, Wrong
from interviewer.sandbox.judging.solving import Solved

Rest = Callable[[], None]  # what is left to be compared and needs the slot no more


def values(solved: Solved, caller: Caller) -> Rest:
    caller.begin(solved)
    return partial(compare_answer, solved, call(solved, caller))


def gradient(solved: Solved, caller: Caller) -> Rest:
    assert solved.gradients
    caller.begin(solved)
    answer = call(solved, caller, gradient=True)
    return partial(_compare_gradients, solved, answer, caller.fetch_gradients(solved))


def _compare_gradients(solved: Solved, answer: Answer, got: list[torch.Tensor]) -> None:
    assert solved.gradients
    compare_answer(solved, answer)
    for name, expected, tensor in zip(solved.gradients.names, solved.gradients.right, got, strict=True):
        if problem := wrong_values(expected, tensor, solved.tolerance):
            raise Wrong(f"the gradient of {name}: {problem}")


def in_place(solved: Solved, caller: Caller) -> None:
    caller.begin(solved)
    right, inputs = solved.answers[0], solved.calls[0].specs
    if right.results:
        answer = call(solved, caller)
    else:  # then the submission may return whatever it likes
        announce(solved, caller)
        answer = Answer([], b"", caller.fetch({"inputs": inputs})["inputs"])
    names = [name for name, _ in tensors_of(solved)]
    for name, expected, now in zip(names, right.after, split(inputs, answer.inputs), strict=True):
        if problem := wrong_values(expected, now, solved.tolerance):
            raise Wrong(f"{name} after the call: {problem}")
    compare(solved, right, answer.tensors())
