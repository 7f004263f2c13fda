"""A stand-in of Slack: its Web API over real HTTP, which refuses what Slack refuses and remembers what it was told."""

from __future__ import annotations

import asyncio
import base64
import itertools
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket

from interviewer.surfaces.slack.installations import SCOPES
from tests.surfaces.slack.bounds import SCOPE_OF, refusal
from tests.surfaces.slack.uploads import Uploads

TEAMS = {"xoxb-one": "T1", "xoxb-two": "T2"}
BOT = "UBOT"


@contextmanager
def running(app: ASGIApp) -> Iterator[str]:
    """Serves ``app`` on a port of its own; its address."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(timeout=10)


@dataclass(frozen=True)
class Call:
    """``at``: seconds of a monotonic clock. ``told`` is what was answered."""

    method: str
    token: str
    sent: dict[str, Any]
    told: dict[str, Any]
    at: float


@dataclass
class Slack:
    """``address`` is where it is served; ``busy`` says how often a method answers 429 yet, and what wait it asks for; ``granted``:
    the scopes that the workspaces gave the app."""

    address: str = ""
    calls: list[Call] = field(default_factory=list)
    messages: dict[tuple[str, str], dict[str, Any]] = field(default_factory=dict)
    busy: dict[str, tuple[int, int]] = field(default_factory=dict)
    files: dict[str, bytes] = field(default_factory=dict)
    file_requests: list[str] = field(default_factory=list)
    replies: list[dict[str, Any]] = field(default_factory=list)
    to_the_socket: list[dict[str, Any]] = field(default_factory=list)
    from_the_socket: list[dict[str, Any]] = field(default_factory=list)
    slow: dict[str, float] = field(default_factory=dict)
    lost: list[str] = field(default_factory=list)
    granted: set[str] = field(default_factory=lambda: set(SCOPES))
    uploads: Uploads = field(default_factory=Uploads)

    def __post_init__(self) -> None:
        self._count = itertools.count(1)
        self._lock = threading.Lock()

    def app(self) -> Starlette:
        return Starlette(
            routes=[
                Route("/api/{method}", self._api, methods=["GET", "POST"]),
                Route("/files/upload/v1/{name}", self.uploads.take, methods=["POST"]),
                Route("/files/{name}", self._file),
                Route("/respond/{name}", self._respond, methods=["POST"]),
                WebSocketRoute("/socket", self._socket),
            ]
        )

    def called(self, method: str) -> list[Call]:
        return [call for call in self.calls if call.method == method]

    def said(self, channel: str) -> list[dict[str, Any]]:
        """The messages that stand in a channel as they are now, in the order of posting."""
        with self._lock:
            return [message for (where, _), message in sorted(self.messages.items()) if where == channel]

    def wait_for(self, found: Callable[[], Any], seconds: float = 20) -> Any:
        """What ``found`` gives once that is anything."""
        deadline = time.monotonic() + seconds
        while not (value := found()):
            assert time.monotonic() < deadline, json.dumps([c.sent for c in self.calls[-3:]], indent=1)[:4000]
            time.sleep(0.02)
        return value

    # --- the Web API ----------------------------------------------------------------------------------

    async def _api(self, request: Request) -> Response:
        method = request.path_params["method"]
        sent = await _arguments(request)
        token = sent.pop("token", "") or request.headers.get("authorization", "").removeprefix("Bearer ")
        times, wait = self.busy.get(method, (0, 0))
        if times:
            self.busy[method] = (times - 1, wait)
            self._remember(method, token, sent, {"ok": False, "error": "ratelimited"})
            return JSONResponse({"ok": False, "error": "ratelimited"}, 429, headers={"Retry-After": str(wait)})
        await asyncio.sleep(self.slow.get(method, 0))
        told = self._answer(method, token, sent)
        self._remember(method, token, sent, told)
        if method in self.lost:  # it did what it was asked, and isn't heard
            self.lost.remove(method)
            return Response(status_code=503)
        return JSONResponse(told, headers={"x-oauth-scopes": ",".join(sorted(self.granted))})

    def _remember(self, method: str, token: str, sent: dict[str, Any], told: dict[str, Any]) -> None:
        self.calls.append(Call(method, token, sent, told, time.monotonic()))

    def _answer(self, method: str, token: str, sent: dict[str, Any]) -> dict[str, Any]:
        if method == "apps.connections.open" and token == "xapp-one":
            return {"ok": True, "url": self.address.replace("http", "ws") + "/socket"}
        if method == "oauth.v2.access":
            return self._installed(sent, token)
        if token not in TEAMS:
            return {"ok": False, "error": "invalid_auth"}
        if wrong := refusal(method, sent):
            return {"ok": False, "error": "invalid_arguments", "response_metadata": {"messages": [wrong]}}
        if SCOPE_OF.get(method, "chat:write") not in self.granted:
            return {"ok": False, "error": "missing_scope", "needed": SCOPE_OF[method]}
        match method:
            case "files.getUploadURLExternal" | "files.completeUploadExternal" | "files.info":
                return self.uploads.answer(method, sent, self.address, self.messages)
            case "auth.test":
                return {
                    "ok": True,
                    "team_id": TEAMS[token],
                    "user_id": BOT,
                    "bot_id": "B1",
                    "url": "https://x.slack.com/",
                }
            case "conversations.open":
                return {"ok": True, "channel": {"id": f"D{sent['users']}"}}
            case "chat.postMessage":
                ts = f"{time.time():.0f}.{next(self._count):06d}"
                with self._lock:
                    self.messages[sent["channel"], ts] = {**sent, "ts": ts, "edits": 0}
                return {"ok": True, "ts": ts, "channel": sent["channel"]}
            case "chat.update":
                with self._lock:
                    old = self.messages.get((sent["channel"], sent["ts"]))
                    if old is None:
                        return {"ok": False, "error": "message_not_found"}
                    self.messages[sent["channel"], sent["ts"]] = {**old, **sent, "edits": old["edits"] + 1}
                return {"ok": True, "ts": sent["ts"]}
            case "assistant.threads.setSuggestedPrompts":
                return {"ok": True}
            case _:
                return {"ok": False, "error": "unknown_method"}

    def _installed(self, sent: dict[str, Any], credentials: str) -> dict[str, Any]:
        tokens = {"code-one": "xoxb-one", "code-two": "xoxb-two"}
        known = base64.b64encode(b"111.222:client-secret").decode()
        if sent.get("code") not in tokens or credentials != f"Basic {known}":
            return {"ok": False, "error": "invalid_code"}
        token = tokens[sent["code"]]
        team = {"id": TEAMS[token], "name": f"Team {TEAMS[token]}"}
        return {
            "ok": True, "access_token": token, "app_id": "A1", "team": team, "enterprise": None, "bot_user_id": BOT,
            "authed_user": {"id": "UADMIN"}, "scope": "chat:write", "token_type": "bot",
        }  # fmt: skip

    # --- files, answers to commands, and the socket -------------------------------------------------------

    async def _file(self, request: Request) -> Response:
        self.file_requests.append(request.headers.get("authorization", ""))
        name = request.path_params["name"]
        if name == "moved.py":
            return Response(status_code=302, headers={"Location": "/files/attempt.py"})
        if self.file_requests[-1].removeprefix("Bearer ") not in TEAMS or name not in self.files:
            return Response("<html>Sign in</html>", media_type="text/html")
        return Response(self.files[name], media_type="text/plain")

    async def _respond(self, request: Request) -> Response:
        sent = json.loads(await request.body())
        wrong = refusal("response_url", sent)
        self.replies.append({**sent, "to": request.path_params["name"], "wrong": wrong})
        return Response(wrong or "ok", 400 if wrong else 200)

    async def _socket(self, socket: WebSocket) -> None:
        await socket.accept()
        await socket.send_json({"type": "hello", "num_connections": 1, "connection_info": {"app_id": "A1"}})
        for envelope in self.to_the_socket:
            await socket.send_json(envelope)
        try:
            async for text in socket.iter_text():
                self.from_the_socket.append(json.loads(text))
        except RuntimeError:
            return


async def _arguments(request: Request) -> dict[str, Any]:
    body = (await request.body()).decode()
    if body and "json" in request.headers.get("content-type", ""):
        sent: dict[str, Any] = json.loads(body)
    else:
        sent = {**dict(request.query_params), **dict(parse_qsl(body))}
    for name in ("blocks", "prompts", "files"):
        if isinstance(sent.get(name), str):
            sent[name] = json.loads(sent[name])
    return sent
