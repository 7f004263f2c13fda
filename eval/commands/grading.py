"""``grading`` and ``compare``: agreement with people, as JSON, as a page and as tables on the terminal.

Tables go to stdout; progress, and what a gate says, to stderr.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from eval.commands.output import Json, write_json, write_text
from interviewer.settings import Settings, load_settings

if TYPE_CHECKING:
    from eval.cases import Case
    from interviewer.interview.single import Graded

_FIGURES = {  # as they are called in a table, which has to fit into 80 columns
    "n": "n",
    "pearson": "r",
    "spearman": "rho",
    "qwk": "QWK",
    "rmse": "RMSE",
    "exact": "same",
    "within_one": "±1",
    "given": "given",
    "person": "person",
}
_err = Console(stderr=True)


def add_grading_commands(app: typer.Typer) -> None:
    app.command()(grading)
    app.command()(compare)


def grading(
    cases: Annotated[
        list[Path], typer.Option(help="JSONL of question, answer, score, max_score, or a folder; may be given again.")
    ],
    json_out: Json = None,
    html: Annotated[Path | None, typer.Option(help="Write a page with plots and the worst mistakes here.")] = None,
    jobs: Annotated[int, typer.Option(min=1, help="Processes that grade.", show_default="one a core")] = (
        os.cpu_count() or 1
    ),
    ray: Annotated[bool, typer.Option("--ray", help="Grade on a Ray cluster.")] = False,
    again: Annotated[bool, typer.Option("--again", help="Grade also what was graded before.")] = False,
    gate: Annotated[
        bool, typer.Option("--gate", help="Exit with 1 where a figure is beyond its stored bound.")
    ] = False,
) -> None:
    """Agreement of the grading with people's scores."""
    from eval.cases import read_cases
    from eval.gate import bounds_of, broken, run_name
    from eval.html import check_installed, page

    run = run_name(cases)
    bounds = bounds_of(run) if gate else {}
    if html:
        check_installed()

    from eval.grading import evaluate  # seconds, which nobody should wait for to hear of a wrong call
    from interviewer.grading.version import grader_version
    from interviewer.house import assemble

    settings, all_cases = load_settings(), read_cases(cases)
    graded = _grade(all_cases, settings, jobs, ray, again)
    house = assemble(settings)
    questions = {question.id: question for question in house.bank.questions()}
    figures = {"run": run, "grader": grader_version()} | evaluate(all_cases, graded, questions, house.embedder.encode)
    _print_grading(figures)
    write_json(json_out, figures)
    if html:
        write_text(html, page(figures))
    if sentences := broken(figures, bounds, run):
        for sentence in sentences:
            _err.print(sentence, style="red", markup=False, highlight=False, soft_wrap=True)
        raise typer.Exit(1)


def compare(before: Path, after: Path, json_out: Json = None) -> None:
    """What changed between two gradings of the same cases, from their JSON, and whether it is more than chance."""
    from eval.compare import compare as run
    from eval.compare import read_run

    figures = run(read_run(before), read_run(after))
    _print_comparison(figures)
    write_json(json_out, figures)


def _grade(cases: list[Case], settings: Settings, jobs: int, ray: bool, again: bool) -> list[Graded]:
    from eval.runner import grade_all

    columns = (TextColumn("grading"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=_err, transient=True) as progress:
        task = progress.add_task("", total=len(cases))
        return grade_all(
            cases, settings, jobs=jobs, over_ray=ray, again=again, advance=lambda done: progress.advance(task, done)
        )


def _print_grading(figures: Mapping[str, Any]) -> None:
    for reason, count in figures["unscored_because"].items():
        _err.print(f"{count} unscored: {reason}", style="yellow", markup=False, highlight=False)
    title = f"{figures['run']}: {figures['cases']} cases, {figures['unscored']} unscored"
    if "overall" not in figures:
        Console().print(title, markup=False)
        return
    table = _table(title, tuple(_FIGURES.values()))
    graded = {"all": figures["overall"], "within questions": figures["within_questions"]}
    for part in (graded, figures["baselines"], figures["raters"], figures["slices"].get("style", {})):
        for name, row in part.items():
            table.add_row(escape(name), *(_number(column, row.get(column)) for column in _FIGURES))
        table.add_section()
    Console().print(table)
    _print_details(figures)


def _print_details(figures: Mapping[str, Any]) -> None:
    lines = []
    for name, (low, high) in (figures["overall"]["intervals"] or {}).items():
        lines.append(f"{name}: {figures['overall'][name]:.3f}, 95 % interval {low:.3f} to {high:.3f}")
    if points := figures["points"]["all"]:
        each = ", ".join(f"{name} {row['f1']:.3f}" for name, row in points["classes"].items())
        lines.append(f"points: accuracy {points['accuracy']:.3f}, F1 of {each}")
    if found := figures["misconceptions"]:
        lines.append(f"misconceptions: precision {found['precision']:.3f}, recall {found['recall']:.3f}")
    for ways, row in figures["classes"].items():
        lines.append(f"{ways}: macro-F1 {row['macro_f1']:.3f}, weighted F1 {row['weighted_f1']:.3f}")
    for name, row in figures["calibration"].items():
        if row:
            lines.append(f"calibration error (ECE) of {name}: {row['ece']:.3f}")
    for row in figures["coverage"]["at"].values():
        numbers = f"RMSE {row['rmse']:.3f}, {row['close']:.1%} within half a point"
        lines.append(f"scoring the surest {row['coverage']:.0%}: {numbers}")
    for style, row in figures["targets"].items():
        mark = "✓" if row["met"] else "✗"
        lines.append(f"{mark} {style} {row['bound']}: {row['beyond']} of {row['n']}, allowed {row['allowed']:.0%}")
    for line in lines:
        Console().print(line, markup=False, highlight=False, soft_wrap=True)


def _print_comparison(figures: Mapping[str, Any]) -> None:
    left_out = ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in figures["left_out"].items() if count)
    title = f"{figures['cases']} cases of {figures['questions']} questions" + (left_out and f"; left out: {left_out}")
    table = _table(title, ("before", "after", "difference", "95 % interval", "verdict"))
    for name, row in figures["differences"].items():
        span = "{:+.3f} to {:+.3f}".format(*row["interval"]) if row["interval"] else "too few questions"
        numbers = (f"{row['before']:.3f}", f"{row['after']:.3f}", f"{row['difference']:+.3f}")
        table.add_row(name, *numbers, span, row["verdict"])
    out = Console()
    out.print(table)
    changed = figures["changed"]
    out.print(
        f"{changed['total']} scores changed: {changed['nearer']} nearer to the person's, {changed['farther']} farther"
    )
    for row in changed["most"]:
        moved = "; ".join(f"{name} {change}" for name, change in row["points"].items())
        line = f"{row['id']}: {row['before']:g} → {row['after']:g}, person {row['person']:g}. {moved}"
        out.print(line, markup=False, highlight=False, soft_wrap=True)


def _table(title: str, columns: tuple[str, ...]) -> Table:
    table = Table(title=escape(title), title_justify="left", box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for column in ("", *columns):
        table.add_column(column, justify="right" if column else "left")
    return table


def _number(column: str, value: float | None) -> str:
    digits = {"n": 0, "given": 2, "person": 2}.get(column, 3)
    return "" if value is None else f"{value:.{digits}f}"
