"""What one call gives: values, gradients of arguments and parameters, changes of the arguments."""

from __future__ import annotations

import pytest

from interviewer.models import Outcome
from interviewer.sandbox import Sandbox

from .small import Kind, check, failed, task

pytestmark = pytest.mark.sandbox

LINEAR = task(
    "Scaled",
    """
import torch
from torch import nn

def cases(g):
    for _ in range(2):
        yield "values", (3, 2.0), (torch.randn(4, 3, generator=g),)
        yield "gradient", (3, 0.5), (torch.randn(2, 3, generator=g),)

class reference(nn.Module):
    def __init__(self, features, scale):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(features))
        self.bias = nn.Parameter(torch.zeros(features))
        self.scale = scale

    def forward(self, x):
        return self.scale * x * self.weight.exp() + self.bias
""",
    check(Kind.VALUES),
    check(Kind.GRADIENT),
)

SCALED = """
import torch
from torch import nn

class Scaled(nn.Module):
    def __init__(self, features, scale):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(features))
        self.bias = nn.Parameter(torch.zeros(features))
        self.scale = scale

    def forward(self, x):
        return torch.exp(self.weight) * self.scale * x + self.bias
"""

ADD_ = task(
    "add_",
    """
import torch

def cases(g):
    for _ in range(2):
        yield "in_place", (torch.randn(2, 3, generator=g), torch.randn(3, generator=g))
        yield "in_place", (torch.randn(3, 2, generator=g).t(), torch.randn(3, generator=g))

def reference(x, y):
    x += y
""",
    check(Kind.IN_PLACE),
)

POP = task(
    "pop",
    """
import torch

def cases(g):
    for _ in range(2):
        yield "in_place", (torch.randn(4, generator=g),)

def reference(x):
    largest = x.max().clone()
    x[x.argmax()] = 0
    return largest
""",
    check(Kind.IN_PLACE),
)


def test_a_module_is_judged_from_a_state_that_the_judge_picks(sandbox: Sandbox) -> None:
    assert sandbox.judge(LINEAR, SCALED).outcome is Outcome.PASSED


@pytest.mark.parametrize(
    ("old", "new", "checks", "words"),
    [
        ("torch.exp(self.weight)", "self.weight.detach().exp()", {"gradient"}, "gradient of weight: expected"),
        ("* x + self.bias", "* x.detach() + self.bias", {"gradient"}, "the gradient of x: expected"),
        ("self.bias = nn.Parameter(", "self.register_buffer('bias', ", {"gradient"}, "it has no parameter bias"),
        ("+ self.bias", "", {"values", "gradient"}, "values are off"),
        ("self.bias", "self.shift", {"values", "gradient"}, "its state_dict() has no 'bias'; it has weight, shift"),
        ("(nn.Module)", "", {"values", "gradient"}, "Scaled(...) is a Scaled; an nn.Module"),
        (
            "class Scaled(",
            "def Scaled(*_): return 3\nclass Other(",
            {"values", "gradient"},
            "Scaled(...) is an int; an nn",
        ),
    ],
)
def test_what_is_wrong_with_a_module_is_named(
    sandbox: Sandbox, old: str, new: str, checks: set[str], words: str
) -> None:
    assert old in SCALED
    run = sandbox.judge(LINEAR, SCALED.replace(old, new))
    assert (run.outcome, set(failed(run))) == (Outcome.FAILED, checks)
    assert words in failed(run)["gradient"]
    assert failed(run)["gradient"].startswith("With Scaled(3, 0.5) and x = float32 [2, 3] [[")


@pytest.mark.parametrize(
    "body",
    ["x.add_(y)", "x.copy_(x + y)", "x += y\n    return x", "for row in x: row += y\n    return 'done'[0:0] or None"],
)
def test_arguments_that_are_changed_as_they_should_be_pass(sandbox: Sandbox, body: str) -> None:
    assert sandbox.judge(ADD_, f"def add_(x, y):\n    {body}").outcome is Outcome.PASSED


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("x = x + y\n    return x", "x after the call: expected"),
        ("x.add_(y)\n    y.zero_()", "y after the call: expected"),
        ("x.resize_(1)", "changed the shape or the dtype of its arguments"),
        ("x.data = x.double() + y", "changed the shape or the dtype of its arguments"),
    ],
)
def test_arguments_that_are_left_otherwise_fail(sandbox: Sandbox, body: str, words: str) -> None:
    assert words in failed(sandbox.judge(ADD_, f"def add_(x, y):\n    {body}"))["in_place"]


def test_a_result_beside_the_change_is_compared_as_well(sandbox: Sandbox) -> None:
    code = "def pop(x):\n    at = x.argmax()\n    largest = x[at]{}\n    x[at] = 0\n    return largest"
    assert sandbox.judge(POP, code.format(".clone()")).outcome is Outcome.PASSED
    assert "got 0" in failed(sandbox.judge(POP, code.format("")))["in_place"]
    assert "got None" in failed(sandbox.judge(POP, "def pop(x):\n    x[x.argmax()] = 0"))["in_place"]
