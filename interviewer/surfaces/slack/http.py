"""The address that Slack's requests arrive at.

Promises: what is too large, is not text, or is of no shape that Slack sends is refused before anything else looks at it;
whose signature or time is wrong, by Bolt.
"""

from __future__ import annotations

from slack_bolt import App
from slack_bolt.adapter.starlette.handler import to_bolt_request, to_starlette_response
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from interviewer.surfaces.slack.installations import INSTALL_PATH, REDIRECT_PATH

EVENTS_PATH = "/slack/events"
_MOST_BYTES = 1024 * 1024


def asgi(bolt: App) -> Starlette:
    async def events(request: Request) -> Response:
        body = bytearray()
        async for piece in request.stream():
            body += piece
            if len(body) > _MOST_BYTES:
                return PlainTextResponse("too large", 413)
        if not request.headers.get("x-slack-request-timestamp", "").isdecimal():
            return PlainTextResponse("not from Slack", 401)
        try:
            asked = to_bolt_request(request, bytes(body))
        except (ValueError, TypeError, AttributeError, KeyError):
            return PlainTextResponse("not what Slack sends", 400)
        if not isinstance(asked.body, dict) or not isinstance(asked.body.get("event", {}), dict):
            return PlainTextResponse("not what Slack sends", 400)
        return to_starlette_response(await run_in_threadpool(bolt.dispatch, asked))

    async def install(request: Request) -> Response:
        flow = bolt.oauth_flow
        if flow is None:
            return PlainTextResponse("This app serves one workspace; there is nothing to install.", 404)
        handle = flow.handle_installation if request.url.path == INSTALL_PATH else flow.handle_callback
        return to_starlette_response(await run_in_threadpool(handle, to_bolt_request(request, b"")))

    async def alive(_: Request) -> Response:
        return PlainTextResponse("alive")

    return Starlette(
        routes=[
            Route(EVENTS_PATH, events, methods=["POST"]),
            Route(INSTALL_PATH, install),
            Route(REDIRECT_PATH, install),
            Route("/health", alive),
        ]
    )
