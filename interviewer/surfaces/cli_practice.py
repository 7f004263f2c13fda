"""The command about a person's own record: where they stand, what is due again, and an interview made of that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from interviewer.errors import NothingToPractise, UsageError
from interviewer.models import Plan
from interviewer.surfaces.console import Json, err, house_of_settings, print_json, print_line, print_markdown

if TYPE_CHECKING:
    from interviewer.house import House
    from interviewer.interview.practice import Record


def practice(
    due: Annotated[bool, typer.Option("--due", help="An interview of the questions that are due again.")] = False,
    worst: Annotated[bool, typer.Option("--worst", help="An interview on the topics that you are worst at.")] = False,
    start: Annotated[
        bool, typer.Option("--start", help="Begin it; alone, with what is due, else with what you are worst at.")
    ] = False,
    minutes: Annotated[int, typer.Option(min=5, max=180, help="That the interview may take.")] = 30,
    code: Annotated[bool, typer.Option(help="With or without questions that want code.")] = True,
    user: Annotated[str, typer.Option(help="Whose record.")] = "local",
    as_json: Json = False,
) -> None:
    """Where you stand by topic and how sure that is, what is due again, and your interviews so far."""
    from interviewer.interview.plan import Wish

    if due and worst:
        raise UsageError("Say --due or --worst, not both. Nothing was begun.")
    house = house_of_settings()
    record = house.interviews.record(user)
    wish = Wish.DUE if due else Wish.WORST if worst else None
    bounds = Plan(minutes=minutes, code=code)
    if start:
        wish = wish or (Wish.DUE if record.due else Wish.WORST)
        _begin(house, house.interviews.plan_for(user, wish, bounds), user, as_json)
        return
    plan, why_not = None, ""
    if wish:
        try:
            plan = house.interviews.plan_for(user, wish, bounds)
        except NothingToPractise as nothing:
            why_not = str(nothing)
    _show(record, plan, as_json)
    if why_not:
        err.print(why_not, markup=False, highlight=False, soft_wrap=True)
        raise typer.Exit(1)


def _begin(house: House, plan: Plan, user: str, as_json: bool) -> None:
    from interviewer.surfaces.chat import converse, transcript

    session = house.interviews.begin(plan, user)
    house.warm_in_background()
    converse(session, quiet=as_json)
    if as_json:
        print_json(transcript(session))


def _show(record: Record, plan: Plan | None, as_json: bool) -> None:
    """As JSON, ``due`` are the ids of what is due, the most overdue first, and ``plan`` is the interview that was asked for."""
    from interviewer.interview.speak import describe
    from interviewer.surfaces.practice_view import record_markdown

    if as_json:
        due = [each.question for each in record.due]
        print_json(record.model_dump(mode="json") | {"due": due, "plan": plan and plan.model_dump(mode="json")})
        return
    print_markdown(record_markdown(record))
    if plan:
        print_line(f"\nThat would be {describe(plan)}. Begin it with --start.")
