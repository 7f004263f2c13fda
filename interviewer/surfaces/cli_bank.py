"""The commands about questions: reading documents in, searching, and which questions are the same one."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from interviewer.errors import BankError, UsageError
from interviewer.models import Fault, Level
from interviewer.settings import load_settings
from interviewer.surfaces.console import (
    Json,
    house_of_settings,
    out,
    print_json,
    print_line,
    print_markdown,
    spinner,
)

_BAR = 24  # characters of the longest bar

bank_app = typer.Typer(help="The question bank.", no_args_is_help=True)


def add_bank_commands(app: typer.Typer) -> None:
    """``ingest``, ``audit`` and ``search`` at the top, the rest below ``bank``."""
    app.command()(ingest)
    app.command()(audit)
    app.command()(search)
    app.add_typer(bank_app, name="bank")


def ingest(paths: list[Path], as_json: Json = False) -> None:
    """Question documents into the bank; reads them whole or not at all."""
    house = house_of_settings()
    with spinner("Reading"):
        results = house.bank.ingest(paths)
    if as_json:
        print_json({"documents": [r.model_dump(mode="json", exclude_none=True) for r in results]})
        return
    for r in results:
        print_line(f"{r.path}: {r.added} added, {r.changed} changed, {r.unchanged} unchanged, {r.retired} retired")
    print_line("`interviewer bank clusters` shows which questions were taken for the same one.", "dim")


def audit(document: Path, as_json: Json = False) -> None:
    """What is wrong or old in somebody's question document: exit code 1 where anything is."""
    from interviewer.proof.audit import audit as run_audit
    from interviewer.surfaces.audit_view import audit_markdown

    house = house_of_settings()
    with spinner("Reading") as say:
        found = run_audit(document, house.bank.own_questions(), house.bank.encode, house.sandbox, say)
    if as_json:
        print_json(found.model_dump(mode="json"))
    else:
        print_markdown(audit_markdown(found))
    if any(doubt.fault is not Fault.NOT_RUN for doubt in found.doubts):
        raise typer.Exit(1)


def search(text: str, k: Annotated[int, typer.Option("-k", min=1, max=100)] = 5, as_json: Json = False) -> None:
    """Questions and passages of the bank, nearest first."""
    house = house_of_settings()
    with spinner("Loading the model"):
        hits = house.bank.search(text, k)
    if as_json:
        print_json(
            {
                "hits": [
                    hit.model_dump(mode="json", include={"id", "question", "score", "source", "cluster"})
                    for hit in hits
                ]
            }
        )
        return
    for hit in hits:
        print_line(f"{hit.score:.2f}  {hit.id}\n      {hit.question}")


@bank_app.command("stats")
def bank_stats(as_json: Json = False) -> None:
    """How many questions there are, by topic, level and kind."""
    stats = house_of_settings().bank.stats()
    if as_json:
        print_json(stats)
        return
    print_line(f"{stats['questions']} questions, {stats['tasks']} of them want code", "bold")
    own = ("points", "misconceptions", "experiments", "submissions")
    print_line(", ".join(f"{stats[name]} {name}" for name in own) + " in the bank's own\n")
    levels = stats["by_topic_and_level"]
    out.print(_grid("topic", stats["by_topic"], levels, list(Level)))
    tasks = {kind: {"want code": count} for kind, count in stats["tasks_by_kind"].items()}
    out.print(_grid("kind", stats["by_kind"], tasks, ["want code"]))
    for document, row in stats["covered"].items():
        print_line(f"{document}: {row['in_bank']} of {row['questions']} questions have a rubric of the bank's own")


def _grid(name: str, totals: dict[str, int], parts: dict[str, dict[str, int]], columns: Sequence[str]) -> Table:
    """A row for each of ``totals`` with a bar of its length, and its ``parts`` below ``columns``."""
    table = Table(box=None, padding=(0, 2, 0, 0))
    for title in (name, "questions", "", *columns):
        table.add_column(title, justify="left" if title in (name, "") else "right")
    longest = max(totals.values(), default=0) or 1
    for row, total in totals.items():
        bar = "█" * round(_BAR * total / longest)
        table.add_row(row, str(total), bar, *(str(parts[row][c] or "·") for c in columns))
    return table


@bank_app.command("check")
def bank_check(folder: Annotated[Path | None, typer.Argument(help="The bundled corpus if left out.")] = None) -> None:
    """Every mistake in the question files, with file and line, and every rule of the bank that a question breaks."""
    from interviewer.bank.corpus import questions_of, read_corpus
    from interviewer.bank.library import kept_vectors
    from interviewer.bank.rules import broken_rules
    from interviewer.embedding import Embedder

    settings = load_settings()
    try:
        questions = read_corpus(folder) if folder else questions_of(settings)
    except BankError as error:
        for mistake in error.mistakes:
            sys.stdout.write(f"{mistake}\n")
        raise typer.Exit(1) from None
    with spinner("Comparing"):
        broken = list(broken_rules(questions, kept_vectors(settings, Embedder()).encode))
    for name, sentence in broken:
        sys.stdout.write(f"{name}: {sentence}\n")
    if broken:
        raise typer.Exit(1)
    print_line(f"{len(questions)} questions, no mistake.")


@bank_app.command("prove")
def bank_prove(
    ids: Annotated[list[str] | None, typer.Argument(help="All of the bank's own questions if left out.")] = None,
    times: Annotated[int, typer.Option(min=1, help="Each so many times, to find what is not always the same.")] = 1,
    as_json: Json = False,
) -> None:
    """Runs every code block, experiment and submission of the bank, and says what doesn't become what its file says."""
    from interviewer.proof.question import prove

    house = house_of_settings()
    questions = {q.id: q for q in house.bank.own_questions()}
    if unknown := sorted(set(ids or ()) - set(questions)):
        raise UsageError(f"The bank has no question of its own named {', '.join(unknown)}. Nothing was run.")
    chosen = [questions[name] for name in ids or questions]
    found: dict[str, list[str]] = {}
    with spinner("Starting the sandbox") as say:
        for number, (question, amiss) in enumerate(prove(chosen, house.sandbox, times), 1):
            say(f"{number} of {len(chosen) * times}: {question.id}")
            found.setdefault(question.id, []).extend(amiss)
            if not as_json:
                sys.stdout.writelines(f"{question.id}: {sentence}\n" for sentence in amiss)
    if as_json:
        print_json({"questions": found, "times": times})
    if any(found.values()):
        raise typer.Exit(1)
    if not as_json:
        print_line(
            f"{len(found)} questions proven, {times} times each." if times > 1 else f"{len(found)} questions proven."
        )


@bank_app.command("schema")
def bank_schema() -> None:
    """The JSON Schema of a question file's front matter."""
    from interviewer.bank.schema import question_schema

    sys.stdout.write(json.dumps(question_schema(), indent=2) + "\n")


@bank_app.command("clusters")
def bank_clusters(
    all_: Annotated[bool, typer.Option("--all", help="Those that stand alone too.")] = False, as_json: Json = False
) -> None:
    """Which questions were taken for the same one, with their similarity to the first."""
    bank = house_of_settings().bank
    with spinner("Comparing"):
        found = [c for c in bank.clusters() if all_ or len(c.members) > 1]
    if as_json:
        print_json({"clusters": [c.model_dump(mode="json") for c in found]})
        return
    for cluster in found:
        print_line(cluster.id)
        for member in cluster.members[1:]:
            print_line(f"  {member.similarity:.2f}  {member.id}: {bank.get(member.id).question}")


@bank_app.command("split")
def bank_split(cluster: str, member: str) -> None:
    """Takes a question out of its cluster, for good."""
    house_of_settings().bank.split(cluster, member)
    print_line(f"{member} stands apart now. `interviewer bank undo` takes that back.")


@bank_app.command("merge")
def bank_merge(one: str, other: str) -> None:
    """Makes two questions one, for good."""
    house_of_settings().bank.merge(one, other)
    print_line(f"{one} and {other} are one question now. `interviewer bank undo` takes that back.")


@bank_app.command("undo")
def bank_undo() -> None:
    """Takes the last split or merge back."""
    decision = house_of_settings().bank.undo()
    print_line(f"Taken back: {decision.kind} of {', '.join(decision.left)} and {', '.join(decision.right)}.")
