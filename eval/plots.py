"""The plots of a report as SVG to stand inside a page: its text is text, and its colours are the page's own variables.

Drawn by matplotlib in stand-in colours, which are then replaced by ``var(--…)``: so one picture serves light and dark.
Deterministic. Labels come from people's files: they are never read as formulas, and matplotlib escapes them.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from html import escape
from typing import Any

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from interviewer.models import MAX_SCORE

# No two alike, and none that matplotlib would choose itself.
INK, MUTED, LINE, ACCENT, OTHER, PAPER = "#0a0b01", "#0a0b02", "#0a0b03", "#0a0b04", "#0a0b05", "#0a0b06"
_VARIABLES = {INK: "ink", MUTED: "muted", LINE: "line", ACCENT: "accent", OTHER: "other", PAPER: "paper"}
_SIZE = (4.4, 3.5)  # inches; small, so that words stay readable on a phone
_ROW = 0.235  # inches of a row of slices
_LONGEST = 22  # characters of a label
_LOOK: dict[Any, Any] = {  # matplotlib's types name every key there is
    "font.family": "DejaVu Sans",
    "font.size": 9.5,
    "text.parse_math": False,
    "text.color": INK,
    "axes.edgecolor": LINE,
    "axes.labelcolor": MUTED,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.facecolor": "none",
    "figure.facecolor": "none",
    "grid.color": LINE,
    "grid.linewidth": 0.6,
    "xtick.color": LINE,
    "ytick.color": LINE,
    "xtick.labelcolor": MUTED,
    "ytick.labelcolor": MUTED,
    "legend.frameon": False,
    "legend.fontsize": 8.5,
    "svg.fonttype": "none",
}
_PROLOGUE = re.compile(r"^.*?(?=<svg)|<metadata>.*?</metadata>|<style.*?</style>|<defs>\s*</defs>", re.DOTALL)
_IDS = re.compile(r' id="[\w.]+_\d+"')  # of groups; what is referred to is named by a hash
_FONTS = re.compile(r"font-family: [^;\"]+; ")


def reliability_plot(calibration: Mapping[str, Any]) -> str:
    """The share that was right over the probability that was given, for points and for whole verdicts."""
    with _plot("reliability", "Share that was right over the probability given", _SIZE) as (ax, done):
        ax.plot([0, 1], [0, 1], color=MUTED, linewidth=0.9, linestyle=(0, (3, 3)))
        shown = (("points", "points", ACCENT, "o"), ("confidence", "scores within half a point", OTHER, "s"))
        for key, label, colour, marker in shown:
            if table := calibration[key]:
                bins = table["bins"]
                x, y = [row["probability"] for row in bins], [row["right"] for row in bins]
                ax.plot(x, y, color=colour, marker=marker, markersize=4.5, linewidth=1.4, label=label)
        ax.set(xlim=(0, 1.02), ylim=(0, 1.02), xlabel="probability", ylabel="share that was right")
        ax.grid(True)
        ax.legend(loc="upper left")
    return done()


def coverage_plot(coverage: Mapping[str, Any]) -> str:
    """The mean error over the share of cases that is scored, most confident first."""
    with _plot("coverage", "Mean error over the share of cases that is scored", _SIZE) as (ax, done):
        x = np.asarray(coverage["coverage"])
        ax.axhline(coverage["area_of_no_order"], color=MUTED, linewidth=0.9, linestyle=(0, (3, 3)), label="at random")
        ax.plot(x, coverage["best_risk"], color=OTHER, linewidth=1.2, label="if errors were known")
        ax.plot(x, coverage["risk"], color=ACCENT, linewidth=1.8, label="by confidence")
        for row in coverage["at"].values():
            ax.plot(row["coverage"], row["mae"], color=ACCENT, marker="o", markersize=5)
            ax.annotate(
                f"{row['mae']:.2f}", (row["coverage"], row["mae"]), (0, 7), textcoords="offset points", ha="center"
            )
        top = max(coverage["area_of_no_order"], *coverage["risk"])
        ax.set(xlim=(0, 1.02), ylim=(0, max(0.1, 1.35 * top)), xlabel="share scored", ylabel="mean error, of 5")
        ax.grid(True)
        ax.legend(loc="upper left", ncols=1)
    return done()


def scores_plot(pairs: Sequence[tuple[float, float]]) -> str:
    """How often each whole score was given where a person gave which. ``pairs``: (given, person)."""
    side = int(MAX_SCORE) + 1
    counts = np.zeros((side, side), dtype=int)
    for given, person in pairs:
        counts[round(given), round(person)] += 1
    with _plot("scores", "Score given over the person's score", (_SIZE[0], 3.9)) as (ax, done):
        most = max(1, counts.max())
        for (given, person), count in np.ndenumerate(counts):
            if count:
                alpha = 0.08 + 0.62 * float(np.sqrt(count / most))
                ax.add_patch(Rectangle((person - 0.47, given - 0.47), 0.94, 0.94, facecolor=ACCENT, alpha=alpha))
                ax.text(person, given, str(count), ha="center", va="center_baseline", color=INK)
        for whole in range(side):
            corner = (whole - 0.47, whole - 0.47)
            ax.add_patch(Rectangle(corner, 0.94, 0.94, facecolor="none", edgecolor=MUTED, linewidth=0.8))
        ax.set(xlim=(-0.55, side - 0.45), ylim=(-0.55, side - 0.45), xlabel="person", ylabel="grader")
        ax.set(xticks=range(side), yticks=range(side), aspect="equal")
        ax.tick_params(length=0)
    return done()


def styles_plot(styles: Mapping[str, Mapping[str, Any]]) -> str:
    """The mean score of each style, by the person and by the grader."""
    rows = sorted(styles.items(), key=lambda item: (item[1]["person"], item[1]["given"]))
    with _plot("styles", "Mean score by style", (_SIZE[0], 1.1 + 1.15 * _ROW * len(rows))) as (ax, done):
        y = range(len(rows))
        person, given = [row["person"] for _, row in rows], [row["given"] for _, row in rows]
        ax.hlines(y, person, given, color=LINE, linewidth=3)
        ax.plot(person, y, "o", color=PAPER, markeredgecolor=INK, markersize=6, label="person")
        ax.plot(given, y, "o", color=ACCENT, markersize=6, label="grader")
        ax.set_yticks(y, [_short(name) for name, _ in rows], color=INK)
        ax.set(xlim=(-0.15, MAX_SCORE + 0.15), ylim=(-0.7, len(rows) - 0.3), xlabel="mean score")
        ax.tick_params(length=0)
        ax.grid(True, axis="x")
        ax.legend(loc="lower right", bbox_to_anchor=(1, 1), ncols=2, borderaxespad=0)
    return done()


def slices_plot(slices: Mapping[str, Mapping[str, Mapping[str, Any]]], figure: str, label: str, overall: float) -> str:
    """One figure of every slice that has it, with its interval; hollow where there were too few questions for one. The
    line is the figure over all cases."""
    rows: list[tuple[str, Mapping[str, Any] | None]] = []
    for division, parts in slices.items():
        known = {name: row for name, row in parts.items() if row[figure] is not None}
        rows += [(f"by {division}", None), *known.items()] if known else []
    size = (_SIZE[0], 0.8 + _ROW * len(rows))
    with _plot(f"slices-{figure}", f"{label} by slice, with 95 % intervals", size) as (ax, done):
        ax.axvline(overall, color=MUTED, linewidth=0.9, linestyle=(0, (3, 3)))
        for y, (_, row) in enumerate(rows):
            if row is not None:
                span = (row["intervals"] or {}).get(figure)
                if span:
                    ax.hlines(y, *span, color=ACCENT, linewidth=1.6)
                ax.plot(row[figure], y, "o", color=ACCENT if span else PAPER, markeredgecolor=ACCENT, markersize=5)
        ax.set_yticks(range(len(rows)), [_short(name) for name, _ in rows])
        for tick, (_, row) in zip(ax.get_yticklabels(), rows, strict=True):
            tick.set_color(MUTED if row is None else INK)
            tick.set_fontweight("bold" if row is None else "normal")
        ax.set_ylim(len(rows) - 0.4, -0.6)
        ax.set_xlabel(label)
        ax.tick_params(length=0)
        ax.grid(True, axis="x")
    return done()


@contextmanager
def _plot(name: str, says: str, size: tuple[float, float]) -> Iterator[tuple[Axes, Callable[[], str]]]:
    """Axes to draw on, and a function that gives the SVG once the drawing is done. ``says`` is for who can't see it."""
    with matplotlib.rc_context({**_LOOK, "svg.hashsalt": name}):
        figure = Figure(figsize=size, layout="constrained")
        file = io.StringIO()
        yield figure.add_subplot(), lambda: _for_page(file.getvalue(), says)
        figure.savefig(file, format="svg", metadata={"Date": None})


def _for_page(svg: str, says: str) -> str:
    svg = _FONTS.sub("", _IDS.sub("", _PROLOGUE.sub("", svg)))
    svg = re.sub(r'<svg [^>]*viewBox="([^"]+)"[^>]*>', rf'<svg viewBox="\1" role="img" aria-label="{escape(says)}">', svg, count=1)  # fmt: skip
    for colour, variable in _VARIABLES.items():
        svg = svg.replace(colour, f"var(--{variable})")
    return svg.strip()


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST else name[: _LONGEST - 1] + "…"
