"""`interviewer slack`: puts the rooms together and serves Slack, over Socket Mode or HTTP, until it is interrupted."""

from __future__ import annotations

import sys
import threading
from contextlib import suppress

import uvicorn
from slack_bolt.adapter.socket_mode.builtin import SocketModeHandler

from interviewer.errors import UsageError
from interviewer.house import House, assemble
from interviewer.settings import Settings
from interviewer.surfaces.listening import check_sandbox_later, listen
from interviewer.surfaces.slack.app import SlackApp
from interviewer.surfaces.slack.desk import Desk
from interviewer.surfaces.slack.http import EVENTS_PATH, asgi
from interviewer.surfaces.slack.installations import INSTALL_PATH

_SECONDS_TO_FINISH = 5


def serve(settings: Settings) -> None:
    """Serves until it is interrupted. Raises UsageError that names the settings that are missing, or says what Slack
    doesn't accept."""
    if missing := missing_settings(settings):
        raise UsageError(
            f"Slack can't be served without {', '.join(missing)}. Nothing was started. docs/slack.md says where each is found."
        )
    house = assemble(settings)
    app = open_app(settings, house)
    house.warm_in_background()
    check_sandbox_later(house)
    if left := app.take_up():
        _say(f"Going on with {left} thing(s) that were left unanswered.")
    try:
        with suppress(KeyboardInterrupt):
            _serve_both(settings, app)
    finally:
        app.close()


def open_app(settings: Settings, house: House) -> SlackApp:
    """The app over the interviews of a house."""

    store = house.interviews.store
    desk = Desk(house.interviews, settings.slack_files_url, settings.page_url)
    return SlackApp(settings, desk, store, store.inbox(settings.locks))


def missing_settings(settings: Settings) -> list[str]:
    """By the names that they have in the environment."""
    several = bool(settings.slack_client_id or settings.slack_client_secret)
    needed = ["slack_client_id", "slack_client_secret"] if several else ["slack_bot_token"]
    if not settings.slack_app_token:
        needed.append("slack_signing_secret")
    names = [f"INTERVIEWER_{name.upper()}" for name in needed if not getattr(settings, name)]
    if not several and not settings.slack_bot_token:
        names[0] += " (or INTERVIEWER_SLACK_CLIENT_ID and INTERVIEWER_SLACK_CLIENT_SECRET for several workspaces)"
    if not settings.slack_app_token and not settings.slack_signing_secret:
        names[-1] += " (or INTERVIEWER_SLACK_APP_TOKEN for Socket Mode)"
    return names


def _serve_both(settings: Settings, app: SlackApp) -> None:
    """Socket Mode where there is a token for it; the address where requests or installations arrive there."""
    handler = None
    if settings.slack_app_token:
        handler = SocketModeHandler(app.bolt, settings.slack_app_token.get_secret_value())
        handler.connect()  # type: ignore[no-untyped-call]
        _say("Connected to Slack (Ctrl-C ends it; what was said is kept).")
    try:
        if handler is None or settings.slack_client_id:
            _serve_http(settings, app, with_events=handler is None)
        else:
            threading.Event().wait()
    finally:
        if handler is not None:
            handler.close()  # type: ignore[no-untyped-call]


def _serve_http(settings: Settings, app: SlackApp, *, with_events: bool) -> None:
    listener = listen(
        settings.host, settings.slack_port, what="Slack's requests can't be taken", setting="INTERVIEWER_SLACK_PORT"
    )
    address = f"http://{settings.host}:{listener.getsockname()[1]}"
    if with_events:
        _say(f"Slack's requests are taken at {address}{EVENTS_PATH} (Ctrl-C ends it; what was said is kept).")
    if settings.slack_client_id:
        _say(f"Workspaces install the app at {address}{INSTALL_PATH}.")
    config = uvicorn.Config(asgi(app.bolt), log_level="warning", timeout_graceful_shutdown=_SECONDS_TO_FINISH)
    uvicorn.Server(config).run(sockets=[listener])


def _say(words: str) -> None:
    sys.stdout.write(words + "\n")
    sys.stdout.flush()
