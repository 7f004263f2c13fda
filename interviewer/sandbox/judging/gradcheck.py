"""The check of a backward that was written by hand: it has to belong to its own forward."""

from __future__ import annotations

import torch

from interviewer.sandbox.compare import tolerance_for
from interviewer.sandbox.judging.answers import call, compare_answer
from interviewer.sandbox.judging.caller import Caller, Wrong
from interviewer.sandbox.judging.solving import Solved, pack

_DIRECTIONS = 2
_STEP = 1e-6
_TOLERANCE = 1e-6


def gradcheck(solved: Solved, caller: Caller) -> None:
    """The submission's backward against central differences of its own forward, both seen from here."""
    assert solved.gradients
    caller.begin(solved)
    compare_answer(solved, call(solved, caller, gradient=True))
    slopes = caller.fetch_gradients(solved)
    inputs = [arg for arg in solved.case.steps[0].tensors if arg.is_floating_point()]
    points = inputs + [(solved.state or {})[name] for name in solved.gradients.parameters]
    for _ in range(_DIRECTIONS):
        ways = [torch.randn(point.shape, generator=solved.case.exam.generator, dtype=point.dtype) for point in points]
        ahead, behind = (
            _weighed(solved, caller, [point + sign * _STEP * way for point, way in zip(points, ways, strict=True)])
            for sign in (1, -1)
        )
        numeric = (ahead - behind) / (2 * _STEP)
        claimed = sum(float((slope * way).sum()) for slope, way in zip(slopes, ways, strict=True))
        limit = max(_TOLERANCE, tolerance_for(torch.float64, solved.tolerance))
        if not abs(numeric - claimed) <= limit * (1 + abs(numeric) + abs(claimed)):
            raise Wrong(
                "its backward doesn't belong to its forward: along a random direction the gradient says "
                f"{claimed:.6g}, while small steps of the input change the result by {numeric:.6g}"
            )


def _weighed(solved: Solved, caller: Caller, points: list[torch.Tensor]) -> float:
    """The sum of the results, weighed with the upstream gradient, at these inputs and parameters."""
    assert solved.gradients
    remaining = iter(points)
    args = solved.case.steps[0].args
    moved = [next(remaining) if isinstance(a, torch.Tensor) and a.is_floating_point() else a for a in args]
    if solved.state is not None:
        caller.load({**solved.state, **dict(zip(solved.gradients.parameters, remaining, strict=True))})
    mode = solved.case.steps[0].mode
    got = caller.answer(solved.answers[0], pack(tuple(moved)), mode=mode, inputs=False).tensors()
    pairs = zip(solved.gradients.of, solved.gradients.upstream, strict=True)
    return sum(float((got[at] * up).sum()) for at, up in pairs)
