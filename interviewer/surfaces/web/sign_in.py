"""Coming in and going out: the form for name and password, and what stands in its place where people sign in elsewhere."""

from __future__ import annotations

import logging
from typing import Annotated

from fastapi import APIRouter, Form
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from interviewer.access import Reception, Ticket, WayIn, comparable
from interviewer.errors import UsageError
from interviewer.settings import Settings
from interviewer.surfaces.web.guard import forget_storage, hand_over, person_of, take_back, token_of
from interviewer.surfaces.web.html import page
from interviewer.surfaces.web.peers import address_of
from interviewer.surfaces.web.refused import refusal

_LONGEST = 2000  # characters of an address to come back to
_WRONG = "This name and this password don't belong together. Try again; an administrator can set a new password."
_HELD = "There were too many attempts, so none is taken for the next {minutes}, not even with the right password. Wait, then try again."


def sign_in_pages(reception: Reception, settings: Settings) -> APIRouter:
    routes = APIRouter()

    @routes.get("/sign-in")
    def ask(request: Request, next: str = "/") -> Response:
        if reception.way_in is WayIn.OPEN or person_of(request):
            return RedirectResponse(local_path(next), 303)
        return _form(reception, local_path(next))

    @routes.post("/sign-in")
    def sign_in(
        request: Request,
        name: Annotated[str, Form()],
        password: Annotated[str, Form()],
        next: Annotated[str, Form()] = "/",
    ) -> Response:
        wanted = local_path(next)
        if reception.way_in is not WayIn.USERS:
            return RedirectResponse("/sign-in", 303)
        held = reception.guesses.hold(comparable(name), address_of(request))
        if held:
            logging.getLogger(__name__).warning("too many attempts to sign in, the last from %s", address_of(request))
            minutes = "minute" if held <= 60 else f"{-(-held // 60)} minutes"
            answer = _form(reception, wanted, name, _HELD.format(minutes=minutes), 429)
            answer.headers["retry-after"] = str(held)
            return answer
        try:
            ticket = reception.let_in(name, password)
        except UsageError as error:  # a mistake in the users' file: its place is for the log alone
            logging.getLogger(__name__).error("%s", error)
            return refusal(request, 503)
        if ticket is None:
            return _form(reception, wanted, name, _WRONG, 401)
        reception.guesses.forgive(ticket.name)
        return admit(request, reception, settings, ticket, wanted)

    @routes.post("/sign-out")
    def sign_out(request: Request) -> Response:
        reception.tickets.end(token_of(request, settings))
        answer = RedirectResponse("/sign-in", 303)
        take_back(answer, request, settings)
        forget_storage(answer)
        return answer

    return routes


def admit(request: Request, reception: Reception, settings: Settings, ticket: Ticket, wanted: str) -> Response:
    """Hands this browser a ticket in place of the one that it may have, and leads it on."""
    reception.tickets.end(token_of(request, settings))
    answer = RedirectResponse(wanted, 303)
    hand_over(answer, request, settings, reception.tickets.issue(ticket), reception.tickets.longest)
    return answer


def local_path(wanted: str) -> str:
    """``wanted`` where it is an address of this page, else the bare one: nobody is led to another site after signing in."""
    plain = wanted.startswith("/") and not wanted.startswith("//") and wanted.isprintable() and "\\" not in wanted
    plain = plain and len(wanted) <= _LONGEST  # a begun sign-in keeps it
    return wanted if plain else "/"


def _form(reception: Reception, wanted: str, name: str = "", wrong: str = "", status: int = 200) -> Response:
    way = reception.way_in.value
    return page("sign_in.html", None, status=status, way=way, wanted=wanted, name=name[:100], wrong=wrong)
