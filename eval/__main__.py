"""``python -m eval``: figures about the interviewer, and the training of its judge."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from interviewer.errors import InterviewerError
from interviewer.settings import load_settings

app = typer.Typer(help=__doc__, no_args_is_help=True, pretty_exceptions_enable=False, add_completion=False)
_err = Console(stderr=True)


@app.command()
def grading(
    cases: Annotated[
        list[Path], typer.Option(help="JSONL of question, answer, score, max_score, or a folder; may be given again.")
    ],
    json_out: Annotated[Path | None, typer.Option("--json", help="Write all figures here.")] = None,
) -> None:
    """Agreement of the grading with people's scores."""
    from eval.cases import read_cases
    from eval.grading import evaluate
    from interviewer.house import assemble

    figures = evaluate(read_cases(cases), assemble(load_settings()))
    _write(json_out, figures)
    _print(figures)


@app.command()
def train() -> None:
    """Fits the judge's point model on our labelled replies; prints figures for questions left out of the fit."""
    from eval.train import train as run

    for name, value in run().items():
        typer.echo(f"{name}: {value:.3f}")


@app.command()
def retrieval(
    json_out: Annotated[Path | None, typer.Option("--json", help="Write all figures here.")] = None,
) -> None:
    """How often a search by other words finds the right question of the bank first."""
    from eval.retrieval import CHOSEN_ON, PARAPHRASES, RIDDLES, evaluate, read_paraphrases
    from interviewer.house import assemble

    bank = assemble(load_settings()).bank
    sets = {path.stem: evaluate(bank, read_paraphrases(path)) for path in (PARAPHRASES, CHOSEN_ON, RIDDLES)}
    _write(json_out, sets)
    for miss in sets[PARAPHRASES.stem]["misses"]:
        rank = miss["rank"] or "over 10"
        _err.print(f"{miss['wanted']}: rank {rank}, first {miss['first']}: {miss['text']}", markup=False)
    table = Table()
    for column in ("", "searches", "first", "first three", "mean reciprocal rank", "median ms"):
        table.add_column(column, justify="right" if column else "left")
    for name, row in sets.items():
        shares = (f"{row['first']:.1%}", f"{row['first_three']:.1%}", f"{row['mrr']:.3f}")
        table.add_row(name, str(row["searches"]), *shares, f"{row['median_ms']:.0f}")
    Console().print(table)


@app.command()
def bench(
    json_out: Annotated[Path | None, typer.Option("--json", help="Write all figures here.")] = None,
) -> None:
    """How quick the sandbox and the search are, as ratios measured side by side."""
    from eval.bench import bench as run

    figures = run(load_settings())
    _write(json_out, figures)
    table = Table(title=f"{figures['machine']}; task {figures['task']}", show_header=False)
    for name, value in figures.items():
        table.add_row(name, f"{value:.3g}" if isinstance(value, float) else str(value))
    Console().print(table)


def _write(json_out: Path | None, figures: dict[str, Any]) -> None:
    if json_out:
        json_out.write_text(json.dumps(figures, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _print(figures: dict[str, Any]) -> None:
    rows = {
        "all": figures["overall"],
        **{f"baseline: {k}": v for k, v in figures["baselines"].items()},
        **figures["by_style"],
    }
    table = Table(title=f"{figures['cases']} cases, {figures['unscored']} unscored")
    columns = ["n", "pearson", "spearman", "qwk", "rmse", "exact", "within_one", "given", "person"]
    for column in ["", *columns]:
        table.add_column(column, justify="right" if column else "left")
    for name, row in rows.items():
        table.add_row(name, *(f"{row[c]:g}" if c in row else "" for c in columns))
    Console().print(table)


def main() -> None:
    try:
        app()
    except InterviewerError as error:
        _err.print(str(error), style="red", markup=False, highlight=False, soft_wrap=True)
        sys.exit(error.exit_code)


if __name__ == "__main__":
    main()
