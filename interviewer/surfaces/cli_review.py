"""The commands of whoever decides disputed grades."""

from __future__ import annotations

from typing import Annotated

import typer

from interviewer.errors import UsageError
from interviewer.markdown import fenced
from interviewer.surfaces.console import Json, err, house_of_settings, print_json, print_line, print_markdown

review_app = typer.Typer(help="Disputed grades, for a person to decide.", no_args_is_help=True)


@review_app.command("list")
def review_list(
    all_: Annotated[bool, typer.Option("--all", help="Decided ones too.")] = False, as_json: Json = False
) -> None:
    """Disputes that wait for a person."""
    reviews = house_of_settings().interviews.store.reviews(open_only=not all_)
    if as_json:
        print_json({"reviews": [vars(r) for r in reviews]})
        return
    for r in reviews:
        print_line(f"{r.id}  {r.session}  {r.question}  {r.decision or 'open'}: {r.reason}")
    if not reviews:
        err.print("No dispute is waiting.")


@review_app.command("show")
def review_show(review_id: int) -> None:
    """One dispute with the words and the verdict beside it."""
    from interviewer.surfaces.render import verdict_markdown

    house = house_of_settings()
    review = house.interviews.store.review(review_id)
    session = house.interviews.open(review.session)
    answered = [a for a in session.report().answered if a.question == review.question]
    lines = [f"# Review {review.id}: {review.question}", f"The candidate: {review.reason}"]
    for a in answered:
        lines += [
            "## What was said",
            *(fenced(reply) for reply in a.replies),
            "## The verdict",
            verdict_markdown(a.verdict),
        ]
    lines += [] if answered else ["The question is still open in that interview."]
    lines += [f"Decision: {review.decision}. {review.comment}"] if review.decision else []
    print_markdown("\n\n".join(lines))


@review_app.command("decide")
def review_decide(
    review_id: int,
    decision: Annotated[str, typer.Argument(help="upheld (the grade stands) or changed.")],
    comment: Annotated[str, typer.Option(help="Why; the candidate may read it.")],
) -> None:
    """Records a person's decision on a dispute."""
    if decision not in ("upheld", "changed"):
        raise UsageError(f"A decision is `upheld` or `changed`, not {decision!r}. Nothing was recorded.")
    house_of_settings().interviews.store.decide(review_id, decision, comment)
    print_line(f"Review {review_id}: {decision}.")


@review_app.command("export")
def review_export() -> None:
    """All reviews, a JSON object a line."""
    for r in house_of_settings().interviews.store.reviews():
        print_json(vars(r))
