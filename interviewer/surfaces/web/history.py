"""What somebody has shown over all their interviews, what is due again, and their say over what is kept of them.

Promises that a page is made of the asking person's own sessions alone, and that who came for one session gets none of it.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Form
from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from interviewer.access import Person, WayIn, way_in
from interviewer.errors import InterviewerError, NothingToPractise
from interviewer.house import House
from interviewer.interview.plan import Wish
from interviewer.interview.practice import Record, TopicRecord, weakest
from interviewer.interview.speak import describe
from interviewer.models import Plan, TopicEstimate, Value
from interviewer.surfaces.picture import levels_svg
from interviewer.surfaces.web.course import course_svg
from interviewer.surfaces.web.guard import SignedIn, forget_storage
from interviewer.surfaces.web.html import page
from interviewer.surfaces.web.taking_along import archive

CONFIRMATION = "forget everything"
_SHOWN = 20  # of the interviews and of what is due, until all are asked for


def _with_a_history(person: SignedIn) -> Person:
    if person.only:
        raise HTTPException(404)
    return person


WithHistory = Annotated[Person, Depends(_with_a_history)]


class Past(Value):
    """An interview as the list shows it. ``withheld``: an exam that still goes on."""

    id: str
    begun: str
    ended: bool
    what: str
    questions: int
    score: float | None
    withheld: bool


def history_pages(house: House) -> APIRouter:
    pages = APIRouter(prefix="/history")
    interviews = house.interviews
    passwords = way_in(house.settings) is WayIn.USERS

    @pages.get("")
    def history(person: WithHistory, all: bool = False) -> Response:
        return _page(person, all=all)

    @pages.get("/everything.zip")
    def everything(person: WithHistory) -> Response:
        headers = {"content-disposition": 'attachment; filename="interviews.zip"', "cache-control": "no-store"}
        return Response(archive(interviews, person.user), media_type="application/zip", headers=headers)

    @pages.post("/interview")
    def begin(person: WithHistory, wish: Annotated[Wish, Form()]) -> Response:
        """An interview made of what the person did so far; where there is nothing of the kind, why."""
        try:
            plan = interviews.plan_for(person.user, wish)
        except NothingToPractise as why:
            return _page(person, status=409, told=str(why))
        return RedirectResponse(f"/?session={interviews.begin(plan, person.user).id}", 303)

    @pages.post("/forget")
    def forget(person: WithHistory, confirmation: Annotated[str, Form()] = "") -> Response:
        """Answers at once and doesn't redirect: who was forgotten is signed out as well."""
        if not is_confirmed(confirmation):
            told = f"Nothing was deleted: to delete all that is kept of you, type “{CONFIRMATION}”."
            return _page(person, status=422, wrong=told, typed=confirmation)
        try:
            count = interviews.forget(person.user)
        except InterviewerError as error:
            return _page(person, status=409, wrong=f"Nothing was deleted. {error}", typed=confirmation)
        answer = page("forgotten.html", None, count=count)
        forget_storage(answer)
        return answer

    def _page(
        person: Person, *, all: bool = False, status: int = 200, told: str = "", wrong: str = "", typed: str = ""
    ) -> Response:
        record = interviews.record(person.user)
        past = _past(house, person.user, record)
        return page(
            "history.html",
            person,
            status=status,
            record=record,
            topics=weakest(record),
            picture=_picture(record),
            courses={topic.topic: course_svg(topic) for topic in record.topics},
            due=record.due if all else record.due[:_SHOWN],
            past=past if all else past[:_SHOWN],
            count=len(past),
            confirmation=CONFIRMATION,
            passwords=passwords,
            told=told,
            wrong=wrong,
            typed=typed,
        )

    return pages


def is_confirmed(typed: str) -> bool:
    """Whether somebody typed that they mean it."""
    return " ".join(typed.lower().split()) == CONFIRMATION


def _past(house: House, user: str, record: Record) -> list[Past]:
    """Every interview of the user's, newest first."""
    graded = {each.session: each for each in record.sessions}
    found = []
    for row in house.interviews.store.sessions(user):
        of_it = graded.get(row.id)
        withheld = row.ended is None and house.interviews.open(row.id).withholds_grades
        past = Past(
            id=row.id,
            begun=row.begun,
            ended=row.ended is not None,
            what=describe(row.plan or Plan()),
            questions=of_it.questions if of_it else 0,
            score=of_it.score if of_it else None,
            withheld=withheld,
        )
        found.append(past)
    return found


def _picture(record: Record) -> Markup:
    return Markup(levels_svg([_estimate(topic) for topic in weakest(record)]) if record.topics else "")


def _estimate(topic: TopicRecord) -> TopicEstimate:
    return TopicEstimate(topic=topic.topic, ability=topic.ability, sd=topic.sd, asked=topic.asked)
