"""The page's server: one address, Gradio behind it, and a browser opened where there is a display.

Promises: nothing is asked of another host, neither by the server nor, by its policy header, by the page.
Does not authenticate anybody: who knows the address of a session may read it.
"""

from __future__ import annotations

import inspect
import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from interviewer.errors import UsageError
from interviewer.settings import Settings

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from interviewer.house import House

_QUIET = {"GRADIO_ANALYTICS_ENABLED": "False", "HF_HUB_DISABLE_TELEMETRY": "1"}
_SECONDS_BEFORE_THE_TEST = 20.0  # the first page and the first question have the machine to themselves
_SECONDS_TO_FINISH = 2  # on Ctrl-C; a turn cut off here is answered when its session is opened again

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


def serve(settings: Settings) -> None:
    """Serves until it is interrupted. Raises UsageError where the address is taken."""
    listener = _listen(settings)
    address = f"http://{_spoken_host(settings.host)}:{listener.getsockname()[1]}"
    sys.stdout.write(f"The interview is at {address} (Ctrl-C ends it; what was said is kept).\n")
    sys.stdout.flush()
    if _has_display():
        webbrowser.open(address)
    _run(settings, listener)


def _run(settings: Settings, listener: socket.socket) -> None:
    # Gradio reads these at import. It takes seconds, so the browser starts meanwhile, on the open socket.
    os.environ.update(_QUIET | {"GRADIO_TEMP_DIR": str(settings.home / "page")})
    with _no_stubs():
        import gradio as gr
    import uvicorn
    from fastapi import FastAPI

    from interviewer.house import assemble
    from interviewer.surfaces.web_desk import Desk
    from interviewer.surfaces.web_look import CSS, THEME
    from interviewer.surfaces.web_page import Page

    house = assemble(settings)
    desk = Desk(house.interviews, reports=settings.home / "reports", warm=house.warm_in_background)
    app = gr.mount_gradio_app(
        FastAPI(openapi_url=None),
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
    config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=_SECONDS_TO_FINISH)
    test = threading.Timer(_SECONDS_BEFORE_THE_TEST, _test_sandbox, [house])
    test.daemon = True
    test.start()
    with suppress(KeyboardInterrupt):  # it stops in order, then raises the interrupt again
        uvicorn.Server(config).run(sockets=[listener])


def _test_sandbox(house: House) -> None:
    for broken in house.test_sandbox():
        sys.stderr.write(f"The sandbox did not hold, so no code is run: {broken}\n")


@contextmanager
def _no_stubs() -> Iterator[None]:
    """At every import Gradio rewrites the .pyi files in its own folder, which is half of the time that it takes.
    It leaves out classes whose source file can't be told; so meanwhile that of its own can't."""
    getfile = inspect.getfile

    def getfile_of_others(thing: Any) -> str:
        if str(getattr(thing, "__module__", "")).startswith("gradio."):
            raise OSError
        return getfile(thing)

    inspect.getfile = getfile_of_others  # type: ignore[assignment]
    try:
        yield
    finally:
        inspect.getfile = getfile


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


def _listen(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    if sys.platform != "win32":
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.host, settings.port))
    except OSError as error:
        listener.close()
        raise UsageError(
            f"The page could not be opened at {settings.host}:{settings.port}: {error.strerror or error}. "
            "Nothing was changed. INTERVIEWER_PORT names another port (0 takes any free one), INTERVIEWER_HOST another address."
        ) from error
    listener.listen(128)
    return listener


def _spoken_host(host: str) -> str:
    """The host as a browser on this machine is told it."""
    if host in ("0.0.0.0", "::"):
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host


def _has_display() -> bool:
    """Without one, a console browser would take over the terminal."""
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
