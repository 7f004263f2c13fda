"""What is believed of who is at the other end: X-Forwarded-For and its like count from proxies that the settings name, and
from nobody else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.requests import HTTPConnection
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from interviewer.access.guessing import without_mapping
from interviewer.settings import Settings

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

_FROM_PROXY = "interviewer.from_proxy"


def from_proxy(request: HTTPConnection) -> bool:
    """Whether a trusted proxy handed the request on."""
    return bool(request.scope.get(_FROM_PROXY))


def address_of(request: HTTPConnection) -> str:
    """Where the request came from, as far as that can be believed."""
    return request.client.host if request.client else ""


class Peers:
    """Notes whether a proxy that is trusted handed the request on, and if so takes scheme and address from it."""

    def __init__(self, app: ASGIApp, settings: Settings):
        networks = [str(network) for network in settings.trusted_proxies]
        self._app = app
        self._behind = ProxyHeadersMiddleware(app, networks)  # type: ignore[arg-type]
        self._trusted = self._behind.trusted_hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        peer = scope.get("client")
        if peer:
            peer = scope["client"] = (_plain(peer[0]), peer[1])
        if scope["type"] == "lifespan" or not peer or peer[0] not in self._trusted:
            await self._app(scope, receive, send)
        else:
            scope[_FROM_PROXY] = True
            await self._behind(scope, receive, send)  # type: ignore[arg-type]


def _plain(host: str) -> str:
    """A socket that listens for both IPv4 and IPv6 writes the first as the second; the settings don't."""
    try:
        return str(without_mapping(host))
    except ValueError:
        return host
