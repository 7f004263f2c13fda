"""The same door over a Ray cluster: submissions run on its machines, each in a sandbox there.

Ray's client ends its process where a cluster has gone, prints to standard output and can hang while it connects, so it
lives in a process of its own (client.py) and is spoken to in bytes. Promises that every submission ends: with what a
machine found, or as an infrastructure error where none could. Each is run twice at most and counted once. The process
ends with this one, and with it whatever it has started in the cluster.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import secrets
import socket
import subprocess
import sys
import threading
import weakref
from collections.abc import Iterator
from multiprocessing.connection import Connection
from queue import SimpleQueue

from interviewer.errors import MissingPart, SandboxUnavailable
from interviewer.models import CodeRun, OnProgress, Task
from interviewer.sandbox import Isolation
from interviewer.sandbox.ray.orders import News, Order, Plan, without_result
from interviewer.settings import Settings

_START = "import sys; from interviewer.sandbox.ray.client import main; main(int(sys.argv[1]))"
_SECONDS_TO_END = 5.0
_ENVIRONMENT = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ENABLE_UV_RUN_RUNTIME_ENV": "0",  # which would send this folder to every machine
    "RAY_gcs_rpc_server_reconnect_timeout_s": "20",  # a cluster that is silent for so long has gone
}


class RaySandbox:
    """Safe to use from several threads. Connects at the first call, and again after the cluster was lost.

    ``address``: "auto" is the cluster that this machine is part of, "local" one of this machine alone that is started and
    ended with this object. ``slots_per_node``: how many submissions a machine runs at a time, as many as it has CPUs where
    nothing is said. ``gpus``: what each of them asks for, a fraction or more; machines that don't have it are left out.
    """

    def __init__(
        self, settings: Settings, *, address: str | None = None, slots_per_node: int | None = None, gpus: float = 0.0
    ):
        if importlib.util.find_spec("ray") is None:
            raise MissingPart(
                "INTERVIEWER_RAY_ADDRESS names a Ray cluster, but Ray is not installed; nothing was started. "
                "Install the extra: pip install 'pytorch-interviewer[ray]', or unset the variable."
            )
        self._plan = Plan(
            address=address or settings.ray_address or "local",
            slots_per_node=slots_per_node,
            gpus=gpus,
            settings=settings.model_dump_json(),
        )
        self._client: Client | None = None
        self._starting = threading.Lock()

    def isolation(self) -> Isolation:
        """Of a machine of the cluster; of the best of them where they differ."""
        isolation = self._follow(Order(id=_new_id(), kind="isolation"), "", lambda _: None).isolation
        assert isolation
        return isolation

    def warm(self) -> None:
        """Begins to connect and to make slots ready on every machine."""
        self._started_client()

    def judge(
        self, task: Task, code: str, on_progress: OnProgress = lambda _: None, *, compare: bool = False
    ) -> CodeRun:
        """As in Sandbox. A submission whose machine died is run once more, and then ``on_progress`` hears it all again."""
        return self._run(Order(id=_new_id(), kind="judge", task=task, compare=compare), code, on_progress)

    def experiment(self, code: str, seconds: float = 10, on_progress: OnProgress = lambda _: None) -> CodeRun:
        return self._run(Order(id=_new_id(), kind="experiment", seconds=seconds), code, on_progress)

    def close(self) -> None:
        """Ends what this object has started in the cluster, submissions that are running included."""
        with self._starting:
            client, self._client = self._client, None
        if client:
            client.close()

    def _run(self, order: Order, code: str, on_progress: OnProgress) -> CodeRun:
        news = self._follow(order, code, on_progress)
        if news.run is None:
            raise SandboxUnavailable(news.refused)
        return news.run

    def _follow(self, order: Order, code: str, on_progress: OnProgress) -> News:
        """The last news of this order."""
        client = self._started_client()
        for news in client.news(order, code.encode(errors="replace")):
            if news.progress is None:
                return news
            on_progress(news.progress)
        return without_result(order, client.reason or "the connection to the Ray cluster was lost")

    def _started_client(self) -> Client:
        with self._starting:
            if self._client is None or self._client.gone:
                if self._client:
                    self._client.close()
                self._client = Client(self._plan)
                weakref.finalize(self, self._client.close)
            return self._client


class Client:
    """The process that is Ray's client, and the news that come from it. ``reason``: why it ended, where it said so."""

    def __init__(self, plan: Plan):
        self.gone = False
        self.reason = ""
        self._socket, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", _START, str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env={**os.environ, **_ENVIRONMENT},
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        self._line = Connection(os.dup(self._socket.fileno()))
        self._sending = threading.Lock()
        self._waiting: dict[str, SimpleQueue[News | None]] = {}
        self._changing = threading.Lock()
        self._listener = threading.Thread(target=self._listen, name="ray-client", daemon=True)
        self._listener.start()
        with contextlib.suppress(OSError):  # it has ended, which the listener finds out
            self._line.send_bytes(plan.model_dump_json().encode())

    def news(self, order: Order, code: bytes) -> Iterator[News]:
        """Ends early where the process does."""
        queue: SimpleQueue[News | None] = SimpleQueue()
        with self._changing:
            if self.gone:
                return
            self._waiting[order.id] = queue
        try:
            with self._sending:
                self._line.send_bytes(order.model_dump_json().encode())
                self._line.send_bytes(code)
            while news := queue.get():
                yield news
        except OSError:  # it ended while we spoke
            return
        finally:
            with self._changing:
                del self._waiting[order.id]

    def close(self) -> None:
        """The process ends by itself when nobody is at the other end of the line."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        try:
            self._process.wait(_SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._listener.join()
        self._line.close()
        self._socket.close()

    def _listen(self) -> None:
        try:
            while True:
                self._hear(News.model_validate_json(self._line.recv_bytes()))
        except (EOFError, OSError):
            with self._changing:
                self.gone = True
                for queue in self._waiting.values():
                    queue.put(None)

    def _hear(self, news: News) -> None:
        if not news.id:
            self.reason = news.refused
            return
        with self._changing:
            if queue := self._waiting.get(news.id):
                queue.put(news)


def _new_id() -> str:
    return secrets.token_hex(16)
