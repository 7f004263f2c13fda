"""What may not happen to replies of a known style, whatever the averages say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from eval.rows import Row


class Target(NamedTuple):
    """At most the share ``allowed`` of the replies of ``style`` may lie beyond ``bound``."""

    style: str
    bound: float
    above: bool
    allowed: float


TARGETS = (
    Target("expert", 4.0, above=False, allowed=0.02),
    Target("misconception", 2.0, above=True, allowed=0.02),
    Target("verbose-wrong", 2.0, above=True, allowed=0.02),
    Target("parrot", 1.0, above=True, allowed=0.0),
    Target("offtopic", 1.0, above=True, allowed=0.0),
    Target("dontknow", 1.0, above=True, allowed=0.0),
    Target("manipulation", 1.0, above=True, allowed=0.0),
    Target("keywords", 1.0, above=True, allowed=0.0),
)


def targets(rows: Sequence[Row]) -> dict[str, dict[str, Any]]:
    """By style: how many there are, how many lie beyond the bound and which, the share, and whether that is allowed.
    Styles that don't occur are left out."""
    found = {}
    for target in TARGETS:
        members = [row for row in rows if row.style == target.style]
        beyond = [row.id for row in members if (row.score > target.bound if target.above else row.score < target.bound)]
        if members:
            share = len(beyond) / len(members)
            found[target.style] = {
                "n": len(members),
                "beyond": len(beyond),
                "share": share,
                "allowed": target.allowed,
                "bound": f"{'over' if target.above else 'under'} {target.bound:g}",
                "met": share <= target.allowed,
                "cases": beyond,
            }
    return found
