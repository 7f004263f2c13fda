"""A small OpenID Connect provider on loopback that signs in whoever it is told to, and lies where it is told to."""

from __future__ import annotations

import base64
import hashlib
import secrets
import socket
import time
from threading import Thread
from typing import Any
from urllib.parse import urlencode

import uvicorn
from joserfc import jwt
from joserfc.jwk import RSAKey
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route


class Provider:
    """``claims``: of the next who signs in; ``asked``: the addresses it was asked at; ``lie``: what of the next token is wrong."""

    client, secret = "the-page", "the-page's own secret"

    def __init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self.claims: dict[str, Any] = {"sub": "1"}
        self.asked: list[str] = []
        self.lie = ""
        self._key = RSAKey.generate_key(2048, {"kid": "one", "use": "sig"})
        self._other_key = RSAKey.generate_key(2048, {"kid": "one", "use": "sig"})
        self._codes: dict[str, dict[str, str]] = {}
        routes = [
            Route("/.well-known/openid-configuration", self._discover),
            Route("/authorize", self._authorize),
            Route("/token", self._token, methods=["POST"]),
            Route("/keys", lambda _: JSONResponse({"keys": [self._key.as_dict(private=False)]})),
        ]
        self._server = uvicorn.Server(uvicorn.Config(Starlette(routes=routes), log_level="critical"))
        self._thread = Thread(target=self._server.run, kwargs={"sockets": [self._listener]}, daemon=True)

    def __enter__(self) -> Provider:
        self._thread.start()
        while not self._server.started:
            time.sleep(0.02)
        return self

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._thread.join(timeout=10)

    def _discover(self, request: Request) -> Response:
        at = self.address
        return JSONResponse(
            {
                "issuer": at,
                "authorization_endpoint": f"{at}/authorize",
                "token_endpoint": f"{at}/token",
                "jwks_uri": f"{at}/keys",
                "id_token_signing_alg_values_supported": ["RS256"],
            }
        )

    def _authorize(self, request: Request) -> Response:
        self.asked.append(str(request.url))
        asked = dict(request.query_params)
        if asked["client_id"] != self.client or "openid" not in asked["scope"].split():
            return Response(status_code=400)
        code = secrets.token_urlsafe()
        self._codes[code] = asked
        return RedirectResponse(f"{asked['redirect_uri']}?{urlencode({'code': code, 'state': asked['state']})}", 302)

    async def _token(self, request: Request) -> Response:
        sent = await request.form()
        asked = self._codes.pop(str(sent["code"]), None)
        credentials = base64.b64decode(request.headers.get("authorization", " ").split(" ")[1]).decode()
        if (
            asked is None
            or credentials != f"{self.client}:{self.secret}"
            or sent["redirect_uri"] != asked["redirect_uri"]
        ):
            return JSONResponse({"error": "invalid_grant"}, 400)
        digest = hashlib.sha256(str(sent["code_verifier"]).encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        if challenge != asked["code_challenge"] or self.lie == "verifier":
            return JSONResponse({"error": "invalid_grant"}, 400)
        return JSONResponse({"access_token": "a", "token_type": "Bearer", "id_token": self._id_token(asked["nonce"])})

    def _id_token(self, nonce: str) -> str:
        now = int(time.time()) - (3600 if self.lie == "expired" else 0)
        claims = {"iss": self.address, "aud": self.client, "iat": now, "exp": now + 300, "nonce": nonce, **self.claims}
        if self.lie in claims:
            claims[self.lie] = "something else"
            claims["azp"] = self.client
        key = self._other_key if self.lie == "key" else self._key
        return jwt.encode({"alg": "RS256", "kid": "one"}, claims, key)
