"""Functions that draw random numbers."""

from __future__ import annotations

import pytest

from interviewer.models import Outcome
from interviewer.sandbox import Sandbox

from .small import Kind, check, failed, task

pytestmark = pytest.mark.sandbox

DRAW = task(
    "draw",
    """
import torch

def cases(g):
    for _ in range(2):
        yield "determinism", (torch.rand(200, generator=g),)
        yield "property", (torch.rand(4000, generator=g) / 2 + 0.25,)

def reference(probabilities):
    return torch.bernoulli(probabilities)

def verify(check, args, results):
    (p,), (drawn,) = args, results
    assert p.dtype is drawn.dtype is torch.float32
    if not ((drawn == 0) | (drawn == 1)).all():
        return "there are values other than 0 and 1"
    return "" if abs(drawn.mean() - p.mean()) < 0.05 else f"{drawn.mean():.2f} of them are 1"
""",
    check(Kind.DETERMINISM),
    check(Kind.PROPERTY),
)

SAMPLES = task(
    "samples",
    """
import torch

def cases(g):
    for _ in range(2):
        yield "property", (torch.rand(50, generator=g), 0.5)

def verify(check, args, results):
    if len(results) != 1:
        return "one tensor was expected"
    return "" if torch.isin(results[0], args[0]).all() else "there are values that x doesn't have"
""",
    check(Kind.PROPERTY),
)


@pytest.mark.parametrize("body", ["torch.bernoulli(p)", "(torch.rand_like(p) < p).float()"])
def test_what_draws_from_the_seed_passes(sandbox: Sandbox, body: str) -> None:
    assert sandbox.judge(DRAW, f"import torch\ndef draw(p):\n    return {body}").outcome is Outcome.PASSED


@pytest.mark.parametrize(
    ("body", "checks", "words"),
    [
        ("torch.manual_seed(0)\n    return torch.bernoulli(p)", {"determinism"}, "another seed gave the same values"),
        ("torch.seed()\n    return torch.bernoulli(p)", {"determinism"}, "the same seed gave other values"),
        ("return torch.bernoulli(1 - p)", set(), ""),
        ("return torch.bernoulli(p / 2)", {"property"}, " of them are 1"),
        ("return torch.bernoulli(p) * 2", {"property"}, "there are values other than 0 and 1"),
        ("return (torch.rand_like(p) < p)", {"determinism", "property"}, "expected the dtype float32, got bool"),
        ("return torch.bernoulli(p)[1:]", {"determinism", "property"}, "expected the shape ["),
        ("return torch.bernoulli(p, out=p)", {"determinism", "property"}, "it changed its input probabilities"),
    ],
)
def test_what_does_not_is_told_why(sandbox: Sandbox, body: str, checks: set[str], words: str) -> None:
    run = sandbox.judge(DRAW, f"import torch\ndef draw(p):\n    {body}")
    assert set(failed(run)) == checks
    assert all(words in detail for detail in failed(run).values())


def test_without_a_reference_any_form_is_taken_up_to_a_limit(sandbox: Sandbox) -> None:
    def said(body: str) -> str:
        run = sandbox.judge(SAMPLES, f"import torch\ndef samples(x, p):\n    return {body}")
        assert run.outcome in (Outcome.PASSED, Outcome.FAILED), run
        return failed(run).get("property", "")

    assert said("x[torch.rand_like(x) < p]") == ""
    assert "values that x doesn't have" in said("x + 1")
    assert "one tensor was expected" in said("None")
    assert "more than 64 MiB" in said("x[:1].expand(10**15)")
    assert "more than 64 MiB" in said("x[:0].reshape(0, 1, 1).expand(0, 2**40, 2**22)")
    assert "of 70 dimensions" in said("x.reshape([1] * 69 + [-1])")
    assert "cannot be compared" in said("x.to(torch.complex64)")
