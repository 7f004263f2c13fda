"""``prompts``: a matrix of prompts and models over labelled cases, as JSON and as tables on the terminal.

Tables go to stdout; progress, and what a model failed at, to stderr.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from eval.commands.output import Json, write_json
from interviewer.errors import UsageError
from interviewer.settings import Settings, load_settings

if TYPE_CHECKING:
    from eval.prompts import Pair

_MODEL = re.compile(r"(?P<name>[a-z_]+:.+?)(?:@(?P<url>https?://\S+))?")
_ONE_AT_A_TIME = "gguf:"
_ANSWERS_BY_ITSELF = "transcript:"
_err = Console(stderr=True)


def add_prompts_command(app: typer.Typer) -> None:
    app.command()(prompts)


def prompts(
    cases: Annotated[
        list[Path], typer.Option(help="JSONL of question, answer, score, max_score, or a folder; may be given again.")
    ],
    prompt: Annotated[
        list[str] | None,
        typer.Option(help="A file of prompts/ in place of judge, without its ending; may be given again."),
    ] = None,
    model: Annotated[
        list[str] | None,
        typer.Option(help="provider:name, gguf:PATH or transcript:DIR, with @URL of a server; may be given again."),
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="A sample of so many replies, always the same.")] = None,
    json_out: Json = None,
    jobs: Annotated[int, typer.Option(min=1, help="Requests at a time.")] = 4,
) -> None:
    """How well prompts and models judge replies beside the embedded judge; every answer is kept and asked for once."""
    from eval.cases import read_cases

    settings, all_cases = load_settings(), read_cases(cases)
    labels = model or [settings.model or ""]
    if not all(labels):
        raise UsageError(
            "No language model is named, so nothing was asked. Give --model provider:name, or set INTERVIEWER_MODEL."
        )

    from eval.gate import run_name  # seconds, which nobody should wait for to hear of a wrong call
    from eval.prompts import run, sample
    from interviewer.grading.version import grader_version
    from interviewer.house import assemble

    pairs = list(_pairs(settings, prompt or ["judge"], labels, jobs))
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=_err) as progress:

        def stage(name: str, total: int) -> Callable[[], None]:
            task = progress.add_task(name, total=total)
            return lambda: progress.advance(task)

        found = run(sample(all_cases, limit), assemble(settings), pairs, jobs, stage)
    figures = {"run": run_name(cases), "grader": grader_version(), "limit": limit} | found
    write_json(json_out, figures)
    _tell_faults(figures)
    for table in tables(figures):
        Console().print(table)
    if any("overall" not in pair for pair in figures["pairs"]):
        raise typer.Exit(1)


def _pairs(settings: Settings, prompts: list[str], labels: list[str], jobs: int) -> Iterator[Pair]:
    from eval.prompts import Pair, check_prompt
    from interviewer.llm import open_language_model
    from interviewer.llm.cache import AnswerCache

    prompts = list(dict.fromkeys(prompts))
    for name in prompts:
        check_prompt(name)
    cache = AnswerCache(settings.home / "eval" / "calls.sqlite3")
    for label in dict.fromkeys(labels):
        kept = None if label.startswith(_ANSWERS_BY_ITSELF) else cache
        opened = open_language_model(settings_for(label, settings), kept)
        assert opened  # a name was given
        for name in prompts:
            yield Pair(name, label, opened, 1 if label.startswith(_ONE_AT_A_TIME) else jobs)


def settings_for(label: str, settings: Settings) -> Settings:
    """``settings`` with the model that ``label`` names. The key goes only to the provider and the address that it was set
    for, and prices belong to the one model that they were set for. Raises UsageError where ``label`` is no name."""
    parts = _MODEL.fullmatch(label)
    if not parts:
        raise UsageError(f"{label!r} names no model; it is provider:name, with @URL of a server. Nothing was asked.")
    name, url = parts["name"], parts["url"]
    if name == settings.model and url in (None, settings.model_url):
        return settings.model_copy(update={"voice_model": None})
    if settings.session_dollars is not None:
        raise UsageError(
            f"INTERVIEWER_SESSION_DOLLARS can't be kept for {label}, whose prices nobody named. Nothing was asked. Unset it, or "
            "set INTERVIEWER_MODEL to this model, with its prices, and leave --model out."
        )
    same_place = url == settings.model_url and name.partition(":")[0] == (settings.model or "").partition(":")[0]
    return settings.model_copy(
        update={
            "model": name,
            "model_url": url,
            "model_key": settings.model_key if same_place else None,
            "model_price_in": None,
            "model_price_out": None,
            "voice_model": None,
        }
    )


def _tell_faults(figures: Mapping[str, Any]) -> None:
    for number, pair in enumerate(figures["pairs"], 1):
        for reason, count in pair["unscored_because"].items():
            _err.print(f"{number}: {count} left out: {reason}", style="yellow", markup=False, highlight=False)
        if faults := ", ".join(f"{count} {kind}" for kind, count in pair["faults"].items()):
            line = f"{number}: faults: {faults}. They aren't kept; the same command asks for these again."
            _err.print(line, style="yellow", markup=False, highlight=False, soft_wrap=True)


def tables(figures: Mapping[str, Any]) -> Iterator[Table]:
    """In the order in which they are read: who is who, how well they grade, the differences, what the models thought and
    took."""
    yield _names(figures)
    yield _agreement(figures)
    yield _differences(figures)
    yield _own(figures)
    for number, pair in enumerate(figures["pairs"], 1):
        if pair["opinion"]["says"]:
            yield _says(number, pair["opinion"])


def _names(figures: Mapping[str, Any]) -> Table:
    table = _table(
        f"{escape(figures['run'])}: {figures['cases']} replies to {figures['questions']} questions", "prompt", "model"
    )
    table.add_row("0", "", "the embedded judge alone")
    for number, pair in enumerate(figures["pairs"], 1):
        table.add_row(str(number), f"{pair['prompt']} {pair['digests'][pair['prompt']]}", escape(pair["model"]))
    return table


def _agreement(figures: Mapping[str, Any]) -> Table:
    columns = ("n", "r", "QWK", "RMSE", "right", "cov.", "part.", "miss.", "contr.", "prec.", "recall")
    table = _table("Scores; points: right of all, F1 by standing; misconceptions", *columns)
    for number, row in enumerate([figures["embedded"], *figures["pairs"]]):
        if "overall" not in row:
            table.add_row(str(number), "0")
            continue
        overall, points, misconceptions = row["overall"], row["points"]["all"], row["misconceptions"]
        classes = points.get("classes", {})
        table.add_row(
            str(number),
            f"{overall['n']:.0f}",
            *(_number(overall[name]) for name in ("pearson", "qwk", "rmse")),
            _number(points.get("accuracy")),
            *(_number(classes.get(name, {}).get("f1")) for name in ("covered", "partial", "missing", "contradicted")),
            *(_number(misconceptions.get(name)) for name in ("precision", "recall")),
        )
    return table


def _differences(figures: Mapping[str, Any]) -> Table:
    table = _table("Beside the embedded judge, on the same replies", "", "embedded", "pair", "difference, 95 %", "")
    for number, pair in enumerate(figures["pairs"], 1):
        for name, row in pair.get("beside_embedded", {}).get("differences", {}).items():
            span = " ({:+.3f} to {:+.3f})".format(*row["interval"]) if row["interval"] else ""
            numbers = (_number(row["before"]), _number(row["after"]), f"{row['difference']:+.3f}{span}")
            table.add_row(str(number), name, *numbers, row["verdict"])
        table.add_section()
    return table


def _own(figures: Mapping[str, Any]) -> Table:
    columns = ("right", "embedded", "refused", "faults", "calls", "kept", "1000 tok.", "s", "$")
    table = _table("The models' first readings of points, beside the embedded judge's; their quotes", *columns)
    for number, pair in enumerate(figures["pairs"], 1):
        opinion, use = pair["opinion"], pair["use"]
        table.add_row(
            str(number),
            _number(opinion["first"].get("accuracy")),
            _number(opinion["embedded"].get("accuracy")),
            _percent(pair["quotes"]["share"]),
            str(sum(pair["faults"].values())),
            str(use["calls"]),
            _percent(use["from_cache"]),
            f"{(use['tokens_in'] + use['tokens_out']) / 1000:.1f}",
            f"{use['seconds']:.0f}",
            "" if use["money"] is None else f"{use['money']:.2f}",
        )
    return table


def _says(number: int, opinion: Mapping[str, Any]) -> Table:
    from interviewer.grading.panel import SAYS, SAYS_HELD
    from interviewer.models import Standing

    table = _table(f"{number} says of a point, by its label (in brackets: what the panel assumes)", "n", *Standing)
    for true, row in opinion["says"].items():
        assumed = SAYS[Standing(true)]
        table.add_row(true, f"{row['n']:.0f}", *(f"{row[s]:.0%} ({assumed[s]:.0%})" for s in Standing))
    for true, row in opinion["says_held"].items():
        table.add_row(true, f"{row['n']:.0f}", f"{row['said']:.0%} ({SAYS_HELD[true == 'held']:.0%}) held")
    return table


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column("")
    for column in columns:
        table.add_column(column, justify="left" if column in ("prompt", "model") else "right", overflow="fold")
    return table


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def _percent(share: float | None) -> str:
    return "" if share is None else f"{share:.0%}"
