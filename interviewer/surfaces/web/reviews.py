"""The queue of grades that a person is to decide on, and the page on which they do.

Promises: a reviewer isn't shown whose interview it was; nobody decides on a grade of their own, save on a machine where nobody
signs in; a decision that was refused comes back with what was typed.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from markupsafe import Markup
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from interviewer.access import LOCAL, Person
from interviewer.errors import UsageError
from interviewer.house import House
from interviewer.interview.review import Correction, decide_review, verdict_under_review
from interviewer.models import Judgement, ReviewKind, Verdict
from interviewer.store import Review
from interviewer.surfaces.report_html import replies_html
from interviewer.surfaces.web import markup
from interviewer.surfaces.web.decision import Typed, quotable, rows_of, typed_in, version_of
from interviewer.surfaces.web.guard import Reviewer
from interviewer.surfaces.web.html import page

_MOVED = (
    "Somebody else decided on this question while you looked at it, so its grade is another one now. Nothing was recorded; "
    "look at the points again, then decide."
)
_NOTHING_CHANGED = "No point is marked otherwise than it stands. Nothing was recorded; mark the points that are wrong, or uphold the grade."
_UPHELD_WITH_CHANGES = (
    "You marked points otherwise than they stand, so the grade isn't upheld. Nothing was recorded; record the corrections, or "
    "mark the points as they stood."
)
_NO_COMMENT = "Say why: the candidate reads it. Nothing was recorded."


async def _form(request: Request) -> FormData:
    return await request.form()


Form = Annotated[FormData, Depends(_form)]


def review_pages(house: House) -> APIRouter:
    pages = APIRouter(prefix="/reviews")
    store = house.interviews.store

    @pages.get("")
    def queue(person: Reviewer, state: str = "waiting", kind: str = "", decided: int = 0) -> Response:
        mine = _of_others(house, person, store.reviews())
        shown = [r for r in mine if _is(r, state) and kind in ("", r.kind.value)]
        waiting = sum(r.judgement is None for r in mine)
        return page(
            "reviews.html",
            person,
            reviews=shown,
            state=state,
            kind=kind,
            kinds=ReviewKind,
            waiting=waiting,
            decided=decided,
        )

    @pages.get("/{number}")
    def review(person: Reviewer, number: str, decided: int = 0) -> Response:
        return _page(person, _review(person, number), decided=decided)

    @pages.post("/{number}")
    def decide(person: Reviewer, number: str, form: Form) -> Response:
        review = _review(person, number)
        typed = typed_in(form)
        try:
            _decide(person, review, typed)
        except UsageError as error:
            now = store.review(review.id)
            return _page(person, now, status=409 if now.judgement else 422, wrong=_told(now, error), typed=typed)
        following = _next(person, review)
        return RedirectResponse(f"/reviews{f'/{following.id}' if following else ''}?decided={review.id}", 303)

    def _decide(person: Person, review: Review, typed: Typed) -> None:
        standing = _standing(review)
        if review.evidence and standing and not review.judgement:
            if typed.version != version_of(standing):
                raise UsageError(_MOVED)
            _check(typed, corrections := typed.corrections(review.evidence, standing))
        else:
            corrections = []
        decide_review(
            store,
            review.id,
            typed.judgement,
            comment=typed.comment,
            reviewer=person.name,
            corrections=corrections,
        )

    def _page(
        person: Person,
        review: Review,
        *,
        status: int = 200,
        wrong: str = "",
        typed: Typed | None = None,
        decided: int = 0,
    ) -> Response:
        standing = _standing(review)
        evidence = review.evidence
        return page(
            "review.html",
            person,
            status=status,
            review=review,
            evidence=evidence,
            standing=standing,
            rows=rows_of(evidence, standing, typed) if evidence and standing else [],
            version=version_of(standing) if standing else "",
            quotes=quotable(evidence.answered) if evidence else [],
            replies=_replies(review, standing),
            run=markup.run(evidence.answered.run) if evidence and evidence.answered.run else "",
            wrong=wrong,
            typed=typed,
            decided=decided,
            following=_next(person, review),
        )

    def _review(person: Person, number: str) -> Review:
        """Somebody's own grades are not there for them to decide on."""
        try:
            review = store.review(int(number))
        except (UsageError, ValueError, OverflowError):
            raise HTTPException(404) from None
        if not _of_others(house, person, [review]):
            raise HTTPException(404)
        return review

    def _standing(review: Review) -> Verdict | None:
        return verdict_under_review(review, store.reviews(session=review.session))

    def _next(person: Person, after: Review) -> Review | None:
        """The next that can be decided on, from the first on once the last was reached."""
        waiting = [
            r for r in _of_others(house, person, store.reviews(open_only=True)) if r.evidence and r.id != after.id
        ]
        return min(waiting, key=lambda r: (r.id < after.id, r.id), default=None)

    return pages


def _replies(review: Review, standing: Verdict | None) -> Markup:
    """With the words marked by which the verdict that counts was reached."""
    verdict = review.verdict or standing
    return Markup(replies_html(review.evidence.answered.replies, verdict) if review.evidence and verdict else "")


def _check(typed: Typed, corrections: list[Correction]) -> None:
    """Raises UsageError in words that fit the form."""
    if not typed.comment.strip():
        raise UsageError(_NO_COMMENT)
    if typed.judgement is Judgement.CHANGED and not corrections:
        raise UsageError(_NOTHING_CHANGED)
    if typed.judgement is Judgement.UPHELD and corrections:
        raise UsageError(_UPHELD_WITH_CHANGES)


def _told(review: Review, error: UsageError) -> str:
    if review.judgement is None:
        return str(error)
    return f"{review.reviewer} was quicker and has decided already; that decision stands below. Yours was not recorded."


def _is(review: Review, state: str) -> bool:
    return state not in ("waiting", "decided") or (review.judgement is None) == (state == "waiting")


def _of_others(house: House, person: Person, reviews: list[Review]) -> list[Review]:
    if person.user == LOCAL.user:
        return reviews
    own = {row.id for row in house.interviews.store.sessions(person.user)}
    return [review for review in reviews if review.session not in own]
