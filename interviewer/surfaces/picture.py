"""The levels of a report as a picture: a dot for each topic, and a bar for where the level likely lies.

As SVG that stands alone or inside a page, in light and in dark, its words being text; as PNG where SVG isn't understood. Drawn by
matplotlib, which is loaded at the first picture and not before. Deterministic.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from html import escape
from threading import Lock
from typing import TYPE_CHECKING, Any

from interviewer.models import Level, TopicEstimate
from interviewer.surfaces.render import interval_text, level_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# No two alike, and none that matplotlib would choose itself: an SVG gets variables in their place.
_INK, _MUTED, _LINE, _BAR, _DOT = "#0a0b01", "#0a0b02", "#0a0b03", "#0a0b04", "#0a0b05"
_LIGHT = {_INK: "#1d2733", _MUTED: "#5a6673", _LINE: "#d5dbe1", _BAR: "#a9c6ee", _DOT: "#1f5fbf"}
_DARK = {_INK: "#e6ebf0", _MUTED: "#a4afba", _LINE: "#3b4652", _BAR: "#34558a", _DOT: "#8db8ff"}
_NAMES = {_INK: "ink", _MUTED: "muted", _LINE: "line", _BAR: "bar", _DOT: "dot"}

_WIDTH = 4.6  # inches; small, so that its words stay readable on a phone
_ROW = 0.36
_AROUND = 0.85  # inches for the scale and what it means
_SCALE = (-0.85, 3.85)  # in level ranks
_BARS = (-0.5, 3.5)  # where bars and dots may be; an arrow beside a bar says that it goes on
_ARROWS = (-0.7, 3.7)
_MARGIN = 0.07  # inches
_PIXELS = 200  # an inch
_LOOK: dict[Any, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": 10.5,
    "text.color": _INK,
    "text.parse_math": False,
    "svg.fonttype": "none",
    "svg.hashsalt": "levels",
}
_drawing = Lock()  # matplotlib's settings belong to the process

_PROLOGUE = re.compile(r"^.*?(?=<svg)|<metadata>.*?</metadata>|<style.*?</style>", re.DOTALL)
_IDS = re.compile(r' id="[\w.]+_\d+"')  # of groups; what is referred to is named by a hash
_FONTS = re.compile(r"font-family: [^;\"]+; ")
_NOTHING = re.compile(r"<defs>\s*</defs>|<g/>|\s+(?=\n)")


def levels_svg(topics: Sequence[TopicEstimate]) -> str:
    """For a page, or a file of its own. A page with colours of its own sets ``--levels-ink``, ``-muted``, ``-line``, ``-bar`` and
    ``-dot`` on its elements of class ``levels``."""
    with _drawn(topics) as figure:
        file = io.StringIO()
        figure.savefig(file, format="svg", metadata={"Date": None}, transparent=True)
    svg = _NOTHING.sub("", _FONTS.sub("", _IDS.sub("", _PROLOGUE.sub("", file.getvalue()))))
    for colour, name in _NAMES.items():
        svg = svg.replace(colour, f"var(--levels-{name})")
    says = escape(levels_text(topics))
    opening = (
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="{_size(topics)}" '
        f'class="levels" role="img" aria-label="Levels by topic. {says}">'
        f"<title>Levels by topic</title><desc>{says}</desc><style>{_style()}</style>"
    )
    return re.sub(r"<svg [^>]*>", lambda _: opening, svg, count=1).strip()


def levels_png(topics: Sequence[TopicEstimate]) -> bytes:
    """On white; 920 pixels wide."""
    with _drawn(topics, _LIGHT) as figure:
        file = io.BytesIO()
        figure.savefig(file, format="png", dpi=_PIXELS, facecolor="white", metadata={"Software": None})
    return file.getvalue()


def levels_text(topics: Sequence[TopicEstimate]) -> str:
    """The picture in words, for who can't see it."""
    return " ".join(f"{t.topic.value}: {level_text(t.ability)}, likely between {interval_text(t)}." for t in topics)


@contextmanager
def _drawn(topics: Sequence[TopicEstimate], colours: dict[str, str] | None = None) -> Iterator[Figure]:
    """The picture, to be saved while this lasts. ``colours``: in place of the stand-ins."""
    import matplotlib
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    given = colours or {colour: colour for colour in _NAMES}
    with _drawing, matplotlib.rc_context({**_LOOK, "text.color": given[_INK]}):
        figure = Figure(figsize=(_WIDTH, _height(topics)), layout=ConstrainedLayoutEngine(h_pad=_MARGIN))
        _draw(figure.add_subplot(), topics, given)
        yield figure


def _height(topics: Sequence[TopicEstimate]) -> float:
    return _AROUND + _ROW * max(1, len(topics))


def _size(topics: Sequence[TopicEstimate]) -> str:
    """As an SVG says it, in points."""
    return f"0 0 {72 * _WIDTH:g} {72 * _height(topics):g}"


def _draw(ax: Axes, topics: Sequence[TopicEstimate], colours: dict[str, str]) -> None:
    from matplotlib.lines import Line2D

    rows = range(len(topics))
    ax.spines[:].set_visible(False)
    ax.set_xlim(*_SCALE)
    ax.set_ylim(max(1, len(topics)) - 0.5, -0.5)
    ax.xaxis.tick_top()
    ax.set_xticks(range(len(Level)), [level.value for level in Level], color=colours[_MUTED])
    ax.set_yticks(rows, [t.topic.value for t in topics], color=colours[_INK])
    ax.tick_params(length=0)
    ax.vlines(range(len(Level)), -0.5, len(topics) - 0.5, color=colours[_LINE], linewidth=0.9, clip_on=False, zorder=0)
    bar: dict[str, Any] = {"color": colours[_BAR], "linewidth": 8, "solid_capstyle": "round"}
    dot: dict[str, Any] = {"color": colours[_DOT], "marker": "o", "markersize": 7.5, "linestyle": ""}
    hollow: dict[str, Any] = {**dot, "markerfacecolor": "none", "markeredgewidth": 1.5}
    for row, topic in enumerate(topics):
        ends = topic.ability - topic.sd, topic.ability + topic.sd
        ax.plot([_within(end) for end in ends], (row, row), clip_on=False, zorder=1, **bar)
        ax.plot(_within(topic.ability), row, clip_on=False, zorder=2, **(dot if topic.asked else hollow))
        for end, at, marker in zip(ends, _ARROWS, "<>", strict=True):
            if end != _within(end):
                ax.plot(at, row, color=colours[_BAR], marker=marker, markersize=5.5, clip_on=False)
    shown = [Line2D([], [], label="level shown", **dot), Line2D([], [], label="where it likely lies", **bar)]
    if not all(t.asked for t in topics):
        shown.insert(1, Line2D([], [], label="nothing graded", **hollow))
    ax.legend(
        handles=shown,
        loc="upper right",
        bbox_to_anchor=(1, 0),
        ncols=len(shown),
        frameon=False,
        fontsize=9,
        labelcolor=colours[_MUTED],
        handlelength=1.1,
        handletextpad=0.95,
        columnspacing=1.2,
        borderaxespad=0.4,
    )


def _within(rank: float) -> float:
    return min(_BARS[1], max(_BARS[0], rank))


def _style() -> str:
    def variables(colours: dict[str, str]) -> str:
        return "".join(f"--levels-{name}:{colours[colour]};" for colour, name in _NAMES.items())

    return (
        f".levels{{display:block;width:100%;max-width:34rem;height:auto;{variables(_LIGHT)}}}"
        ".levels text{font-family:system-ui,'DejaVu Sans',sans-serif}"
        f"@media screen and (prefers-color-scheme:dark){{.levels{{{variables(_DARK)}}}}}"
    )
