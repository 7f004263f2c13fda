"""How results lie in memory, judged from the memory and not from what is said of it."""

from __future__ import annotations

import pytest

from interviewer.models import Outcome
from interviewer.sandbox import Sandbox

from .small import Kind, check, failed, task

pytestmark = pytest.mark.sandbox

CHANNELS_LAST = task(
    "arrange",
    """
import torch

def cases(g):
    for shape in ((2, 3, 4, 5), (2, 3, 4, 5), (1, 2, 3, 1)):
        yield "layout", (torch.randn(shape, generator=g),)

def reference(x):
    return x.relu().contiguous(memory_format=torch.channels_last)
""",
    check(Kind.LAYOUT),
)

DIAGONAL = task(
    "diagonal",
    """
import torch

def cases(g):
    for n in (3, 3, 4):
        yield "view", (torch.randn(n, n, generator=g),)
        yield "layout", (torch.randint(9, (n, n), generator=g),)

def reference(x):
    return x.diagonal()
""",
    check(Kind.VIEW),
    check(Kind.LAYOUT),
)


@pytest.mark.parametrize(
    "body",
    [
        "x.relu().to(memory_format=torch.channels_last)",
        "x.permute(0, 2, 3, 1).contiguous().permute(0, 3, 1, 2).relu()",
        "torch.empty_like(x, memory_format=torch.channels_last).copy_(x.relu())",
        "torch.cat([x.relu()] * 2).contiguous(memory_format=torch.channels_last)[len(x):]",
    ],
)
def test_the_strides_of_the_reference_pass_however_they_came_about(sandbox: Sandbox, body: str) -> None:
    run = sandbox.judge(CHANNELS_LAST, f"import torch\ndef arrange(x):\n    return {body}")
    assert run.outcome is Outcome.PASSED, run


def test_other_strides_fail(sandbox: Sandbox) -> None:
    run = sandbox.judge(CHANNELS_LAST, "def arrange(x):\n    return x.relu()")
    assert "expected the strides [6, 1, 2, 2], got [6, 3, 1, 1]" in failed(run)["layout"]


@pytest.mark.parametrize(
    "lie",
    [
        "torch.Tensor.stride = lambda self, *_: (self.shape[1] * self.shape[2] * self.shape[3], 1,"
        " self.shape[3] * self.shape[1], self.shape[1])",
        "class Liar(torch.Tensor):\n"
        "    def stride(self):\n        b, c, h, w = self.shape\n        return (c * h * w, 1, w * c, c)\n"
        "relu = torch.Tensor.relu\n"
        "torch.Tensor.relu = lambda self: relu(self).as_subclass(Liar)",
    ],
    ids=["patched", "subclass"],
)
def test_claiming_strides_does_not_help(sandbox: Sandbox, lie: str) -> None:
    run = sandbox.judge(CHANNELS_LAST, f"import torch\n{lie}\ndef arrange(x):\n    return x.relu()")
    assert run.outcome is Outcome.FAILED, run


@pytest.mark.parametrize("body", ["x.diagonal()", "torch.einsum('ii->i', x)", "x.as_strided((len(x),), (len(x) + 1,))"])
def test_a_view_passes(sandbox: Sandbox, body: str) -> None:
    run = sandbox.judge(DIAGONAL, f"import torch\ndef diagonal(x):\n    return {body}")
    assert run.outcome is Outcome.PASSED, run


def test_a_copy_is_no_view(sandbox: Sandbox) -> None:
    detail = failed(sandbox.judge(DIAGONAL, "def diagonal(x):\n    return x.diagonal().clone()"))
    assert "doesn't share its memory with x: after x was overwritten, expected" in detail["view"]
    assert "expected the strides [4], got [1]" in detail["layout"]


def test_looking_like_a_view_does_not_help(sandbox: Sandbox) -> None:
    code = """
import torch

class Pretender(torch.Tensor):
    @property
    def _base(self):
        return kept
    def data_ptr(self):
        return kept.data_ptr()
    def _is_view(self):
        return True

def diagonal(x):
    global kept
    kept = x
    torch.Tensor.data_ptr = lambda self: 0
    return x.diagonal().clone().as_subclass(Pretender)
"""
    assert "doesn't share its memory" in failed(sandbox.judge(DIAGONAL, code))["view"]
