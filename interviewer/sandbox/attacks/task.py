"""The small tasks that forged submissions are handed in for: each has a check that its cheat can't honestly pass."""

from __future__ import annotations

from interviewer.models import CheckKind, Requirement, Task

_SOLUTION = """
def blend(x, y):
    return (x * y).tanh().sum(dim=1)
"""

_REFERENCE = """
def reference(x, y):
    return (x * y).tanh().sum(dim=1)
"""

BLEND = Task(
    entry="blend",
    starter="",
    solution=_SOLUTION,
    checks=(Requirement(name="values"), Requirement(name="gradient", kind=CheckKind.GRADIENT)),
    seconds=10,
    judge=f"""
import torch

def cases(g):
    for _ in range(2):
        for rows, columns in ((1, 1), (3, 4), (8, 5)):
            for check in ("values", "gradient"):
                yield check, (torch.randn(rows, columns, generator=g), torch.randn(rows, columns, generator=g))
{_REFERENCE}""",
)


def _blend_on_large_inputs(requirement: Requirement, rows: int, device: str = "cpu") -> Task:
    judge = f"""
import torch

def cases(g):
    for _ in range(2):
        yield {requirement.name!r}, (torch.randn({rows}, 64, generator=g), torch.randn({rows}, 64, generator=g))
{_REFERENCE}"""
    return BLEND.model_copy(update={"checks": (requirement,), "judge": judge, "device": device})


BLEND_IN_A_HURRY = BLEND.model_copy(update={"seconds": 1.5})
BLEND_ON_GPU = BLEND.model_copy(update={"device": "gpu"})
QUICK_BLEND = _blend_on_large_inputs(Requirement(name="speed", kind=CheckKind.SPEED, times=4), 512)
QUICK_BLEND_ON_GPU = _blend_on_large_inputs(Requirement(name="speed", kind=CheckKind.SPEED, times=4), 512, "gpu")
FRUGAL_BLEND = _blend_on_large_inputs(Requirement(name="memory", kind=CheckKind.MEMORY, mib=32), 4096)

TURN = Task(
    entry="turn",
    starter="",
    solution="def turn(x):\n    return x.t().contiguous()\n",
    checks=(Requirement(name="layout", kind=CheckKind.LAYOUT),),
    judge="""
import torch

def cases(g):
    for _ in range(2):
        for rows, columns in ((2, 3), (5, 4)):
            yield "layout", (torch.randn(rows, columns, generator=g),)

def reference(x):
    return x.t().contiguous()
""",
)

SKIP = Task(
    entry="skip",
    starter="",
    solution="def skip(x):\n    return x[::2]\n",
    checks=(Requirement(name="view", kind=CheckKind.VIEW),),
    judge="""
import torch

def cases(g):
    for _ in range(2):
        for rows in (3, 6):
            yield "view", (torch.randn(rows, 2, generator=g),)

def reference(x):
    return x[::2]
""",
)

NOISE = Task(
    entry="noise",
    starter="",
    solution="import torch\n\ndef noise(x):\n    return torch.rand_like(x)\n",
    checks=(Requirement(name="determinism", kind=CheckKind.DETERMINISM),),
    judge="""
import torch

def cases(g):
    for _ in range(2):
        yield "determinism", (torch.randn(4, 4, generator=g),)

def reference(x):
    return torch.rand_like(x)
""",
)

SCALE = Task(
    entry="Scale",
    starter="",
    solution="""
import torch

class Scale(torch.nn.Module):
    def __init__(self, size):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(size))

    def forward(self, x):
        return x * self.weight
""",
    checks=(Requirement(name="state", kind=CheckKind.STATE),),
    judge="""
import torch

def cases(g):
    for _ in range(2):
        for size in (2, 3):
            yield "state", (size,), (torch.randn(4, size, generator=g),)

class reference(torch.nn.Module):
    def __init__(self, size):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(size))

    def forward(self, x):
        return x * self.weight
""",
)
