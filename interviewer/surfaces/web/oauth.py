"""Signing in with OpenID Connect, by Authlib: authorization code with PKCE, state and nonce.

Promises: an answer counts once, in the browser that asked, within ten minutes; a name is an e-mail address that the provider
has verified, else what the provider calls its holder, which no address can be mistaken for. Begun sign-ins are kept in memory, so many of an address at most that none crowds out
everybody else's: a restart begins them anew. Does not hear of it when somebody is removed at the provider: their ticket ends with its time.
"""

from __future__ import annotations

import logging
import time
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx
from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from interviewer.access import Means, Reception, Ticket, comparable, user_of
from interviewer.access.guessing import network_of
from interviewer.access.tokens import new_token
from interviewer.settings import Settings
from interviewer.surfaces.web.peers import address_of
from interviewer.surfaces.web.refused import refusal
from interviewer.surfaces.web.sign_in import admit, local_path

_COOKIE = "interviewer-sign-in"
_GOOD_FOR = 600.0  # seconds
_MOST_AT_ONCE = 10_000
_MOST_OF_AN_ADDRESS = 100
_PATIENCE = 10.0  # seconds for each request to the provider
_UNREACHED = "The sign-in service did not answer as it should, so you are not signed in. Try again in a minute; if it stays so, tell whoever runs this page."
_DENIED = (
    "The sign-in service says that you were not let in: you stopped there, or it may not let you into this page. You are not signed "
    "in. Begin again from this page, or ask whoever runs it."
)
_STALE = "This sign-in was begun in another browser, too long ago, or was used already, so you are not signed in. Begin it again from this page."
_NAMELESS = "The sign-in service gave no name that can be used here, so you are not signed in. Whoever runs this page can mend that."


@dataclass
class _Begun:
    """``session`` is where Authlib keeps what belongs to a sign-in; ``until``: on the monotonic clock."""

    wanted: str
    until: float
    network: str
    session: dict[str, Any] = field(default_factory=dict)


class Attempts:
    """The sign-ins that were begun, oldest first. Where there are too many of an address its own oldest is dropped."""

    def __init__(self) -> None:
        self._begun: OrderedDict[str, _Begun] = OrderedDict()
        self._of: dict[str, list[str]] = {}

    def begin(self, wanted: str, address: str) -> _Begun:
        """To be kept once the provider was found."""
        return _Begun(wanted, time.monotonic() + _GOOD_FOR, network_of(address))

    def keep(self, attempt: _Begun) -> str:
        """The mark to take it by."""
        while self._begun and next(iter(self._begun.values())).until < time.monotonic():
            self._drop(next(iter(self._begun)))
        of_it = self._of.get(attempt.network, [])
        if len(of_it) >= _MOST_OF_AN_ADDRESS:
            self._drop(of_it[0])
        if len(self._begun) >= _MOST_AT_ONCE:
            self._drop(next(iter(self._begun)))
        mark = new_token()
        self._begun[mark] = attempt
        self._of.setdefault(attempt.network, []).append(mark)
        return mark

    def take(self, mark: str) -> _Begun | None:
        """None where there is none, it was taken before or is too old."""
        attempt = self._drop(mark)
        return attempt if attempt and attempt.until >= time.monotonic() else None

    def _drop(self, mark: str) -> _Begun | None:
        attempt = self._begun.pop(mark, None)
        if attempt is not None:
            of_it = self._of[attempt.network]
            of_it.remove(mark)
            if not of_it:
                del self._of[attempt.network]
        return attempt


def oauth_pages(reception: Reception, settings: Settings) -> APIRouter:
    from authlib.common.errors import AuthlibBaseError
    from joserfc.errors import JoseError

    failures = (AuthlibBaseError, JoseError, httpx.HTTPError, ValueError, KeyError, RuntimeError)
    provider = _provider(settings)
    attempts = Attempts()
    routes = APIRouter()

    @routes.get("/sign-in/oauth")
    async def begin(request: Request, next: str = "/") -> Response:
        attempt = attempts.begin(local_path(next), address_of(request))
        request.scope["session"] = attempt.session
        back = (settings.page_url or str(request.base_url)).rstrip("/") + "/sign-in/oauth/done"
        try:
            answer: Response = await provider.authorize_redirect(request, back)
        except failures as error:
            return _failed(request, error)
        mark = attempts.keep(attempt)
        secure = back.startswith("https:")
        answer.set_cookie(_COOKIE, mark, int(_GOOD_FOR), "/sign-in/oauth", secure=secure, httponly=True, samesite="lax")
        return answer

    @routes.get("/sign-in/oauth/done")
    async def done(request: Request) -> Response:
        attempt = attempts.take(request.cookies.get(_COOKIE, ""))
        if attempt is None:
            return refusal(request, 403, _STALE)
        request.scope["session"] = attempt.session
        try:
            issuer = (await provider.load_server_metadata())["issuer"]
            wanted = {"iss": {"values": [issuer]}, "aud": {"values": [settings.oauth_client_id]}}
            token = await provider.authorize_access_token(request, claims_options=wanted)
            name = _name(token["userinfo"])
        except failures as error:
            if getattr(error, "error", "") == "access_denied":
                return refusal(request, 403, _DENIED)
            return _failed(request, error)
        if not name:
            return refusal(request, 403, _NAMELESS)
        ticket = Ticket(user=user_of(name), name=name, means=Means.OAUTH)
        answer = admit(request, reception, settings, ticket, attempt.wanted)
        answer.delete_cookie(_COOKIE, "/sign-in/oauth")
        return answer

    return routes


def _provider(settings: Settings) -> Any:
    from authlib.integrations.starlette_client import OAuth

    return OAuth().register(
        "page",
        client_id=settings.oauth_client_id,
        client_secret=settings.oauth_client_secret and settings.oauth_client_secret.get_secret_value(),
        server_metadata_url=settings.oauth_discovery_url,
        client_kwargs={"scope": "openid email", "code_challenge_method": "S256", "timeout": _PATIENCE},
    )


def _name(claims: Mapping[str, Any]) -> str:
    """Empty where there is none that can be used."""
    email, verified = claims.get("email"), claims.get("email_verified") is True
    name = comparable(email) if verified and isinstance(email, str) and "@" in email else ""
    return name if name and not name.startswith("sub:") else comparable(f"sub:{claims['sub']}")


def _failed(request: Request, error: Exception) -> Response:
    logging.getLogger(__name__).error("signing in with OpenID Connect failed: %s: %s", type(error).__name__, error)
    return refusal(request, 503, _UNREACHED)
