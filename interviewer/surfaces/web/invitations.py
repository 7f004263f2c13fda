"""Invitations as an admin makes, sees and revokes them."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from pydantic import ValidationError
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from interviewer.access import Invitation, Invitations, Person
from interviewer.errors import InterviewerError, UsageError
from interviewer.house import House
from interviewer.interview.speak import describe
from interviewer.models import Level, Plan, Topic, Value
from interviewer.surfaces.web.guard import Admin
from interviewer.surfaces.web.history import CONFIRMATION, is_confirmed
from interviewer.surfaces.web.html import page

_FIRST = {"level": "mid", "minutes": "30", "days": "14", "code": "on", "feedback": "each"}
_NOT_UNDERSTOOD = {
    "minutes": "minutes are a whole number from 5 to 180",
    "questions": "questions are 1 to 50 in number",
}


class Asked(Value):
    """The form as it was filled."""

    fields: dict[str, str]
    topics: tuple[str, ...]

    def __getitem__(self, name: str) -> str:
        return self.fields.get(name, "")


async def _asked(request: Request) -> Asked:
    return _of(await request.form())


Filled = Annotated[Asked, Depends(_asked)]


def invitation_pages(house: House) -> APIRouter:
    pages = APIRouter(prefix="/invitations")
    invitations = Invitations(house.interviews.store, house.settings.locks)
    unshown: dict[str, str] = {}  # tokens by invitation, from the form to the page that shows the link

    @pages.get("")
    def invited(person: Admin) -> Response:
        return _list(person)

    @pages.get("/new")
    def new(person: Admin) -> Response:
        return _form(person, Asked(fields=_FIRST, topics=()))

    @pages.post("/new")
    def create(person: Admin, asked: Filled) -> Response:
        try:
            plan = _plan(house, asked)
            made, token = invitations.create(asked["title"], asked["name"], plan, _days(asked["days"]))
        except UsageError as error:
            return _form(person, asked, wrong=str(error))
        unshown[made.id] = token
        return RedirectResponse(f"/invitations/{made.id}", 303)

    @pages.get("/{invitation_id}")
    def made(person: Admin, request: Request, invitation_id: str) -> Response:
        """Its link, the first time."""
        token = unshown.pop(invitation_id, "")
        base = house.settings.page_url or str(request.base_url)
        return _one(person, invitation_id, link=f"{base.rstrip('/')}/invited/{token}" if token else "")

    @pages.post("/{invitation_id}/forget")
    def forget(person: Admin, invitation_id: str, asked: Filled) -> Response:
        """The guest's say over what is kept of them goes through an admin: they have no name here to come back with."""
        if not is_confirmed(asked["confirmation"]):
            return _one(person, invitation_id, wrong=f"Nothing was deleted: type “{CONFIRMATION}” to delete it.")
        try:
            house.interviews.forget(_known(invitation_id).user)
        except InterviewerError as error:
            return _one(person, invitation_id, wrong=f"Nothing was deleted. {error}")
        return RedirectResponse("/invitations", 303)

    @pages.post("/{invitation_id}/revoke")
    def revoke(person: Admin, invitation_id: str) -> Response:
        try:
            invitations.revoke(invitation_id)
        except UsageError as error:
            return _list(person, wrong=str(error))
        return RedirectResponse("/invitations", 303)

    def _known(invitation_id: str) -> Invitation:
        found = next((each for each in invitations.all() if each.id == invitation_id), None)
        if found is None:
            raise HTTPException(404)
        return found

    def _one(person: Person, invitation_id: str, *, link: str = "", wrong: str = "") -> Response:
        found = _known(invitation_id)
        return page(
            "invitation.html",
            person,
            status=422 if wrong else 200,
            invitation=found,
            link=link,
            what=describe(found.plan),
            expires=_day(found.expires),
            confirmation=CONFIRMATION,
            wrong=wrong,
        )

    def _list(person: Person, wrong: str = "") -> Response:
        made = [(each, describe(each.plan), _day(each.made), _day(each.expires)) for each in invitations.all()]
        return page("invitations.html", person, status=404 if wrong else 200, invitations=made, wrong=wrong)

    def _form(person: Person, asked: Asked, wrong: str = "") -> Response:
        return page(
            "invitation_new.html",
            person,
            status=422 if wrong else 200,
            asked=asked,
            wrong=wrong,
            levels=Level,
            topics=Topic,
        )

    return pages


def _of(form: FormData) -> Asked:
    fields = {name: value.strip() for name, value in form.items() if isinstance(value, str)}
    return Asked(fields=fields, topics=tuple(str(each) for each in form.getlist("topic")))


def _plan(house: House, asked: Asked) -> Plan:
    """Raises UsageError in words that fit the form."""
    only = tuple(dict.fromkeys(re.split(r"[\s,]+", asked["only"]))) if asked["only"] else ()
    known = {question.id for question in house.bank.questions()} if only else set()
    if unknown := [name for name in only if name not in known]:
        raise UsageError(f"The bank has no question {', '.join(unknown)}. Nothing was made; /bank shows their names.")
    given = {name: asked[name] for name in ("level", "minutes", "questions", "feedback") if asked[name]}
    try:
        return Plan.model_validate({**given, "topics": asked.topics, "code": bool(asked["code"]), "only": only})
    except ValidationError as error:
        wrong = [_NOT_UNDERSTOOD.get(str(e["loc"][0]), f"{e['loc'][0]}: {e['msg']}") for e in error.errors()]
        raise UsageError(f"Nothing was made: {'; '.join(dict.fromkeys(wrong))}.") from None


def _days(text: str) -> float:
    if not text.isdecimal() or len(text) > 3:
        raise UsageError("An invitation is good for 1 to 365 days. Nothing was made.")
    return float(text)


def _day(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)
