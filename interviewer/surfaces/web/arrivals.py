"""Coming by a link: an invitation to one interview, or a session to go on with from elsewhere.

Promises that looking at a link, as chats do to show what is behind it, neither begins an interview nor uses a link up.
"""

from __future__ import annotations

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from interviewer.access import Reception
from interviewer.errors import UsageError
from interviewer.interview.session import Interviews
from interviewer.settings import Settings
from interviewer.surfaces.web.guard import person_of
from interviewer.surfaces.web.html import page
from interviewer.surfaces.web.sign_in import admit

_USED = "This link was used already or is older than ten minutes. Where you got it, you can ask for another; what was said is kept."
_NOT_GOOD = "This invitation has expired or was taken back. Whoever sent it can send another; what was said is kept."


def arrivals(reception: Reception, interviews: Interviews, settings: Settings) -> APIRouter:
    routes = APIRouter()

    @routes.get("/invited/{token}")
    def look(request: Request, token: str) -> Response:
        invitation = reception.invitations.at(token)
        if invitation is None:
            raise HTTPException(404, _NOT_GOOD)
        return page(
            "invited.html",
            None,
            invitation=invitation,
            plan=invitation.plan,
            leaving=_leaving(request, invitation.user),
        )

    @routes.post("/invited/{token}")
    def enter(request: Request, token: str) -> Response:
        try:
            ticket = reception.invitations.enter(token, lambda plan, user: interviews.begin(plan, user).id)
        except UsageError as error:
            raise HTTPException(404, _NOT_GOOD) from error
        return admit(request, reception, settings, ticket, f"/?session={ticket.only}")

    @routes.get("/continue/{token}")
    def see(request: Request, token: str) -> Response:
        ticket = reception.links.at(token)
        if ticket is None:
            raise HTTPException(404, _USED)
        return page("continue.html", None, name=ticket.name, leaving=_leaving(request, ticket.user))

    @routes.post("/continue/{token}")
    def go_on(request: Request, token: str) -> Response:
        ticket = reception.links.use(token)
        if ticket is None:
            raise HTTPException(404, _USED)
        return admit(request, reception, settings, ticket, f"/?session={ticket.only}")

    return routes


def _leaving(request: Request, user: str) -> str:
    """Whom this browser is signed in as until then; empty where that is nobody else."""
    person = person_of(request)
    return person.name if person and person.user not in (user, "local") else ""
