"""Refuses what another site's page makes a browser send here, and what is too long.

Promises: whatever changes something was sent by a page of ours, so that forms need carry no token; no body of more than 2 MB is
taken in; and where nobody signs in, no other site can make its own name lead here and read along.
"""

from __future__ import annotations

from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import Response

from interviewer.settings import Settings
from interviewer.surfaces.web.refused import refusal

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST = 2 * 2**20 + 2**16  # bytes: a file of 2 MB, and what a form puts around it
_SAFE = ("GET", "HEAD", "OPTIONS")
_ELSEWHERE = (
    "This was sent by a page of another site, or by no page at all, so nothing was changed. Open this page itself and send it from "
    "there. Whoever runs it behind a proxy sets INTERVIEWER_PAGE_URL to the address in the browser."
)
_NOT_OUR_NAME = (
    "This page doesn't answer under that name, since any site could make its own lead here. Whoever runs it sets "
    "INTERVIEWER_PAGE_URL to the address in the browser."
)


class CrossSite:
    """``open_to_all``: nobody signs in, so the name in the address is all that tells our page from another's."""

    def __init__(self, app: ASGIApp, settings: Settings, open_to_all: bool):
        self._app = app
        self._ours = urlsplit(settings.page_url or "")
        self._open_to_all = open_to_all

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = Request(scope, receive)
        name = _name_in(request)
        if name is None:
            await refusal(request, 400)(scope, receive, send)
        elif self._open_to_all and not self._is_ours(name):
            await refusal(request, 403, _NOT_OUR_NAME)(scope, receive, send)
        elif scope["method"] in _SAFE:
            await self._app(scope, receive, send)
        elif not self._from_ours(request):
            await refusal(request, 403, _ELSEWHERE)(scope, receive, send)
        elif (body := await body_of(request)) is None:
            await _too_much(request)(scope, receive, send)
        else:
            await self._app(scope, again(body, receive), send)

    def _from_ours(self, request: Request) -> bool:
        if site := request.headers.get("sec-fetch-site"):
            return site == "same-origin"
        origin = request.headers.get("origin", "")
        ours = {f"http://{request.headers.get('host')}", f"https://{request.headers.get('host')}"}
        return origin in ours | {f"{self._ours.scheme}://{self._ours.netloc}"}

    def _is_ours(self, name: str) -> bool:
        if name == "localhost" or name.endswith(".localhost") or name == self._ours.hostname:
            return True
        try:
            ip_address(name)
        except ValueError:
            return False
        return True


def _name_in(request: Request) -> str | None:
    """The name that the page was asked for under; None where there is no telling."""
    try:
        return urlsplit(f"//{request.headers.get('host', '')}").hostname or ""
    except ValueError:  # such as a bracket that is never closed
        return None


async def body_of(request: Request) -> bytes | None:
    """The whole of it; None where it is longer than ``MOST``."""
    if int(request.headers.get("content-length") or 0) > MOST:
        return None
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MOST:
            return None
    return bytes(body)


def again(body: bytes, receive: Receive) -> Receive:
    """For who reads a request whose body was read; afterwards it hears what goes on, such as that the browser left."""
    given = False

    async def receive_again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return receive_again


def _too_much(request: Request) -> Response:
    return refusal(request, 413, headers={"connection": "close"})
