"""``robustness``: how far edits of replies move the score; figures as JSON and as tables on the terminal.

Tables go to stdout, progress to stderr.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from eval.commands.output import Json, write_json
from interviewer.settings import load_settings

if TYPE_CHECKING:
    from eval.cases import Case
    from interviewer.interview.single import Graded

_WRONG = {
    "no_gain": "gained a level",
    "same": "moved by a level",
    "lower": "not lowered",
    "zero": "earned a level, or too slow",
    "bounded": "gained a level, or too slow",
}
_err = Console(stderr=True)


def add_robustness_command(app: typer.Typer) -> None:
    app.command()(robustness)


def robustness(
    cases: Annotated[
        Path | None, typer.Option(help="JSONL of cases, or a folder; the test part where not given.")
    ] = None,
    each: Annotated[int, typer.Option(min=1, help="Replies that each edit is tried on.")] = 40,
    jobs: Annotated[int, typer.Option(min=1, help="Processes that grade.")] = 1,
    json_out: Json = None,
) -> None:
    """How far edits of replies move the score: injections, rewording, flipped statements, floods of text."""
    from eval.cases import our_cases, read_cases
    from eval.robustness import run
    from eval.runner import grade_all
    from interviewer.house import assemble

    settings, all_cases = load_settings(), read_cases([cases]) if cases else our_cases("test")
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    stages = iter(("untouched", "edited"))
    with Progress(*columns, console=_err) as progress:

        def grade(some: Sequence[Case]) -> list[Graded]:
            task = progress.add_task(next(stages), total=len(some))
            return grade_all(some, settings, jobs=jobs, advance=lambda done: progress.advance(task, done))

        figures = run(all_cases, grade, assemble(settings).bank.own_questions(), each=each)
    write_json(json_out, figures)
    for table in tables(figures):
        Console().print(table)


def tables(figures: dict[str, Any]) -> Iterator[Table]:
    """In the order in which they are read: the single edits first, what they come to last."""
    yield _edits(figures)
    yield _totals(figures)
    yield _targets(figures)


def _edits(figures: dict[str, Any]) -> Table:
    title = f"{figures['graded']} edited replies of {figures['cases']}, {figures['unscored']} of them unscored"
    table = _table(title, "edit", "n", "wrong", "", "over 0", "at all", "mean", "s")
    family = ""
    for name, row in figures["edits"].items():
        if row["family"] != family:
            family = row["family"]
            table.add_row(f"[bold]{family}[/]: wrong is {_WRONG[row['expects']]}")
        above = f"{row['above_zero']['moved_wrong']}/{row['above_zero']['n']}"
        counts = (str(row["n"]), str(row["moved_wrong"]), f"{row['share']:.0%}", above, str(row["any"]))
        table.add_row(f"  {name}", *counts, f"{row['mean_change']:+.2f}", f"{row['slowest']:.1f}")
    return table


def _totals(figures: dict[str, Any]) -> Table:
    table = _table("Totals, with intervals of 95 %", "", "n", "wrong", "", "interval", "over 0", "at all", "mean")
    for group in ("expectations", "families"):
        for name, row in figures[group].items():
            above = f"{row['above_zero']['moved_wrong']}/{row['above_zero']['n']}"
            counts = (str(row["n"]), str(row["moved_wrong"]), f"{row['share']:.1%}", _interval(row), above)
            table.add_row(name, *counts, str(row["any"]), f"{row['mean_change']:+.2f}")
        table.add_section()
    return table


def _targets(figures: dict[str, Any]) -> Table:
    table = _table("Targets", "", "count", "", "interval", "wanted", "met")
    for row in figures["targets"]:
        wanted = f"at most {row['at_most']:.0%}" if "at_most" in row else f"at least {row['at_least']:.0%}"
        counts = (f"{row['count']}/{row['n']}", f"{row['share']:.1%}", _interval(row))
        table.add_row(row["name"], *counts, wanted, "yes" if row["met"] else "no")
    return table


def _interval(row: dict[str, Any]) -> str:
    return f"{100 * row['low']:.1f}–{100 * row['high']:.1f}"


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title, box=SIMPLE_HEAD, pad_edge=False)
    for n, column in enumerate(columns):
        table.add_column(column, justify="right" if n else "left", no_wrap=n > 0, overflow="fold")
    return table
