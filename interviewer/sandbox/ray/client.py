"""Ray's client, in a process of its own: hands submissions to the machines of a cluster and tells what they say.

Promises that a submission whose machine or actor died is run once more, on another machine where there is one, and then
reported as not judged; that an actor which still knows a submission is asked for its result and not to run it again; and
that only bytes cross: JSON, and the candidate's code. Uses no runtime environments: every machine must have this package.
Does not protect the cluster: who reaches its ports has the rights of its user.
"""

from __future__ import annotations

import contextlib
import os
import socket
import threading
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

import ray
from ray.exceptions import RayError, RayTaskError

from interviewer.models import Progress
from interviewer.sandbox.ray.crew import Crew, Nobody, Post
from interviewer.sandbox.ray.orders import SIGN_OF_LIFE, News, Order, Plan, without_result

_SECONDS_TO_CONNECT = 45.0
_SECONDS_TO_PROBE = 5.0
_SECONDS_OF_SILENCE = 30.0  # after which an actor is given up; it gives a sign of life every two
_LOOK_EVERY = 0.5
_RUNS_AT_MOST = 2

Tell = Callable[[News], None]


class Lost(Exception):
    """The actor or its machine is gone, and with it what it knew of the submission."""


class Broken(Exception):
    """An answer was not heard to its end; the actor may know it nevertheless."""


def main(line: int) -> None:
    """Serves orders that come through this socket until the other end closes."""
    Service(Connection(line)).run()
    ray.shutdown()
    os._exit(0)  # without waiting for those threads that wait for the cluster


class Service:
    def __init__(self, line: Connection):
        self._line = line
        self._speaking = threading.Lock()
        self._over = False

    def run(self) -> None:
        with contextlib.suppress(EOFError, OSError):
            plan = Plan.model_validate_json(self._line.recv_bytes())
            self._connect(plan.address)
            crew = Crew(plan)
            threading.Thread(target=self._keep, args=(crew,), daemon=True).start()
            while True:
                order, code = Order.model_validate_json(self._line.recv_bytes()), self._line.recv_bytes()
                threading.Thread(target=self._serve, args=(crew, order, code), daemon=True).start()
        self._over = True

    def _connect(self, address: str) -> None:
        late = f"the Ray cluster at {address} did not answer within {_SECONDS_TO_CONNECT:g} s"
        timer = threading.Timer(_SECONDS_TO_CONNECT, self._give_up, [late])
        timer.start()
        try:
            _probe(address)
            ray.init(address, include_dashboard=False, log_to_driver=False, configure_logging=False)
        except Exception as error:
            self._give_up(f"no Ray cluster could be reached at {address} ({error})")
        timer.cancel()

    def _keep(self, crew: Crew) -> None:
        try:
            while True:
                crew.look()
                time.sleep(_LOOK_EVERY)
        except Exception as error:
            self._give_up(_failure(error))

    def _serve(self, crew: Crew, order: Order, code: bytes) -> None:
        try:
            if order.kind == "isolation":
                self._tell(News(id=order.id, isolation=crew.isolation()))
            else:
                _run(crew, order, code, self._tell)
        except Nobody as nobody:
            self._tell(without_result(order, str(nobody)))
        except Exception as error:  # ours or Ray's, never the candidate's
            self._tell(without_result(order, _failure(error)))

    def _tell(self, news: News) -> None:
        with self._speaking, contextlib.suppress(OSError):
            self._line.send_bytes(news.as_bytes())

    def _give_up(self, reason: str) -> None:
        if self._over:  # Ray is being left, which makes calls to it fail
            return
        self._tell(News(id="", refused=reason))
        os._exit(1)


def _failure(error: Exception) -> str:
    last_line = (str(error).strip().splitlines() or [""])[-1]
    return f"Ray failed with {type(error).__name__}: {last_line}"


def _probe(address: str) -> None:
    """Where nobody listens Ray would wait for minutes. Raises OSError or ValueError."""
    if address not in ("auto", "local"):
        host, _, port = address.rpartition(":")
        socket.create_connection((host.strip("[]"), int(port)), _SECONDS_TO_PROBE).close()


def _run(crew: Crew, order: Order, code: bytes, tell: Tell) -> None:
    """The whole of a submission, told as it comes. Raises Nobody."""
    lost: Post | None = None
    for _ in range(_RUNS_AT_MOST):
        with crew.place(lambda: tell(News(id=order.id, progress=Progress(step="queued"))), but=lost) as post:
            try:
                _ask(post, order, code, tell)
                return
            except Lost:
                lost = post
                crew.ask_all()
    tell(without_result(order, f"{_RUNS_AT_MOST} machines of the cluster failed one after the other while it ran"))


def _ask(post: Post, order: Order, code: bytes, tell: Tell) -> None:
    """Raises Lost."""
    try:
        _relay(post.actor, post.actor.run, (order.model_dump_json().encode(), code), tell)
    except Broken:
        # Perhaps the connection and not the actor: then it knows the submission, and nothing is run a second time.
        with contextlib.suppress(Broken):
            if _relay(post.actor, post.actor.recall, (order.id.encode(),), tell):
                return
        raise Lost from None


def _relay(actor: Any, method: Any, arguments: tuple[bytes, ...], tell: Tell) -> bool:
    """Whether the end was told. Raises Broken, or Lost where nothing was heard for too long; what hangs is ended."""
    stream = method.options(num_returns="streaming").remote(*arguments)
    while True:
        ready, _ = ray.wait([stream], timeout=_SECONDS_OF_SILENCE)
        if not ready:
            ray.kill(actor, no_restart=False)
            raise Lost
        try:
            said = ray.get(next(stream))
        except StopIteration:
            return False
        except RayTaskError:  # of our own code in the actor
            raise
        except RayError as error:  # of many kinds, for actors, machines and objects that have gone
            raise Broken from error
        if type(said) is not bytes:
            raise TypeError("an actor answered with something other than bytes")
        if said != SIGN_OF_LIFE:
            news = News.model_validate_json(said)
            tell(news)
            if news.progress is None:
                return True
