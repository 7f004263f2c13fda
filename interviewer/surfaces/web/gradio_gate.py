"""What of Gradio may be asked for, and by whom.

Promises: only what the interview's page needs is to be had, so nothing can be uploaded, no file fetched and no event's stream
joined except through its queue; and events, their answers and their ends are for the one alone who opened that page.
"""

from __future__ import annotations

import json
import re
from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING, Any

from starlette.requests import Request

from interviewer.surfaces.web.cross_site import again, body_of
from interviewer.surfaces.web.guard import person_of
from interviewer.surfaces.web.refused import refusal, to_sign_in

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

_SEEN = re.compile(
    r"/|/config/?|/theme\.css|/robots\.txt|/manifest\.json|/(assets|static|svelte)/.+"
    r"|/gradio_api/(info|startup-events|app_id|theme\.css)/?"
)
_HEARTBEAT = re.compile(r"/gradio_api/heartbeat/([\w-]+)")
_EVENTS = "/gradio_api/queue/data"
_SENT = ("/gradio_api/queue/join", "/gradio_api/cancel")
_PAGES_KNOWN = 20_000


class GradioGate:
    """Stands before Gradio's application."""

    def __init__(self, app: ASGIApp):
        self._app = app
        self._owners = _Owners()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        request = Request(scope, receive)
        person = person_of(request)
        if person is None:
            await to_sign_in(request)(scope, receive, send)
            return
        if request.method in ("GET", "HEAD") and _SEEN.fullmatch(scope["path"]):
            await self._app(scope, receive, send)
            return
        if request.method == "POST":
            body = await body_of(request) or b""
            receive = again(body, receive)
            opened = _page_in_body(body) if scope["path"] in _SENT else None
        else:
            opened = _page_in_address(request)
        if opened and self._owners.is_owner(opened, (person.user, person.only)):
            await self._app(scope, receive, send)
        else:
            await refusal(request, 404)(scope, receive, send)


class _Owners:
    """Who opened which page: the first who names it. A page's name is random, made by the browser."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._owner: OrderedDict[str, tuple[str, str]] = OrderedDict()

    def is_owner(self, opened: str, who: tuple[str, str]) -> bool:
        with self._lock:
            owner = self._owner.setdefault(opened, who)
            self._owner.move_to_end(opened)
            if len(self._owner) > _PAGES_KNOWN:
                self._owner.popitem(last=False)
            return owner == who


def _page_in_body(body: bytes) -> str | None:
    try:
        sent = json.loads(body, object_pairs_hook=_once)
    except ValueError:
        return None
    found = sent.get("session_hash") if isinstance(sent, dict) else None
    return found if isinstance(found, str) else None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A key that stands there twice may be read in two ways."""
    if len(dict(pairs)) != len(pairs):
        raise ValueError("a key twice")
    return dict(pairs)


def _page_in_address(request: Request) -> str | None:
    if found := _HEARTBEAT.fullmatch(request.scope["path"]):
        return found[1]
    named = request.query_params.getlist("session_hash")
    return named[0] if request.scope["path"] == _EVENTS and len(named) == 1 else None
