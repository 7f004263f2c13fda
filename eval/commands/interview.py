"""``interview``: simulated candidates play whole interviews; figures as JSON and as tables on the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from eval.commands.output import Json, write_json
from interviewer.errors import UsageError
from interviewer.settings import load_settings

_err = Console(stderr=True)


def add_interview_command(app: typer.Typer) -> None:
    app.command()(interview)


def interview(
    each: Annotated[int, typer.Option(min=1, help="Candidates that play; 28 are every level in every manner.")] = 24,
    seed: Annotated[int, typer.Option(help="The same seed gives the same interviews.")] = 0,
    jobs: Annotated[int, typer.Option(min=1, help="Processes that play.")] = 1,
    json_out: Json = None,
) -> None:
    """Simulated candidates of a known level play whole interviews: what follow-ups hit, how soon the level is found."""
    from eval.feel import figures
    from eval.interviews import PLAN, play_all

    if json_out and not json_out.parent.is_dir():
        raise UsageError(f"{json_out.parent} is no folder, so the figures couldn't be written. Nothing was played.")
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=_err) as progress:
        task = progress.add_task("interviews", total=each)
        played = play_all(each, seed, load_settings(), jobs=jobs, advance=lambda: progress.advance(task))
    found = figures(played, PLAN)
    write_json(json_out, {"seed": seed, **found, "played": [one.model_dump(mode="json") for one in played]})
    for table in tables(found):
        Console().print(table)


def tables(found: dict[str, Any]) -> Iterator[Table]:
    """What is said and what of it is heard; the level; the manners; what was said twice."""
    yield _what_was_asked(found)
    yield _ability(found["ability"])
    yield _manners(found["by_manner"])
    yield _repeated(found["feel"]["most_repeated"])


def _what_was_asked(found: dict[str, Any]) -> Table:
    asked, unsaid, wrong, points = (found[name] for name in ("follow_ups", "won_back", "misconceptions", "points"))
    feel, leaks = found["feel"], found["leaks"]
    again = ", ".join(f"{count} taken as {name}" for name, count in asked["of_these_taken_as"].items())
    rows = {
        "follow-ups": str(asked["n"]),
        "  on what was missing": _percent(asked["missing"]),
        "  on what was wrong": _percent(asked["contradicted"]),
        "  on what had been said": f"{_percent(asked['asked_again'])}{f' ({again})' if again else ''}",
        "known but left out at first": str(unsaid["n"]),
        "  asked for by a follow-up": _percent(unsaid["asked_for"]),
        "  and credited": _percent(unsaid["credited"]),
        "misconceptions that were said": str(wrong["held"]),
        "  found": _percent(wrong["found"]),
        "  right of those claimed": f"{_percent(wrong['of_these_right'])} of {wrong['claimed']}",
        "points graded as they stood": f"{_percent(points['right'])} of {points['n']}",
        "score beside the true one": f"r {_number(points['score_correlation'])}, off by {_number(points['score_error'])}",
        "follow-ups that give a claim away": _leaking(leaks["follow_ups"]),
        "hints that give a claim away": _leaking(leaks["hints"]),
        "turns of an interview": _number(feel["turns"]),
        "words of a turn": _number(feel["words_a_turn"]),
        "sentences said again in an interview": _number(feel["repeats"]),
        "answers not taken for one": str(feel["misheard"]),
        "milliseconds of a turn": f"{_number(feel['milliseconds']['median'])}, p95 {_number(feel['milliseconds']['p95'])}",
        "said in": ", ".join(f"{source} {_percent(share)}" for source, share in found["said_from"].items()),
    }
    table = Table(title=f"{found['interviews']} interviews, {found['questions']} questions", box=SIMPLE_HEAD)
    table.add_column("")
    table.add_column("", overflow="fold")
    for name, value in rows.items():
        table.add_row(name, value)
    return table


def _ability(found: dict[str, Any]) -> Table:
    table = Table(title="True and estimated level, in levels", box=SIMPLE_HEAD)
    for column in ("grades", "after questions", "error", "bias", "r", "within half a level"):
        table.add_column(column, justify="right" if column != "grades" else "left")
    for grades, figures in found.items():
        for count, row in figures["after"].items():
            close = _percent(row["close"]) if "close" in row else ""
            shown = (_number(row.get(name)) for name in ("error", "bias", "correlation"))
            table.add_row(grades if count == "0" else "", count, *shown, close)
        until = figures["questions_until_close"]
        table.add_row(
            "", "", f"close from question {until:g}" if until else "half or more never stay close", end_section=True
        )
    return table


def _manners(found: dict[str, Any]) -> Table:
    table = Table(title="By manner", box=SIMPLE_HEAD)
    for column in ("", "interviews", "follow-ups hit", "error of level", "turns"):
        table.add_column(column, justify="right" if column else "left")
    for manner, row in found.items():
        shown = (_percent(row["hit"]), _number(row["error"]), _number(row["turns"]))
        table.add_row(manner, str(row["interviews"]), *shown)
    return table


def _repeated(found: dict[str, int]) -> Table:
    table = Table(title="Said again most often", box=SIMPLE_HEAD)
    table.add_column("times", justify="right")
    table.add_column("sentence", overflow="fold")
    for sentence, times in found.items():
        table.add_row(str(times), escape(sentence))
    return table


def _leaking(row: dict[str, Any]) -> str:
    return f"{_percent(row['share_over'])} of {row['n']}, mean overlap {_number(row['mean_overlap'])}"


def _percent(share: float | None) -> str:
    return "" if share is None else f"{share:.1%}"


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.3g}"
