"""The page's application: our own pages, and Gradio's interview at the bare address."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import gradio as gr
from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount

from interviewer.access import Reception, WayIn
from interviewer.house import House
from interviewer.surfaces.web.arrivals import arrivals
from interviewer.surfaces.web.bank_pages import bank_pages
from interviewer.surfaces.web.bench import Bench
from interviewer.surfaces.web.cross_site import CrossSite
from interviewer.surfaces.web.desk import Desk
from interviewer.surfaces.web.document_pages import question_document_pages
from interviewer.surfaces.web.documents import document_pages
from interviewer.surfaces.web.gradio_gate import GradioGate
from interviewer.surfaces.web.guard import Guard, person_of
from interviewer.surfaces.web.history import history_pages
from interviewer.surfaces.web.invitations import invitation_pages
from interviewer.surfaces.web.look import CSS, THEME
from interviewer.surfaces.web.oauth import oauth_pages
from interviewer.surfaces.web.page import Page
from interviewer.surfaces.web.peers import Peers
from interviewer.surfaces.web.refused import add_refusals
from interviewer.surfaces.web.reviews import review_pages
from interviewer.surfaces.web.scripts import HEAD
from interviewer.surfaces.web.sign_in import sign_in_pages

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

# Gradio's page has inline scripts and builds functions from strings, so those are allowed; other hosts are not.
_POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; media-src 'self' blob:; font-src 'self' data:; worker-src 'self' blob:; "
    "connect-src 'self'; object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'self'"
)
# Without a referrer of our own site a browser names no origin when a form is sent, and CrossSite would refuse it.
_HEADERS = [
    (b"content-security-policy", _POLICY.encode()),
    (b"referrer-policy", b"same-origin"),
    (b"x-content-type-options", b"nosniff"),
]
_STYLE = Path(__file__).parent / "templates" / "style.css"


def build_site(house: House) -> FastAPI:
    """The application, over the interviews of a house. Raises UsageError where the settings don't say who may come in, or the
    users' file has a mistake."""
    settings = house.settings
    desk = Desk(house.interviews, warm=house.warm_in_background)
    reception = Reception(settings, house.interviews.store)
    site = FastAPI(openapi_url=None)
    add_refusals(site)
    for routes in (sign_in_pages(reception, settings), arrivals(reception, house.interviews, settings)):
        site.include_router(routes)
    if reception.way_in is WayIn.OAUTH:
        site.include_router(oauth_pages(reception, settings))
    for pages in (
        document_pages,
        history_pages,
        review_pages,
        invitation_pages,
        question_document_pages,
        bank_pages,
    ):
        site.include_router(pages(house))
    site.add_api_route("/favicon.ico", lambda: Response(status_code=204))  # else asked for in vain on every page
    site.add_api_route("/style.css", lambda: FileResponse(_STYLE, media_type="text/css"))
    app: FastAPI = gr.mount_gradio_app(
        site,
        Page(desk, Bench(house.interviews)).blocks,
        path="/",
        auth_dependency=_name_of,
        theme=THEME,
        css=CSS,
        head=HEAD,
        footer_links=[],
        run_history=False,
        ssr_mode=False,
        show_error=False,
    )
    mounted = app.routes[-1]
    assert isinstance(mounted, Mount)
    mounted.app = GradioGate(mounted.app)
    # The last added is asked first.
    app.add_middleware(Guard, reception=reception, settings=settings)
    app.add_middleware(CrossSite, settings=settings, open_to_all=reception.way_in is WayIn.OPEN)
    app.add_middleware(Peers, settings=settings)
    app.add_middleware(_WithHeaders)
    return app


def _name_of(request: Request) -> str | None:
    person = person_of(request)
    return person.user if person else None


class _WithHeaders:
    """Adds the policy to every answer; passes streams through untouched."""

    def __init__(self, app: ASGIApp):
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *_HEADERS]
            await send(message)

        await self._app(scope, receive, send_with_headers)
