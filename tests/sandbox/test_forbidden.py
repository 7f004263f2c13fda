"""What counts as using a name, and what happens to code that does."""

from __future__ import annotations

import pytest

from interviewer.models import Outcome
from interviewer.sandbox import Sandbox
from interviewer.sandbox.inside.forbidden import first_use

from .tasks import RIGHT, SCALE


@pytest.mark.parametrize(
    ("source", "names", "use"),
    [
        ("import torch\ntorch.cdist(a, b)", ["cdist"], ("cdist", 2)),
        ("from torch import cdist as distance", ["cdist"], ("cdist", 1)),
        ("import torch.cdist", ["cdist"], ("cdist", 1)),
        ("f = getattr(torch, 'cdist')", ["cdist"], ("cdist", 1)),
        ("x = 1\ny = sorted(x)", ["sorted"], ("sorted", 2)),
        ("map(F.softmax, rows)", ["softmax"], ("softmax", 1)),
        ("for x in y:\n    pass", ["for"], ("for", 1)),
        ("z = [\n    x\n    for x in y\n]", ["for"], ("for", 3)),
        ("sum(x for x in y)", ["for", "while"], ("for", 1)),
        ("async def f():\n    async for x in y: pass", ["for"], ("for", 2)),
        ("while True: pass", ["for", "while"], ("while", 1)),
        ("c()\nb()\na()", ["a", "b"], ("b", 2)),
        ("class M:\n    def f(self):\n        return self.softmax(1)", ["softmax"], ("softmax", 3)),
    ],
)
def test_a_use_is_found_with_its_line(source: str, names: list[str], use: tuple[str, int]) -> None:
    assert first_use(source, names) == use


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("def cross_entropy(x): return x\nprint(cross_entropy(1))", ["cross_entropy"]),
        ("class Loss:\n    def softmax(self): return 1\n    def f(self): return self.softmax()", ["softmax"]),
        ("class Loss:\n    def __init__(self): self.softmax = 1\n    def f(self): return self.softmax", ["softmax"]),
        ("def f(cat): return cat + 1", ["cat"]),
        ("softmax = x.exp()\nsoftmax = softmax / softmax.sum()", ["softmax"]),
        ("# no cdist here\n'cdist'; f(cdist=1)", ["cdist"]),
        ("while_ = 1", ["while", "for"]),
    ],
)
def test_what_the_code_defines_itself_is_its_own(source: str, names: list[str]) -> None:
    assert first_use(source, names) is None


@pytest.mark.sandbox
def test_code_with_a_forbidden_name_is_not_run(sandbox: Sandbox) -> None:
    task = SCALE.model_copy(update={"forbids": ("exp", "while")})
    run = sandbox.judge(task, "print('ran')" + RIGHT)
    assert (run.outcome, run.output) == (Outcome.FAILED, "")
    assert run.message == (
        "The code uses exp in line 4, `return (x * factor).exp(), (x * factor).sum()`, "
        "which this task does not allow. It was not run."
    )
    assert [check.passed for check in run.checks] == [False, False]
    assert sandbox.judge(SCALE, RIGHT).outcome is Outcome.PASSED
