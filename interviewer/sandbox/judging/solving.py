"""What is right for a case: the reference run in float64, on copies of the arguments and from a state of its own.

Also what goes to the submission: arguments and state as bytes. All of it is made before the submission is asked, so
that it can be done while the sandbox is busy with something else.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import torch

from interviewer.models import CheckKind
from interviewer.sandbox.compare import Tolerance, expected_dtype
from interviewer.sandbox.inside.tensors import Spec, dtype_name, spec_of, to_bytes
from interviewer.sandbox.judging.exam import Args, Case, JudgeFault, Step, copy_of, our_code

State = dict[str, torch.Tensor]
_WITH_GRADIENTS = (CheckKind.GRADIENT, CheckKind.GRADCHECK)
_NOISE = 0.3


@dataclass(frozen=True)
class Packed:
    """Arguments, or tensors, as they go over the wire."""

    args: list[dict[str, Any]]
    body: bytes

    @property
    def specs(self) -> list[Spec]:
        return [arg["tensor"] for arg in self.args if "tensor" in arg]


@dataclass(frozen=True)
class Right:
    """The answer to one call: ``results`` with the dtypes that they must have, and the arguments after it."""

    results: tuple[torch.Tensor, ...]
    dtypes: tuple[torch.dtype, ...]
    several: bool
    after: tuple[torch.Tensor, ...]


@dataclass(frozen=True)
class Gradients:
    """``upstream`` belongs to the results at ``of``; ``right`` to the floating-point inputs, then to ``parameters``."""

    of: list[int]
    upstream: list[torch.Tensor]
    names: list[str]
    right: list[torch.Tensor]
    parameters: list[str]


@dataclass(frozen=True)
class Solved:
    """``state``: what a module is given before the first call; ``after``: what it has after the last."""

    case: Case
    init: Packed
    calls: tuple[Packed, ...]
    answers: tuple[Right, ...]
    state: State | None = None
    after: State | None = None
    gradients: Gradients | None = None

    @property
    def tolerance(self) -> Tolerance:
        return self.case.exam.task.tolerance


def solve(case: Case) -> Solved:
    """Raises JudgeFault."""
    init, calls = pack(case.init), tuple(pack(step.args) for step in case.steps)
    if case.exam.reference is None:
        if case.check.kind is CheckKind.PROPERTY:
            return Solved(case, init, calls, ())
        raise JudgeFault("its judge has no reference")
    with our_code("reference"):
        if not case.exam.is_module:
            answers, gradients = _answer(case, case.exam.reference)
            return Solved(case, init, calls, answers, gradients=gradients)
        module, state = _module(case)
        answers, gradients = _answer(case, module)
        after = {name: value.detach().clone() for name, value in module.state_dict().items()}
        return Solved(case, init, calls, answers, state, after, gradients)


def answer_to(solved: Solved, args: Args) -> Right:
    """What the reference makes of other arguments than those of the case. Raises JudgeFault."""
    case = solved.case
    with our_code("reference"):
        called = case.exam.reference
        if case.exam.is_module:
            called, _ = _module(case, solved.state)
            called.train(case.steps[0].mode == "train")
        return _call(called, args, _exact(args))


def pack(args: Args) -> Packed:
    parts = [{"tensor": spec_of(arg)} if isinstance(arg, torch.Tensor) else {"value": arg} for arg in args]
    return Packed(parts, b"".join(to_bytes(arg) for arg in args if isinstance(arg, torch.Tensor)))


def _answer(case: Case, called: Any) -> tuple[tuple[Right, ...], Gradients | None]:
    if case.check.kind in _WITH_GRADIENTS:
        (step,) = case.steps
        _set_mode(called, step)
        exact = [arg.requires_grad_() if _smooth(arg) else arg for arg in _exact(step.args)]
        right = _call(called, step.args, exact)
        return (_detached(right),), _gradients(case, called, right, exact)
    answers = []
    for step in case.steps:
        _set_mode(called, step)
        answers.append(_detached(_call(called, step.args, _exact(step.args))))
    return tuple(answers), None


def _call(called: Any, args: Args, exact: list[Any]) -> Right:
    returned = called(*exact)
    several = isinstance(returned, tuple | list)
    results = tuple(returned) if several else () if returned is None else (returned,)
    if not all(isinstance(result, torch.Tensor) for result in results):
        raise JudgeFault("its reference returned something other than tensors")
    after = tuple(arg.detach() for arg in exact if isinstance(arg, torch.Tensor))
    return Right(results, tuple(expected_dtype(result, args) for result in results), several, after)


def _gradients(case: Case, called: Any, right: Right, exact: list[Any]) -> Gradients:
    of = [at for at, result in enumerate(right.results) if result.requires_grad]
    upstream = [torch.randn(right.results[at].shape, generator=case.exam.generator).to(right.dtypes[at]) for at in of]
    names = [name for name, arg in zip(case.exam.names_of(case.steps[0].args), exact, strict=True) if _smooth(arg)]
    leaves = [arg for arg in exact if _smooth(arg)]
    parameters: dict[str, torch.Tensor] = {}
    if case.exam.is_module:
        parameters = {name: value for name, value in called.named_parameters() if value.requires_grad}
    leaves += parameters.values()
    if not of or not leaves:
        raise JudgeFault(f"its check {case.check.name!r} has a case without anything to take a gradient of")
    found = torch.autograd.grad(
        [right.results[at] for at in of], leaves, [up.double() for up in upstream], allow_unused=True
    )
    pairs = zip(found, leaves, strict=True)
    exactly = [torch.zeros_like(leaf) if grad is None else grad.to_dense() for grad, leaf in pairs]
    return Gradients(of, upstream, names + list(parameters), exactly, list(parameters))


def _module(case: Case, state: State | None = None) -> tuple[torch.nn.Module, State]:
    """The reference's object in float64 with ``state``, or one drawn here: and that state, in the dtypes to be sent."""
    init = [copy_of(arg, arg.dtype) if isinstance(arg, torch.Tensor) else arg for arg in case.init]
    module = case.exam.reference(*init)
    forms = {name: value.dtype for name, value in module.state_dict().items()}
    if case.check.kind is CheckKind.GRADCHECK:
        forms = {name: torch.float64 if dtype.is_floating_point else dtype for name, dtype in forms.items()}
    module.double()
    if state is None:
        drawn = _disturbed(module, case.exam.generator)
        state = {name: value.to(forms[name]) for name, value in drawn.items()}
    module.load_state_dict(state)
    sent = {name: value.detach().to(forms[name], copy=True) for name, value in module.state_dict().items()}
    return module, sent


def _disturbed(module: torch.nn.Module, generator: torch.Generator) -> State:
    """Another state of the same kind: what is positive in a buffer stays so, zeros in a buffer become positive."""
    parameters = {name for name, _ in module.named_parameters(remove_duplicate=False)}
    state: State = {}
    for name, value in module.state_dict().items():
        noise = torch.randn if name in parameters else torch.rand
        drawn = noise(value.shape, generator=generator, dtype=torch.float64)
        if not value.is_floating_point():
            state[name] = value
        elif name in parameters:
            state[name] = value + drawn * (_NOISE if value.dim() < 2 else math.prod(value.shape[1:]) ** -0.5)
        else:
            state[name] = value * (0.5 + drawn) if value.any() else drawn
    return state


def _exact(args: Args) -> list[Any]:
    """Copies for the reference, in float64 where they are floating-point."""
    return [
        copy_of(arg, torch.float64 if arg.is_floating_point() else arg.dtype) if isinstance(arg, torch.Tensor) else arg
        for arg in args
    ]


def _smooth(arg: Any) -> bool:
    return isinstance(arg, torch.Tensor) and arg.is_floating_point()


def _set_mode(called: Any, step: Step) -> None:
    if step.mode:
        called.train(step.mode == "train")


def _detached(right: Right) -> Right:
    return Right(tuple(result.detach() for result in right.results), right.dtypes, right.several, right.after)


def form_of(state: State) -> dict[str, tuple[str, list[int]]]:
    """The dtype and the shape of each entry."""
    return {name: (dtype_name(value.dtype), list(value.shape)) for name, value in state.items()}
