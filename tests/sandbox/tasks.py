"""Small tasks and submissions that several tests share."""

from __future__ import annotations

from interviewer.models import CheckKind, Requirement, Task

SCALE = Task(
    entry="scale",
    starter="",
    solution="",
    checks=(Requirement(name="values"), Requirement(name="gradient", kind=CheckKind.GRADIENT)),
    tolerance=1e-5,
    seconds=10,
    judge="""
import torch

def cases(g):
    for _ in range(2):
        for n in (3, 5):
            yield "values", (torch.randn(n, generator=g), 2.0)
            yield "gradient", (torch.randn(n, generator=g), 3.0)

def reference(x, factor):
    return (x * factor).exp(), (x * factor).sum()
""",
)

RIGHT = """
def scale(x, factor):
    print("called")
    return (x * factor).exp(), (x * factor).sum()
"""

# Every case names the way in which the submission below goes wrong.
WAYS = (
    "honest",
    "mutates",
    "nan",
    "replays",
    "half",
    "wrong shape",
    "many values",
    "raises",
    "exits",
    "number",
    "tuple",
    "always equal",
    "transposed",
    "integer",
    "no gradient",
    "wrong gradient",
)

MANNERS = Task(
    entry="total",
    starter="",
    solution="",
    checks=tuple(
        Requirement(name=way, kind=CheckKind.GRADIENT if "gradient" in way else CheckKind.VALUES) for way in WAYS
    ),
    tolerance=1e-5,
    seconds=20,
    judge="""
import torch

def cases(g):
    for way in WAYS:
        for n in (4, 2, 2, 3):
            yield way, (torch.randn(n, 2, generator=g).t() if way == "transposed" else torch.randn(n, 2, generator=g), way)

def reference(x, way):
    return (x > 0).sum() if way == "integer" else x.square().sum(dim=0)

WAYS = """
    + repr(WAYS),
)

ILL_MANNERED = """
import sys
import torch

kept = {}

class Equal(torch.Tensor):
    def __eq__(self, other):
        return torch.ones(self.shape, dtype=torch.bool)

    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        with torch._C.DisableTorchFunctionSubclass():
            return function(*args, **(kwargs or {}))

def total(x, way):
    right = x.square().sum(dim=0)
    if way == "mutates":
        x.zero_()
    if way == "nan":
        return right * torch.nan
    if way == "replays":
        return kept.setdefault(x.shape, right)
    if way == "half":
        return right.half()
    if way == "wrong shape":
        return right.unsqueeze(0)
    if way == "many values":
        return right.expand(10**12, 2)[:, :1].expand(10**12, 10**5) if len(x) == 2 else right
    if way == "raises":
        raise ValueError("no\\x1b[31m idea")
    if way == "exits":
        sys.exit(0)
    if way == "number":
        return 3.0
    if way == "tuple":
        return right, right
    if way == "always equal":
        return (right + 1).as_subclass(Equal)
    if way == "transposed":
        assert not x.is_contiguous()
    if way == "integer":
        return (x > 0).sum().int()
    if way == "no gradient":
        return right.detach()
    if way == "wrong gradient":
        return right.detach() + 0 * x.sum()
    return right
"""
