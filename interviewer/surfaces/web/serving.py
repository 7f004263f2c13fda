"""The page's server: one address, Gradio behind it, and a browser opened where there is a display.

Promises: nothing is asked of another host, neither by the server nor, by its policy header, by the page.
Who may see what is the site's to ask: see ``guard``.
"""

from __future__ import annotations

import inspect
import os
import socket
import sys
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from interviewer.access import way_in
from interviewer.access.users import Users
from interviewer.settings import Settings
from interviewer.surfaces.listening import check_sandbox_later, listen

_QUIET = {"GRADIO_ANALYTICS_ENABLED": "False", "HF_HUB_DISABLE_TELEMETRY": "1"}
_SECONDS_TO_FINISH = 2  # on Ctrl-C; a turn cut off here is answered when its session is opened again


def serve(settings: Settings) -> None:
    """Serves until it is interrupted. Raises UsageError where the address is taken, or nothing says who may come in."""
    way_in(settings)  # both are said before anything is opened
    Users(settings.users).all()
    listener = listen(settings.host, settings.port, what="The page could not be opened", setting="INTERVIEWER_PORT")
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
        from interviewer.surfaces.web.site import build_site
    import uvicorn

    from interviewer.house import assemble

    house = assemble(settings)
    app = build_site(house)
    # Its own trust in proxies on this machine is turned off: ``peers`` believes only those that the settings name.
    config = uvicorn.Config(
        app, log_level="warning", timeout_graceful_shutdown=_SECONDS_TO_FINISH, proxy_headers=False, server_header=False
    )
    check_sandbox_later(house)
    with suppress(KeyboardInterrupt):  # it stops in order, then raises the interrupt again
        uvicorn.Server(config).run(sockets=[listener])


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


def _spoken_host(host: str) -> str:
    """The host as a browser on this machine is told it."""
    if host in ("0.0.0.0", "::"):
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host


def _has_display() -> bool:
    """Without one, a console browser would take over the terminal."""
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
