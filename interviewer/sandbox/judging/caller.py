"""Calls a submission in its slot and takes what it returns, as bytes of a size that is known beforehand.

Promises that nothing is read whose size was not known first, and that nothing is made of it whose form was not checked.
Does not look at values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import torch

from interviewer.models import Outcome
from interviewer.sandbox.compare import wrong_form
from interviewer.sandbox.inside.tensors import DTYPES, Spec, dtype_name, size_of, spec_of, split, to_bytes
from interviewer.sandbox.judging.exam import Case
from interviewer.sandbox.judging.solving import Packed, Right, Solved, State, form_of
from interviewer.sandbox.reply import Reply, ResultSpec, StateSpec
from interviewer.sandbox.slot import Ended, Slot

Wanted = Mapping[str, Sequence[Spec]]


class Wrong(Exception):
    """What is wrong with the submission, as a person can read it."""


@dataclass(frozen=True)
class Answer:
    """What came back. ``inputs``: as they were after the call."""

    specs: list[Spec]
    results: bytes
    inputs: bytes

    def tensors(self) -> list[torch.Tensor]:
        return split(self.specs, self.results)


@contextmanager
def telling(case: Case) -> Iterator[None]:
    """Says of what is wrong with which arguments it was."""
    try:
        yield
    except Wrong as wrong:
        raise Wrong(f"{case.described()}: {wrong}.") from wrong


class Caller:
    """``ours``: the code in the slot is the task's solution. ``meanwhile`` is done while a request is worked on."""

    def __init__(self, slot: Slot, *, ours: bool = False, meanwhile: Callable[[], None] = lambda: None):
        self.slot = slot
        self.ours = ours
        self._meanwhile = meanwhile

    def begin(self, solved: Solved) -> None:
        """For a module: a new object, in the state that the reference's has. Raises Wrong."""
        if solved.state is None:
            return
        self.make(solved)
        try:
            self.load(solved.state)
        except Wrong:
            self._announced_state(solved.state)  # can say it from the candidate's side
            raise

    def make(self, solved: Solved) -> None:
        """A new object, as its constructor leaves it. Raises Wrong."""
        double = torch.float64 in {value.dtype for value in (solved.state or {}).values()}
        self._ask("make", solved.init.body, args=solved.init.args, double=double)

    def load(self, state: State) -> None:
        values = list(state.values())
        body = b"".join(to_bytes(value) for value in values)
        self._ask("load", body, names=list(state), specs=[spec_of(value) for value in values])

    def give(self, packed: Packed) -> None:
        """Arguments for a ``call`` without any, which then needs no more memory than the call itself."""
        self._ask("give", packed.body, args=packed.args, gradient=False)
        self._ask("settle")

    def announce(self, packed: Packed, *, mode: str | None = None, seed: int | None = None) -> Reply:
        """Calls the submission, and says what it returned; ``fetch`` takes it. Raises Wrong where the code raised."""
        return self._ask("call", packed.body, args=packed.args, gradient=False, mode=mode, seed=seed)[0]

    def answer(
        self,
        right: Right,
        packed: Packed | None,
        *,
        mode: str | None = None,
        seed: int | None = None,
        gradient: bool = False,
        inputs: bool = True,
    ) -> Answer:
        """Calls the submission, with ``packed`` or what was given, and takes what it returned, which has the right form.

        ``inputs``: take those as well, as they are after the call. Raises Wrong.
        """
        expected = [(dtype.itemsize, result.numel()) for result, dtype in zip(right.results, right.dtypes, strict=True)]
        size = sum(each * number for each, number in expected) + (len(packed.body) if packed and inputs else 0)
        header: dict[str, Any] = {"args": packed.args, "gradient": gradient} if packed else {}
        self.slot.post(
            "call", packed.body if packed else b"", mode=mode, seed=seed, bytes=size, inputs=inputs, **header
        )
        self._meanwhile()
        reply, data = self.slot.answer(answer_bytes=size)
        if reply.failure and reply.results is None:
            raise Wrong(str(reply.failure))
        specs = announced(right, reply, self.slot.device)
        if reply.failure:  # of the right form and yet of another size: an integer dtype that will do
            wanted = {"results": specs, "inputs": packed.specs if packed and inputs else []}
            parts = self.fetch(wanted)
            return Answer(specs, parts["results"], parts["inputs"])
        end = sum(size_of(spec) for spec in specs)
        if end != sum(each * number for each, number in expected):  # an announcement that its own bytes contradict
            raise Ended(Outcome.VIOLATION, "The program announced a result in another form than it then handed over.")
        return Answer(specs, data[:end], data[end:])

    def fetch(self, wanted: Wanted, body: bytes = b"", **header: Any) -> dict[str, bytes]:
        """The bytes of each part that is wanted; their forms must have been checked. Raises Wrong."""
        sizes = {name: sum(size_of(spec) for spec in specs) for name, specs in wanted.items()}
        _, data = self._ask("fetch", body, answer_bytes=sum(sizes.values()), wanted=list(wanted), **header)
        ends = list(accumulate(sizes.values()))
        return {name: data[end - size : end] for (name, size), end in zip(sizes.items(), ends, strict=True)}

    def fetch_gradients(self, solved: Solved) -> list[torch.Tensor]:
        """For the judge's upstream gradient, after an ``answer`` with ``gradient``. Raises Wrong."""
        assert solved.gradients
        gradients, leaves = solved.gradients, _leaves(solved)
        header = {
            "of": gradients.of,
            "upstream": [spec_of(up) for up in gradients.upstream],
            "parameters": gradients.parameters,
        }
        body = b"".join(to_bytes(up) for up in gradients.upstream)
        try:
            return split(leaves, self.fetch({"gradients": leaves}, body, **header)["gradients"])
        except Wrong as wrong:
            raise Wrong(f"its gradient cannot be taken: {wrong}") from wrong

    def fetch_state(self, expected: State) -> State:
        """Raises Wrong where keys, shapes or dtypes are others."""
        entries = self._announced_state(expected)
        specs: list[Spec] = [{"dtype": entry.dtype, "shape": entry.shape} for entry in entries]
        tensors = split(specs, self.fetch({"state": specs})["state"])
        return {entry.name: tensor for entry, tensor in zip(entries, tensors, strict=True)}

    def _announced_state(self, expected: State) -> list[StateSpec]:
        entries = self._ask("state")[0].state or []
        announced = {entry.name: (entry.dtype, entry.shape) for entry in entries}
        forms = form_of(expected)
        for name in [*forms, *announced]:
            if name not in announced:
                raise Wrong(f"its state_dict() has no {name!r}; it has {', '.join(announced) or 'nothing'}")
            if name not in forms:
                raise Wrong(f"its state_dict() has {name!r}, which doesn't belong there")
            if announced[name] != forms[name]:
                raise Wrong(f"{name!r} in its state_dict() is {_form(*announced[name])}, not {_form(*forms[name])}")
        return entries

    def poke(self, at: int, tensor: torch.Tensor) -> None:
        """Overwrites a tensor argument of the last call in its place."""
        self._ask("poke", to_bytes(tensor), at=at, tensor=spec_of(tensor))

    def _ask(self, op: str, body: bytes = b"", *, answer_bytes: int = 0, **header: Any) -> tuple[Reply, bytes]:
        self.slot.post(op, body, **header)
        self._meanwhile()
        reply, data = self.slot.answer(answer_bytes=answer_bytes)
        if reply.failure:
            raise Wrong(str(reply.failure))
        return reply, data


def announced(right: Right, reply: Reply, device: str) -> list[Spec]:
    """The specs of the results, once their form is what it must be. Raises Wrong."""
    results = reply.results or []
    several = bool(reply.several)
    if len(results) != len(right.results) or several != right.several:
        raise Wrong(f"expected {_count(right.several, len(right.results))}, got {_count(several, len(results))}")
    for at, (expected, dtype, result) in enumerate(zip(right.results, right.dtypes, results, strict=True)):
        if problem := wrong_form(expected.shape, dtype, result.dtype, result.shape) or _elsewhere(result, device):
            raise Wrong(which(right, at) + problem)
    return [{"dtype": result.dtype, "shape": result.shape} for result in results]


def which(right: Right, at: int) -> str:
    """How a sentence on the result number ``at`` begins."""
    return f"result {at + 1}: " if right.several else ""


def _elsewhere(result: ResultSpec, device: str) -> str:
    return "" if result.device == device else f"expected it on the device {device}, got it on {result.device}"


def _count(several: bool, number: int) -> str:
    if several:
        return f"a tuple of {number}"
    return "one tensor" if number else "None"


def _form(dtype: str, shape: Sequence[int]) -> str:
    return f"{dtype} [{', '.join(str(length) for length in shape)}]"


def _leaves(solved: Solved) -> list[Spec]:
    """The forms of the gradients: of the floating-point inputs, then of the parameters."""
    assert solved.gradients
    inputs = [spec for spec in solved.calls[0].specs if DTYPES[spec["dtype"]].is_floating_point]
    state = solved.state or {}
    named = [(state[name].dtype, state[name].shape) for name in solved.gradients.parameters]
    plain = [{"dtype": spec["dtype"], "shape": spec["shape"]} for spec in inputs]
    return plain + [{"dtype": dtype_name(dtype), "shape": list(shape)} for dtype, shape in named]
