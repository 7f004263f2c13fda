"""How quick the interviewer is: ratios of times that were measured side by side, in one run, on this machine.

Everything is warm that is warm in a server. Says nothing about another machine, and little about one that is busy with other work.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from interviewer.settings import Settings


class Part(StrEnum):
    """``PARTS``: the sandbox, the search and the judge, each by itself; ``PAGE``: a whole server with people at it."""

    PARTS = "parts"
    PAGE = "page"


def bench(settings: Settings, only: Part | None = None) -> dict[str, Any]:
    """All figures, or those of a part; times in milliseconds where a name ends in _ms, seconds where it ends in _s; memory in MiB."""
    from eval.bench.page import page_figures
    from eval.bench.parts import machine, part_figures

    figures: dict[str, Any] = {"machine": machine()}
    if only is not Part.PAGE:
        figures |= part_figures(settings)
    if only is not Part.PARTS:
        figures |= page_figures()
    return figures
