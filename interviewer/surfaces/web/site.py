"""The page's application: our own pages, and Gradio's interview at the bare address."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import gradio as gr
from fastapi import FastAPI
from starlette.responses import FileResponse

from interviewer.house import House
from interviewer.surfaces.web.desk import Desk
from interviewer.surfaces.web.look import CSS, THEME
from interviewer.surfaces.web.page import Page

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

# Gradio's page has inline scripts and builds functions from strings, so those are allowed; other hosts are not.
_POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; media-src 'self' blob:; font-src 'self' data:; worker-src 'self' blob:; "
    "connect-src 'self'; object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'self'"
)
_HEADERS = [
    (b"content-security-policy", _POLICY.encode()),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
]
_STYLE = Path(__file__).parent / "templates" / "style.css"


def build_site(house: House) -> FastAPI:
    """The application, over the interviews of a house."""
    desk = Desk(house.interviews, reports=house.settings.home / "reports", warm=house.warm_in_background)
    site = FastAPI(openapi_url=None)
    site.add_api_route("/style.css", lambda: FileResponse(_STYLE, media_type="text/css"))
    app: FastAPI = gr.mount_gradio_app(
        site,
        Page(desk).blocks,
        path="/",
        theme=THEME,
        css=CSS,
        footer_links=[],
        run_history=False,
        ssr_mode=False,
        show_error=False,
        allowed_paths=[str(desk.reports)],
    )
    app.add_middleware(_WithHeaders)
    return app


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
