"""State, and what changes with the mode."""

from __future__ import annotations

import pytest

from interviewer.models import Outcome
from interviewer.sandbox import Sandbox

from .small import Kind, check, failed, task

pytestmark = pytest.mark.sandbox

AVERAGE = task(
    "Average",
    """
import torch
from torch import nn

def cases(g):
    def x():
        return torch.randn(4, 3, generator=g)

    for _ in range(2):
        yield "state", (3,), (x(),)
        yield "modes", (3,), [("train", (x(),)), ("eval", (x(),)), ("train", (x(),)), ("eval", (x(),))]
        yield "values", (3,), (x(),)

class reference(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(features))
        self.register_buffer("mean", torch.zeros(features))
        self.register_buffer("seen", torch.tensor(0))

    def forward(self, x):
        if self.training:
            with torch.no_grad():
                self.mean.lerp_(x.mean(0), 0.1)
                self.seen += 1
        return (x - self.mean) * self.scale
""",
    check(Kind.STATE),
    check(Kind.MODES),
    check(Kind.VALUES, mode="eval"),
)

CODE = """
import torch
from torch import nn

class Average(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.register_buffer("seen", torch.tensor(0))
        self.register_buffer("mean", torch.zeros(features))
        self.scale = nn.Parameter(torch.ones(features))

    def forward(self, x):
        if self.training:
            self.mean = (0.9 * self.mean + 0.1 * x.mean(0)).detach()
            self.seen = self.seen + 1
        return self.scale * (x - self.mean)
"""


def test_a_state_in_another_order_and_without_in_place_changes_is_right(sandbox: Sandbox) -> None:
    assert sandbox.judge(AVERAGE, CODE).outcome is Outcome.PASSED


@pytest.mark.parametrize(
    ("old", "new", "checks", "words"),
    [
        ("torch.tensor(0)", "torch.tensor(0.0)", {"state", "modes"}, "'seen' in its state_dict() is float32 [], not int64 []"),
        ("torch.zeros(features))", "torch.zeros(1, features))", {"state", "modes", "values"}, "'mean' in its state_dict() is"),
        ('("mean", torch.zeros(features))', '("mean", torch.zeros(features), persistent=False)', None, "has no 'mean'; it has"),
        ("self.scale = nn", "self.extra = self.scale = nn", None, "has 'extra', which doesn't belong there"),
        ("self.seen + 1", "self.seen + 2", {"state", "modes"}, "'seen' in its state_dict() at the end: expected 1, got 2"),
        ("if self.training", "if True", {"modes", "values"}, ""),
        ("0.1 * x", "0.2 * x", {"state", "modes"}, "values are off"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_state_is_named(
    sandbox: Sandbox, old: str, new: str, checks: set[str] | None, words: str
) -> None:
    assert old in CODE
    run = sandbox.judge(AVERAGE, CODE.replace(old, new))
    assert (run.outcome, set(failed(run))) == (Outcome.FAILED, checks or {"state", "modes", "values"})
    assert words in failed(run).get("state", "")


def test_the_call_that_went_wrong_is_named(sandbox: Sandbox) -> None:
    detail = failed(sandbox.judge(AVERAGE, CODE.replace("if self.training", "if True")))["modes"]
    assert detail.startswith("With Average(3) and 4 calls: call 2 (eval, x = float32 [4, 3] [[")


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ("{str(n): torch.ones(1) for n in range(300)}", "has 300 entries"),
        ("{'x' * 201: torch.ones(1)}", "has 1 entries, or names that are too long"),
        ("{chr(233) * 190 + str(n): torch.ones(1) for n in range(60)}", "has 60 entries, or names that are too long"),
        ("{chr(233) * 190 + str(n): torch.ones(1) for n in range(40)}", "its state_dict() has no 'scale'"),
        ("{'mean': 'text'}", "entries that are no tensors: mean"),
        ("{'mean': torch.ones(1).expand(10**12)}", "its state_dict() has no 'scale'"),
        (
            "{**super().state_dict(), 'mean': torch.ones(1).expand(10**12)}",
            "is float32 [1000000000000], not float32 [3]",
        ),
        ("7", "TypeError"),
    ],
)
def test_strange_states_are_refused_before_they_are_read(sandbox: Sandbox, state: str, words: str) -> None:
    run = sandbox.judge(AVERAGE, f"{CODE}\n    def state_dict(self, *args, **kwargs):\n        return {state}")
    assert run.outcome is Outcome.FAILED
    assert words in failed(run)["state"]


def test_a_module_that_fails_to_load_is_a_failure_of_each_of_its_checks(sandbox: Sandbox) -> None:
    run = sandbox.judge(AVERAGE, CODE + "\n    def load_state_dict(self, *_):\n        raise ValueError('no')")
    assert set(failed(run)) == {"state", "modes", "values"}
    assert "ValueError: no (line 19: `raise ValueError('no')`)" in failed(run)["values"]
