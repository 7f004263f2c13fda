"""Which machines of the cluster are there, and whose sandbox has a place for the next submission.

One actor a machine, bound to it: Ray starts it again where it crashed, and forgets it where the machine has gone.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

import ray
from ray.exceptions import ActorUnavailableError, RayError
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from interviewer.sandbox import Isolation
from interviewer.sandbox.ray.holder import Holder
from interviewer.sandbox.ray.orders import Plan
from interviewer.settings import Settings

_SECONDS_TO_JOIN = 3.0  # for a machine, where none is alive
_SECONDS_TO_GET_READY = 60.0  # for one of those that are
_SECONDS_AFTER_A_FAILURE = 15.0  # until an actor is put on the same machine again
_LOOK_EVERY = 0.5

T = TypeVar("T")


class Nobody(Exception):
    """No machine can take a submission; says why."""


@dataclass(eq=False)
class Post:
    """An actor on a machine. ``answer``: to how it is, while that is awaited; ``isolation``: once it was given."""

    node: str
    actor: Any
    places: int
    answer: Any
    isolation: Isolation | None = None
    busy: int = 0


class Crew:
    """The actors of all machines that are alive. ``look`` gives one to each that has joined, and forgets those that left."""

    def __init__(self, plan: Plan):
        self._plan = plan
        self._settings = Settings.model_validate_json(plan.settings)
        self._posts: list[Post] = []
        self._not_before: dict[str, float] = {}
        self._machines = 0
        self._failure = ""
        self._changed = threading.Condition()

    def isolation(self) -> Isolation:
        """Of a machine that isolates code, where there is one. Raises Nobody."""
        with self._changed:
            self._wait_for(lambda: self._usable() or None)
            return next(post.isolation for post in self._usable() if post.isolation)

    @contextlib.contextmanager
    def place(self, on_wait: Callable[[], None], but: Post | None) -> Iterator[Post]:
        """For one submission, at another post than ``but`` where there is one. Raises Nobody."""
        with self._changed:
            post = self._free(but)
        if post is None:
            on_wait()
            with self._changed:
                post = self._wait_for(lambda: self._free(but))
        try:
            yield post
        finally:
            with self._changed:
                post.busy -= 1
                self._changed.notify_all()

    def ask_all(self) -> None:
        """After a loss: nobody gets anything to do until he has answered anew."""
        with self._changed:
            for post in self._posts:
                post.isolation = None
                post.answer = post.actor.isolation.remote()

    def look(self) -> None:
        nodes: list[dict[str, Any]] = ray.nodes()  # type: ignore[no-untyped-call]
        places = {node["NodeID"]: self._places(node["Resources"]) for node in nodes if node["Alive"]}
        now = time.monotonic()
        with self._changed:
            self._machines = sum(1 for number in places.values() if number)
            self._posts = [post for post in self._posts if post.node in places]
            staffed = {post.node for post in self._posts}
            for node, number in places.items():
                if node not in staffed and now >= self._not_before.get(node, 0):
                    self._posts += self._staff(node, number)
            awaited = [post for post in self._posts if post.isolation is None]
        for post in awaited:
            self._hear(post)

    def _hear(self, post: Post) -> None:
        with self._changed:
            if not ray.wait([post.answer], timeout=0)[0]:
                return
            try:
                post.isolation = Isolation.model_validate_json(ray.get(post.answer))
            except ActorUnavailableError:  # it is being started again
                post.answer = post.actor.isolation.remote()
            except RayError as error:
                self._failure = str(error).strip().splitlines()[-1]
                self._posts.remove(post)
                self._not_before[post.node] = time.monotonic() + _SECONDS_AFTER_A_FAILURE
            self._changed.notify_all()

    def _places(self, resources: dict[str, float]) -> int:
        """A machine without a CPU is part of the cluster to lead it, not to work."""
        cpus, gpus = int(resources.get("CPU", 0)), resources.get("GPU", 0)
        shares = int(gpus / self._plan.gpus) if self._plan.gpus else cpus
        return self._plan.slots_per_node or shares if cpus and shares else 0

    def _staff(self, node: str, places: int) -> list[Post]:
        """One actor holds all places; where each needs a GPU, one actor for each, of which Ray lets wait what doesn't fit."""
        if self._plan.gpus:
            return [self._post(node, 1) for _ in range(places)]
        return [self._post(node, places)] if places else []

    def _post(self, node: str, places: int) -> Post:
        settings = self._settings.model_copy(update={"sandbox_runs": places})
        actor: Any = ray.remote(Holder).options(
            num_cpus=0,  # it mostly waits; its places are what limits it
            num_gpus=self._plan.gpus,
            max_restarts=-1,
            max_task_retries=0,
            max_concurrency=2 * places + 4,
            scheduling_strategy=NodeAffinitySchedulingStrategy(node, soft=False),
        )
        actor = actor.remote(settings.model_dump_json().encode())
        return Post(node, actor, places, actor.isolation.remote())

    def _usable(self) -> list[Post]:
        """Those that isolate code; where all have answered and none does, all: they decide for themselves."""
        answered = [post for post in self._posts if post.isolation]
        isolating = [post for post in answered if post.isolation and post.isolation.available]
        return isolating or (answered if len(answered) == len(self._posts) else [])

    def _free(self, but: Post | None) -> Post | None:
        free = [post for post in self._usable() if post.busy < post.places]
        if not free:
            return None
        post = min(free, key=lambda post: (post is but, post.busy / post.places))
        post.busy += 1
        return post

    def _wait_for(self, find: Callable[[], T | None]) -> T:
        """Turns are waited for as long as they take, machines are not. Raises Nobody."""
        began = time.monotonic()
        while (found := find()) is None:
            waited = time.monotonic() - began
            if not self._usable() and waited > (_SECONDS_TO_GET_READY if self._machines else _SECONDS_TO_JOIN):
                raise Nobody(self._why_nobody())
            self._changed.wait(_LOOK_EVERY)
        return found

    def _why_nobody(self) -> str:
        where = f"of the Ray cluster at {self._plan.address}"
        wanted = f"a CPU and {self._plan.gpus:g} GPUs" if self._plan.gpus else "a CPU"
        if not self._machines:
            return f"no machine {where} is alive and has {wanted}"
        if self._failure:
            return f"no machine {where} could prepare a sandbox ({self._failure})"
        return f"no machine {where} had a sandbox ready in time"
