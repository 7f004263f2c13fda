"""A run's figures as one page: nothing is fetched, no script runs, and it can be mailed or kept as it is.

Replies are other people's words and may be hostile: everything is escaped, and the page forbids scripts besides.
Needs the extra ``eval`` (matplotlib and jinja2).
"""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from interviewer.errors import MissingPart
from interviewer.models import MAX_SCORE, Standing

_TEMPLATE = Path(__file__).with_name("report.html.j2")
_CODE = re.compile(r"^[ \t]*(```|~~~).*?(?:^[ \t]*\1[^\n]*$|\Z)", re.MULTILINE | re.DOTALL)
MARKS = {Standing.COVERED: "✓", Standing.PARTIAL: "◐", Standing.MISSING: "○", Standing.CONTRADICTED: "✗"}

Piece = tuple[str, str]  # words, and how the point stands whose evidence they are; "" for none
Block = tuple[bool, list[Piece]]  # whether it is code


def check_installed() -> None:
    """Raises MissingPart where a page can't be made here."""
    if missing := [name for name in ("jinja2", "matplotlib") if importlib.util.find_spec(name) is None]:
        raise MissingPart(
            f"The report as a page needs {' and '.join(missing)}; nothing was graded. "
            "`pip install 'pytorch-interviewer[eval]'` brings what is missing; without --html it isn't needed."
        )


def page(figures: Mapping[str, Any]) -> str:
    """The whole page for figures as ``grading.evaluate`` makes them, with ``run`` and ``grader`` beside."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    loader = FileSystemLoader(_TEMPLATE.parent)
    env = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    env.filters["figure"] = figure
    env.filters["percent"] = lambda share: f"{100 * share:.0f}\N{NO-BREAK SPACE}%"
    return env.get_template(_TEMPLATE.name).render(
        figures=figures,
        plots=_plots(figures) if "overall" in figures else {},
        blocks=blocks,
        marks={standing.value: mark for standing, mark in MARKS.items()},
        most=MAX_SCORE,
    )


def figure(value: float | None, digits: int = 3) -> str:
    """A dash where there is none; the minus as a minus."""
    return "–" if value is None else f"{value:.{digits}f}".replace("-", "−")


def blocks(answer: str, points: Sequence[Mapping[str, Any]]) -> list[Block]:
    """A reply in pieces that together are the reply, fenced code apart. Quotes are marked where they first stand in prose;
    of two that overlap the earlier point's is marked."""
    found: list[Block] = []
    position = 0
    quotes = [(p["quote"], p["verdict"]) for p in points if p["quote"]]
    for fence in [*_CODE.finditer(answer), None]:
        prose = answer[position : fence.start() if fence else len(answer)]
        if prose.strip():
            found.append((False, _marked(prose, quotes)))
        if fence:
            found.append((True, [(fence[0], "")]))
            position = fence.end()
    return found


def _marked(prose: str, quotes: Sequence[tuple[str, str]]) -> list[Piece]:
    spans: list[tuple[int, int, str]] = []
    for quote, standing in quotes:
        start = prose.find(quote)
        end = start + len(quote)
        if start >= 0 and all(end <= a or start >= b for a, b, _ in spans):
            spans.append((start, end, standing))
    pieces: list[Piece] = []
    position = 0
    for start, end, standing in sorted(spans):
        pieces += [(prose[position:start], ""), (prose[start:end], standing)]
        position = end
    pieces.append((prose[position:], ""))
    return [piece for piece in pieces if piece[0]]


def _plots(figures: Mapping[str, Any]) -> dict[str, Any]:
    from markupsafe import Markup

    from eval import plots

    scored = [(row["given"], row["person"]) for row in figures["rows"] if row["given"] is not None]
    overall, slices = figures["overall"], figures["slices"]
    drawn = {
        "scores": plots.scores_plot(scored),
        "reliability": plots.reliability_plot(figures["calibration"]),
        "coverage": plots.coverage_plot(figures["coverage"]),
        "rmse": plots.slices_plot(slices, "rmse", "RMSE", overall["rmse"]),
    }
    if overall["qwk"] is not None:
        drawn["qwk"] = plots.slices_plot(slices, "qwk", "QWK", overall["qwk"])
    if "style" in slices:
        drawn["styles"] = plots.styles_plot(slices["style"])
    return {name: Markup(svg) for name, svg in drawn.items()}
