"""Cases and right answers, without a sandbox."""

from __future__ import annotations

import pytest
import torch

from interviewer.models import CheckKind, Requirement
from interviewer.sandbox.judging.exam import Exam, JudgeFault
from interviewer.sandbox.judging.solving import Solved, solve

from .small import Kind, check, task

MODULE = """
import torch
from torch import nn

def cases(g):
    yield "state", (2,), (torch.randn(3, 2, generator=g),)

class reference(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(n, n))
        self.norm = nn.BatchNorm1d(n)
        self.register_buffer("mask", torch.ones(n, dtype=torch.bool))

    def forward(self, x):
        return self.norm(x @ self.weight)
"""


def only(judge: str, kind: CheckKind = Kind.VALUES, **limits: object) -> Solved:
    requirement = Requirement(name="it", kind=kind, **limits)  # type: ignore[arg-type]
    [case] = Exam(task("f", judge, requirement)).draw("it")
    return solve(case)


def of(args: str, reference: str = "x") -> str:
    return f"import torch\ndef cases(g):\n    yield 'it', {args}\ndef reference(x, *rest):\n    return {reference}"


def test_every_draw_has_new_numbers_and_the_checks_come_in_their_order() -> None:
    judge = "import torch\ndef cases(g):\n    for _ in range(2):\n        for name in 'ba':\n"
    judge += "            yield name, (torch.randn(3, generator=g),)\ndef reference(x): return x"
    exam = Exam(task("f", judge, Requirement(name="a"), Requirement(name="b")))
    drawn = exam.draw("b", "a") + exam.draw("a", "b") + Exam(exam.task).draw("a", "b")
    assert [case.check.name for case in drawn] == ["a", "a", "b", "b"] * 3
    assert len({tuple(case.steps[0].tensors[0].tolist()) for case in drawn}) == len(drawn)


def test_what_a_case_yields_later_does_not_change_what_it_yielded_before() -> None:
    judge = "import torch\ndef cases(g):\n    x = torch.zeros(2)\n    for _ in range(2):\n        yield 'it', (x,)\n"
    cases = Exam(task("f", judge + "        x += 1\ndef reference(x): return x", Requirement(name="it"))).draw("it")
    assert [case.steps[0].tensors[0].tolist() for case in cases] == [[0, 0], [1, 1]]


@pytest.mark.parametrize(
    ("kind", "given", "sent"),
    [
        (Kind.VALUES, "float64", torch.float32),
        (Kind.VALUES, "float16", torch.float16),
        (Kind.GRADCHECK, "float64", torch.float64),
        (Kind.GRADCHECK, "float32", torch.float64),
        (Kind.VALUES, "int32", torch.int32),
    ],
)
def test_the_submission_gets_the_dtype_that_its_check_wants(kind: CheckKind, given: str, sent: torch.dtype) -> None:
    reference = "x * 2.0" if kind is Kind.VALUES else "x * rest[0].sum()"
    solved = only(of(f"(torch.ones(2, dtype=torch.{given}), torch.ones(1))", reference), kind)
    assert solved.case.steps[0].tensors[0].dtype is sent
    assert solved.answers[0].results[0].dtype in (torch.float64, torch.float32)


@pytest.mark.parametrize(
    ("args", "reference", "dtype"),
    [
        ("(torch.ones(2),)", "x * 2", torch.float32),
        ("(torch.ones(2).bfloat16(), torch.ones(2))", "x * 2", torch.bfloat16),
        ("(torch.ones(2),)", "x.bfloat16()", torch.bfloat16),
        ("(torch.arange(2),)", "x / 2.0", torch.float32),
        ("(torch.ones(2),)", "x.long()", torch.int64),
    ],
)
def test_a_result_in_float64_stands_for_the_dtype_of_the_arguments(
    args: str, reference: str, dtype: torch.dtype
) -> None:
    assert only(of(args, reference)).answers[0].dtypes == (dtype,)


def test_arguments_keep_their_strides_on_both_sides() -> None:
    solved = only(of("(torch.arange(24.0, dtype=torch.float64).view(4, 6).t()[::2],)", "torch.tensor(x.stride())"))
    assert solved.case.steps[0].tensors[0].stride() == (2, 6)
    assert solved.answers[0].results[0].tolist() == [2, 6]


def test_a_random_state_keeps_what_is_positive_positive_and_leaves_no_entry_as_it_was() -> None:
    solved = solve(Exam(task("f", MODULE, check(Kind.STATE))).draw("state")[0])
    state, after = solved.state, solved.after
    assert state is not None and after is not None
    assert list(state) == ["weight", "mask", "norm.weight", "norm.bias"] + [
        f"norm.{name}" for name in ("running_mean", "running_var", "num_batches_tracked")
    ]
    assert (state["norm.running_var"] > 0).all() and (state["norm.running_mean"] > 0).all()
    assert {name: value.dtype for name, value in state.items()}["weight"] is torch.float32
    new = torch.nn.BatchNorm1d(2).state_dict()
    assert not any(torch.equal(state[f"norm.{name}"], new[name]) for name in ("weight", "bias", "running_var"))
    assert after["norm.num_batches_tracked"] == 1 and state["norm.num_batches_tracked"] == 0


@pytest.mark.parametrize(
    ("judge", "kind", "words"),
    [
        (of("(torch.ones(2),)"), Kind.STATE, "is for a module, but its reference is none"),
        (MODULE.replace('"state", (2,)', '"it", (2,)').replace("(torch.randn", "[('test', (torch.randn").replace("g),)", "g),))]"), Kind.MODES, "needs calls in the modes train and eval"),
        (of("(torch.ones(2),)", "x.detach()"), Kind.GRADIENT, "without anything to take a gradient of"),
        (of("(torch.ones(2).to(torch.complex64),)"), Kind.VALUES, "cannot be sent"),
        (of("(torch.ones(2),)", "'text'"), Kind.VALUES, "other than tensors"),
        (of("(torch.ones(2),)", "1 / 0"), Kind.VALUES, "its reference failed with ZeroDivisionError"),
        ("import torch\ndef cases(g):\n    yield 'it', (torch.ones(1),)", Kind.VALUES, "has no reference"),
    ],
)  # fmt: skip
def test_a_judge_that_cannot_judge_is_named(judge: str, kind: CheckKind, words: str) -> None:
    with pytest.raises(JudgeFault, match=words):
        only(judge, kind)
