from __future__ import annotations

import pytest

from interviewer.models import Outcome
from interviewer.sandbox import Sandbox

from .small import Kind, check, failed, task

pytestmark = pytest.mark.sandbox

CUBE = task(
    "cube",
    """
import torch

def cases(g):
    for n in (3, 3, 5):
        yield "gradcheck", (torch.randn(n, generator=g, dtype=torch.float64), torch.randn(2, generator=g))

def reference(x, y):
    return x**3 * y.sum()
""",
    check(Kind.GRADCHECK),
)

CODE = """
import torch

class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        assert x.dtype is torch.float64
        ctx.save_for_backward(x, y)
        return x**3 * y.sum()

    @staticmethod
    def backward(ctx, grad):
        x, y = ctx.saved_tensors
        return 3 * x**2 * y.sum() * grad, (x**3 * grad).sum().expand(2)

def cube(x, y):
    return Cube.apply(x, y)
"""

MODULE = task(
    "Power",
    """
import torch
from torch import nn

def cases(g):
    for _ in range(2):
        yield "gradcheck", (), (torch.randn(4, generator=g, dtype=torch.float64),)

class reference(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(4))

    def forward(self, x):
        return (x * self.weight).sin()
""",
    check(Kind.GRADCHECK),
)


def test_a_backward_that_belongs_to_its_forward_passes(sandbox: Sandbox) -> None:
    assert sandbox.judge(CUBE, CODE).outcome is Outcome.PASSED


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("3 * x**2", "2 * x**2", "its backward doesn't belong to its forward"),
        ("(x**3 * grad).sum().expand(2)", "None", "its backward doesn't belong to its forward"),
        ("y.sum() * grad,", "y.sum() * grad * torch.nan,", "its backward doesn't belong to its forward"),
        ("return x**3 *", "return 1.001 * x**3 *", "values are off"),
        ("return x**3 *", "return x.float()**3 *", "expected the dtype float64, got float32"),
        ("3 * x**2 * y.sum() * grad,", "(3 * x**2 * y.sum() * grad)[:2],", "returned an invalid gradient"),
    ],
)
def test_what_is_wrong_with_a_backward_is_said(sandbox: Sandbox, old: str, new: str, words: str) -> None:
    assert old in CODE
    assert words in failed(sandbox.judge(CUBE, CODE.replace(old, new)))["gradcheck"]


def test_parameters_are_checked_as_well(sandbox: Sandbox) -> None:
    code = """
import torch
from torch import nn

class Power(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(4))

    def forward(self, x):
        weight = self.weight
        return (x * weight).sin()
"""
    assert sandbox.judge(MODULE, code).outcome is Outcome.PASSED
    wrong = code.replace("weight = self.weight", "weight = self.weight + (self.weight - self.weight.detach())")
    assert "doesn't belong" in failed(sandbox.judge(MODULE, wrong))["gradcheck"]
