"""``train``: the judge's weights and rules, from the labelled cases in this folder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

_err = Console(stderr=True)


def add_train_command(app: typer.Typer) -> None:
    app.command()(train)


def train(
    out: Annotated[
        Path | None, typer.Option(help="Where to write weights and card; into the package where not given.")
    ] = None,
    passes: Annotated[int | None, typer.Option(min=1, help="Over all labelled replies and statements.")] = None,
    seed: Annotated[int, typer.Option(help="Of every draw.")] = 0,
    public: Annotated[
        Path | None, typer.Option(exists=True, help="Graded answers of a public set, for a first pass.")
    ] = None,
    rules_only: Annotated[bool, typer.Option("--rules-only", help="Keep the weights; fit only what decides.")] = False,
) -> None:
    """Trains the judge's reader and fits its rules: an hour and a quarter on two cores, minutes on a GPU."""
    from eval.train import PASSES, fit_rules_of, train_reader
    from interviewer.grading.reader import ROOM

    def say(line: str) -> None:
        _err.print(line, markup=False, highlight=False)

    folder = out or ROOM
    if not rules_only:
        train_reader(folder, public=public, passes=passes or PASSES, seed=seed)
    figures = fit_rules_of(folder, progress=say)["figures"]
    table = Table()
    for column in ["", *next(iter(figures.values()))]:
        table.add_column(column, justify="right" if column else "left")
    for name, row in figures.items():
        table.add_row(name, *(f"{value:g}" for value in row.values()))
    Console().print(table)
