"""Whose request it is, for every page of ours and for Gradio's.

Promises that nothing of a person is shown or done before it was asked here who wants it: a request of nobody's reaches the
few public addresses alone, and a page handed ``Person`` by one of the types below was asked for by that person.

An event handler of Gradio's takes ``request: gr.Request`` and asks ``signed_in(request.request)``; ``request.username`` is
that person's ``user``.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Annotated

from fastapi import Depends
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from interviewer.access import Person, Reception
from interviewer.errors import UsageError
from interviewer.settings import Settings
from interviewer.surfaces.web.peers import from_proxy
from interviewer.surfaces.web.refused import PERSON, refusal, to_sign_in

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

_PUBLIC = ("/style.css", "/favicon.ico", "/sign-in", "/sign-out")
_PUBLIC_BELOW = ("/sign-in/", "/invited/", "/continue/")


def person_of(request: HTTPConnection) -> Person | None:
    """None where they have not signed in."""
    person: Person | None = request.scope.get(PERSON)
    return person


def signed_in(request: HTTPConnection) -> Person:
    """Raises HTTPException 401 where nobody has signed in."""
    if person := person_of(request):
        return person
    raise HTTPException(401)


def _reviewer(person: SignedIn) -> Person:
    if not person.may_review:
        raise HTTPException(403)
    return person


def _admin(person: SignedIn) -> Person:
    if not person.may_administer:
        raise HTTPException(403)
    return person


# What a page of ours declares as the type of a parameter, to be handed who asks or to refuse them.
SignedIn = Annotated[Person, Depends(signed_in)]
Reviewer = Annotated[Person, Depends(_reviewer)]
Admin = Annotated[Person, Depends(_admin)]


class Guard:
    """Asks once for every request, before anything else sees it."""

    def __init__(self, app: ASGIApp, reception: Reception, settings: Settings):
        self._app = app
        self._reception = reception
        self._settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":  # there are no websockets here, so nobody is let into one
            request = Request(scope)
            answer = await self._ask(request)
            await (answer or self._app)(scope, receive, send)

    async def _ask(self, request: Request) -> Response | None:
        """The refusal, if there is one."""
        try:
            person = await run_in_threadpool(self._who, request)
        except UsageError as error:
            logging.getLogger(__name__).error("%s", error)
            return refusal(request, 503)
        request.scope[PERSON] = person
        path = request.scope["path"]
        if person or path in _PUBLIC or path.startswith(_PUBLIC_BELOW):
            return None
        return to_sign_in(request)

    def _who(self, request: Request) -> Person | None:
        if person := self._reception.holder(token_of(request, self._settings)):
            return person
        told = request.headers.getlist(self._settings.proxy_user_header) if from_proxy(request) else []
        return self._reception.without_ticket(told[0] if len(told) == 1 else "")


# --- the cookie that carries a ticket ---------------------------------------------------------------


def token_of(request: HTTPConnection, settings: Settings) -> str:
    """Empty where the browser has none."""
    return request.cookies.get(_cookie(request, settings), "")


def hand_over(answer: Response, request: HTTPConnection, settings: Settings, token: str, seconds: float) -> None:
    """Lets the browser carry a ticket for so long at most."""
    name = _cookie(request, settings)
    answer.set_cookie(name, token, int(seconds), secure=_is_https(request, settings), httponly=True, samesite="lax")


def take_back(answer: Response, request: HTTPConnection, settings: Settings) -> None:
    name = _cookie(request, settings)
    answer.delete_cookie(name, secure=_is_https(request, settings), httponly=True, samesite="lax")


def forget_storage(answer: Response) -> None:
    """Lets the browser forget drafts and code that was tried, which pages of ours keep in it. Browsers heed this over TLS and on
    this machine alone."""
    answer.headers["clear-site-data"] = '"storage"'


def _cookie(request: HTTPConnection, settings: Settings) -> str:
    """Browsers take a name that begins so only from the host itself, over TLS: a neighbour can't plant one."""
    return "__Host-interviewer" if _is_https(request, settings) else "interviewer"


def _is_https(request: HTTPConnection, settings: Settings) -> bool:
    return request.url.scheme == "https" or (settings.page_url or "").startswith("https:")
