"""A language model's server that misbehaves as it is told: real HTTP on loopback, in the form of OpenAI's chat completions.

    with FaultyServer([status(503), silence()], otherwise=good()) as server:
        settings = Settings(home=home, model="openai:any", model_url=server.url)
        ...
    assert len(server.requests) == 2

Every request is played the next behaviour of the list (``tests.llm.behaviours``), and ``otherwise`` once the list is used up; in
place of a list stands a function that is given the request and returns a behaviour. ``server.then(...)`` adds to the list while
the server runs. Streams where the request asks for a stream, and answers in one piece where it doesn't.
"""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self, cast

from tests.llm.behaviours import good
from tests.llm.exchange import ENDLESS_SECONDS, TICK, Behaviour, ClientGone, Exchange, Received

Script = Iterable[Behaviour] | Callable[[Received], Behaviour]


class FaultyServer:
    """See the module. ``requests``: all that came so far, in order. Is a context manager: when it is left, nothing listens any
    more and every connection is closed."""

    def __init__(self, script: Script = (), otherwise: Behaviour | None = None):
        self.requests: list[Received] = []
        self._otherwise = otherwise or good()
        self._choose = script if callable(script) else None
        self._script = [] if callable(script) else list(script)
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._http = _Http(("127.0.0.1", 0), _Handler)
        self._http.play = self._play
        self._thread = threading.Thread(target=self._http.serve_forever, args=(TICK,), daemon=True)

    @property
    def url(self) -> str:
        """What the setting model_url takes."""
        return f"http://127.0.0.1:{self._http.server_port}/v1"

    @property
    def connections(self) -> int:
        """How many were opened so far."""
        return self._http.connections

    def then(self, *behaviours: Behaviour) -> None:
        """Played after what is still to be played."""
        with self._lock:
            self._script += behaviours

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def _play(self, connection: socket.socket, headers: Mapping[str, str], body: Mapping[str, Any]) -> bool:
        """Whether the connection is to be kept."""
        with self._lock:
            request = Received(len(self.requests), time.monotonic(), headers, body)
            self.requests.append(request)
            behaviour = self._script.pop(0) if self._script else self._otherwise
        if self._choose:
            behaviour = self._choose(request)
        exchange = Exchange(request, connection, self._stopping)
        try:
            behaviour(exchange)
        except ClientGone:
            return False
        finally:
            request._end()
        return exchange.keep_alive and not self._stopping.is_set()


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128
    connections = 0
    play: Callable[[socket.socket, Mapping[str, str], Mapping[str, Any]], bool]

    def process_request(self, request: Any, client_address: Any) -> None:
        self.connections += 1
        super().process_request(request, client_address)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that is gone is no news."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    timeout = ENDLESS_SECONDS

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"{}")
        if not self.path.endswith("/chat/completions"):
            self.send_error(404)
            return
        play = cast(_Http, self.server).play
        self.close_connection = not play(
            self.connection, {name.lower(): value for name, value in self.headers.items()}, body
        )

    def log_message(self, format: str, *args: Any) -> None:
        pass
