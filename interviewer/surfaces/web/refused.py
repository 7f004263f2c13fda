"""What somebody gets who doesn't get what they asked for: a page with a sentence, or the same sentence as JSON where a script asked."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from http import HTTPStatus
from urllib.parse import quote

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from interviewer.access import Person
from interviewer.errors import InterviewerError, SessionBusy, SessionMoved, UnknownSession
from interviewer.surfaces.web.html import page

_NOT_TAKEN = (
    "You are not signed in, or no longer. What you sent just now was not taken; go back, copy it, then sign in. What you had sent "
    "before is kept."
)
PERSON = "interviewer.person"  # the key under which a request's scope holds who asks

_SAID = {
    400: ("That could not be used", "What was sent is not what this page's forms send. Nothing was changed; go back and try again."),
    401: ("Sign in first", "You are not signed in, or no longer. What you had sent before is kept. Reload the page and sign in."),
    403: ("Not yours to do", "This needs another duty than yours. Nothing was changed; an administrator can give you the duty."),
    404: ("There is nothing here", "The address may be mistyped, or what was there is gone or somebody else's."),
    405: ("That could not be used", "This address can't be asked in that way. Nothing was changed."),
    409: ("Somebody was quicker", "This changed since you last saw it. Nothing was changed now; reload the page."),
    413: ("That is too much", "More than 2 MB was sent, which this page doesn't take. Nothing was changed."),
    429: ("Too many at once", "Nothing was changed. Wait a while, then try again."),
    500: ("Something broke on this side", "It was written to the log. What you had sent before is kept; go back and try again."),
    503: ("Not to be had now", "Nobody can be let in at present. What was said is kept; whoever runs this page finds the reason in its log."),
}  # fmt: skip


def refusal(request: HTTPConnection, status: int, sentence: str = "", headers: Mapping[str, str] = {}) -> Response:
    """``sentence`` in place of the usual one for that status."""
    title, usual = _SAID.get(status, _SAID[400 if status < 500 else 500])
    sentence = sentence or usual
    if not wants_page(request):
        return JSONResponse({"detail": sentence, "error": sentence}, status, headers=dict(headers))
    person: Person | None = request.scope.get(PERSON)
    answer = page("error.html", person, status=status, heading=title, sentence=sentence)
    answer.headers.update(headers)
    return answer


def wants_page(request: HTTPConnection) -> bool:
    """Whether somebody looks at the answer, and not a script."""
    return "text/html" in request.headers.get("accept", "")


def to_sign_in(request: HTTPConnection) -> Response:
    """Who isn't signed in is led to where one does, and back afterwards; a form or a script is only told."""
    if request.scope["method"] not in ("GET", "HEAD"):
        return refusal(request, 401, _NOT_TAKEN)
    if not wants_page(request):
        return refusal(request, 401)
    asked = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    return RedirectResponse("/sign-in" + (f"?next={quote(asked)}" if asked != "/" else ""), 303)


def add_refusals(app: FastAPI) -> None:
    """Every error that a page of ours ends with becomes one of the above."""

    @app.exception_handler(HTTPException)
    def _http(request: Request, error: HTTPException) -> Response:
        if error.status_code == 401:
            return to_sign_in(request)
        own_words = error.detail if error.detail != HTTPStatus(error.status_code).phrase else ""
        return refusal(request, error.status_code, own_words, error.headers or {})

    @app.exception_handler(RequestValidationError)
    def _form(request: Request, error: RequestValidationError) -> Response:
        return refusal(request, 400)

    @app.exception_handler(InterviewerError)
    def _ours(request: Request, error: InterviewerError) -> Response:
        if isinstance(error, UnknownSession):
            return refusal(request, 404)
        return refusal(request, 409 if isinstance(error, SessionBusy | SessionMoved) else 400, str(error))

    @app.exception_handler(Exception)
    def _any(request: Request, error: Exception) -> Response:
        logging.getLogger(__name__).error("a page failed", exc_info=error)
        return refusal(request, 500)
