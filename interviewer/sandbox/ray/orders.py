"""What is said between the door, Ray's client and the machines: JSON, so that nobody has to trust what he unpacks."""

from __future__ import annotations

from typing import Literal

from interviewer.models import CodeRun, Outcome, Progress, Task, Value
from interviewer.sandbox import Isolation

SIGN_OF_LIFE = b""


class Plan(Value):
    """What the client is told first. ``settings``: as JSON, for the sandboxes."""

    address: str
    slots_per_node: int | None
    gpus: float
    settings: str


class Order(Value):
    """What is wanted. The code travels beside it. ``seconds``: of an experiment."""

    id: str
    kind: Literal["judge", "experiment", "isolation"]
    task: Task | None = None
    compare: bool = False
    seconds: float = 10


class News(Value):
    """Progress of the order ``id``, or its end, which is one of the others. ``refused``: not run for want of isolation."""

    id: str
    progress: Progress | None = None
    run: CodeRun | None = None
    isolation: Isolation | None = None
    refused: str = ""

    def as_bytes(self) -> bytes:
        return self.model_dump_json(exclude_defaults=True).encode()


def without_result(order: Order, reason: str) -> News:
    """The end of an order that nobody could fulfil."""
    if order.kind == "isolation":
        return News(id=order.id, isolation=_no_isolation(reason))
    message = f"The code was not judged: {reason}. This doesn't count against it; hand it in again a little later."
    return News(id=order.id, run=CodeRun(outcome=Outcome.INFRASTRUCTURE, message=message))


def _no_isolation(reason: str) -> Isolation:
    nothing = "nothing runs"
    return Isolation(
        available=False,
        kind="none",
        network=nothing,
        files=nothing,
        memory=nothing,
        processes=nothing,
        time=nothing,
        system_calls=nothing,
        reason=f"{reason[:1].upper()}{reason[1:]}.",
        mend="`ray status` on a machine of the cluster shows which of them are alive.",
    )
