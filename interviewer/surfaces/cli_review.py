"""The commands of whoever decides on grades: those that candidates dispute, and those that the grader is unsure of."""

from __future__ import annotations

import getpass
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from interviewer.errors import UsageError
from interviewer.models import Judgement, Standing
from interviewer.settings import load_settings
from interviewer.store import Store
from interviewer.surfaces.console import Json, err, out, print_json, print_line

review_app = typer.Typer(help="Grades that a person is to decide on.", no_args_is_help=True)


@review_app.command("list")
def review_list(
    all_: Annotated[bool, typer.Option("--all", help="Decided ones too.")] = False, as_json: Json = False
) -> None:
    """What waits for a person: disputes, and grades that the grader is unsure of."""
    from interviewer.surfaces.review_view import review_line

    reviews = _store().reviews(open_only=not all_)
    if as_json:
        print_json({"reviews": [r.model_dump(mode="json", exclude={"evidence", "verdict"}) for r in reviews]})
        return
    for r in reviews:
        print_line(review_line(r))
    if not reviews:
        err.print("No review is waiting." if not all_ else "There is no review yet.")


@review_app.command("show")
def review_show(review_id: int, as_json: Json = False) -> None:
    """One review: the words and the evidence side by side."""
    from interviewer.interview.review import verdict_under_review
    from interviewer.surfaces.review_view import review_view

    store = _store()
    review = store.review(review_id)
    standing = verdict_under_review(review, store.reviews(session=review.session))
    if as_json:
        print_json(review.model_dump(mode="json") | {"standing": standing and standing.model_dump(mode="json")})
    else:
        out.print(review_view(review, standing, out), highlight=False)


@review_app.command("decide")
def review_decide(
    review_id: int,
    judgement: Annotated[Judgement, typer.Argument(help="upheld: the grade stands; changed: points are corrected.")],
    comment: Annotated[str, typer.Option(help="Why; the candidate reads it.")],
    by: Annotated[str | None, typer.Option(help="Who decides; the login name where nothing is said.")] = None,
    point: Annotated[
        list[str] | None,
        typer.Option(
            metavar="POINT=VERDICT",
            help="A corrected point: covered, partial, missing or contradicted. May be given several times.",
        ),
    ] = None,
    quote: Annotated[
        list[str] | None,
        typer.Option(metavar="POINT=WORDS", help="The candidate's words that show a corrected point."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Records a person's decision; the score is computed from the points."""
    from interviewer.interview.review import Correction, decide_review
    from interviewer.surfaces.render import score_text

    verdicts, quotes = _pairs("--point", point or ()), _pairs("--quote", quote or ())
    if wrong := sorted(set(verdicts.values()) - set(Standing)):
        raise UsageError(
            f"There is no verdict {', '.join(wrong)}. Nothing was recorded; there are {', '.join(Standing)}."
        )
    if loose := sorted(set(quotes) - set(verdicts)):
        raise UsageError(f"--quote names {', '.join(loose)}, and no --point does. Nothing was recorded.")
    corrections = [Correction(point=p, verdict=Standing(v), quote=quotes.get(p, "")) for p, v in verdicts.items()]
    review = decide_review(
        _store(),
        review_id,
        judgement,
        comment=comment,
        reviewer=by if by is not None else _login_name(),
        corrections=corrections,
    )
    if as_json:
        print_json(review.model_dump(mode="json"))
    elif review.verdict:
        print_line(f"Review {review_id}: {judgement.value}, {score_text(review.verdict.score)}.")


@review_app.command("export")
def review_export(
    out_file: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Write here, not to stdout.")] = None,
) -> None:
    """What people decided as labelled cases, a JSON object a line, for `python -m eval grading --cases FILE`."""
    from interviewer.interview.labelled import labelled_cases

    lines = [json.dumps(case, ensure_ascii=False) + "\n" for case in labelled_cases(_store().reviews())]
    if out_file is None:
        sys.stdout.writelines(lines)
        return
    try:
        out_file.write_text("".join(lines), encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{out_file} can't be written: {error.strerror}. Nothing was exported.") from error
    err.print(f"{len(lines)} case{'s' if len(lines) != 1 else ''} in {out_file}.", highlight=False)


def _store() -> Store:
    return Store(load_settings().database)


def _pairs(option: str, given: Sequence[str]) -> dict[str, str]:
    """What ``option`` said, by point. Raises UsageError where something is no pair or a point is named twice."""
    pairs: dict[str, str] = {}
    for each in given:
        name, equals, value = each.partition("=")
        name, value = name.strip(), value.strip()
        if not (name and equals and value):
            raise UsageError(f"{option} wants POINT=…, not {each!r}. Nothing was recorded.")
        if name in pairs:
            raise UsageError(f"{option} names {name} twice. Nothing was recorded.")
        pairs[name] = value
    return pairs


def _login_name() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError) as error:
        raise UsageError(
            "This machine has no name for you. Nothing was recorded; say who decides with --by."
        ) from error
