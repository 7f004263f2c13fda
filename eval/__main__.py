"""``python -m eval``: figures about the interviewer, and the training of its judge."""

from __future__ import annotations

import sys
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from eval.bench import Part
from eval.commands.grading import add_grading_commands
from eval.commands.interview import add_interview_command
from eval.commands.output import Json, write_json
from eval.commands.prompts import add_prompts_command
from eval.commands.robustness import add_robustness_command
from eval.commands.train import add_train_command
from interviewer.errors import InterviewerError
from interviewer.settings import load_settings

app = typer.Typer(help=__doc__, no_args_is_help=True, pretty_exceptions_enable=False, add_completion=False)
_err = Console(stderr=True)
add_grading_commands(app)
add_interview_command(app)
add_prompts_command(app)
add_robustness_command(app)
add_train_command(app)


@app.command()
def retrieval(
    json_out: Json = None,
) -> None:
    """How often a search by other words finds the right question of the bank first."""
    from eval.retrieval import CHOSEN_ON, PARAPHRASES, RIDDLES, evaluate, read_paraphrases
    from interviewer.house import assemble

    bank = assemble(load_settings()).bank
    sets = {path.stem: evaluate(bank, read_paraphrases(path)) for path in (PARAPHRASES, CHOSEN_ON, RIDDLES)}
    write_json(json_out, sets)
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
    json_out: Json = None,
    only: Annotated[Part | None, typer.Option(help="One part alone.")] = None,
) -> None:
    """How quick the sandbox, the search, the judge and the page with 20 people at it are, as ratios measured side by side."""
    from eval.bench import bench as run

    figures = run(load_settings(), only)
    write_json(json_out, figures)
    table = Table(title=figures["machine"], show_header=False)
    for name, value in figures.items():
        table.add_row(name, f"{value:.3g}" if isinstance(value, float) else str(value))
    Console().print(table)


@app.command()
def agreement(
    json_out: Json = None,
) -> None:
    """How far the grader and the people who decided its reviews agree, by month."""
    from eval.agreement import agreement_over_time
    from interviewer.store import Store

    figures = agreement_over_time(Store(load_settings().database).reviews())
    write_json(json_out, figures)
    table = Table(title=f"{figures['overall']['reviews']} reviews decided, {figures['waiting']} waiting")
    columns = ["reviews", "upheld", "points", "qwk", "mean_absolute_difference"]
    for column in ["", *columns]:
        table.add_column(column.replace("_", " "), justify="right" if column else "left")
    for name, row in {"all": figures["overall"], **figures["by_month"]}.items():
        slices = {name: row, **{f"  {k}": v for k, v in {**row["by_kind"], **row["by_judge"]}.items()}}
        for label, some in slices.items():
            table.add_row(label, *("" if some[c] is None else f"{some[c]:g}" for c in columns))
    Console().print(table)


def main() -> None:
    try:
        app()
    except InterviewerError as error:
        _err.print(str(error), style="red", markup=False, highlight=False, soft_wrap=True)
        sys.exit(error.exit_code)


if __name__ == "__main__":
    main()
