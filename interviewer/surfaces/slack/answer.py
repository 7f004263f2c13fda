"""One answer of ours in Slack: "grading…" where it takes long, edited while it is being said, then the whole.

Promises: something is seen two seconds after an answer was begun; no message is edited more than once in three seconds and no
workspace's messages more than once in 1.2, which is what Slack allows; a wait that Slack asks for is kept; only edits in
between are left out for it, never an answer.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from threading import Lock, Timer
from typing import Any
from urllib.error import URLError

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError
from slack_sdk.http_retry.builtin_handlers import (
    ConnectionErrorRetryHandler,
    RateLimitErrorRetryHandler,
    ServerErrorRetryHandler,
)

from interviewer.surfaces.slack.blocks import Message, working

GRADING = "grading"
_QUIET_FOR = 1.5  # seconds before an answer that isn't there yet is spoken of
_BETWEEN_EDITS = 3.0
_BETWEEN_EDITS_OF_ALL = 1.2
_WHILE_QUIET = (SlackApiError, URLError, OSError)
_LOST = ("message_not_found", "cant_update_message", "edit_window_closed")

RETRIES = [
    ConnectionErrorRetryHandler(max_retry_count=2),
    RateLimitErrorRetryHandler(max_retry_count=4),
    ServerErrorRetryHandler(max_retry_count=2),
]
"""For what has to arrive."""


class Pace:
    """When messages of a workspace may be edited."""

    def __init__(self, now: Callable[[], float] = time.monotonic):
        self._now = now
        self._next: dict[str, float] = {}
        self._lock = Lock()

    def may(self, team: str) -> bool:
        """Says yes once in 1.2 seconds."""
        with self._lock:
            if self._now() < self._next.get(team, 0.0):
                return False
            self._next[team] = self._now() + _BETWEEN_EDITS_OF_ALL
            return True

    def wait(self, team: str, seconds: float) -> None:
        """No edits before that."""
        with self._lock:
            self._next[team] = max(self._next.get(team, 0.0), self._now() + seconds)


class Answer:
    """``ts`` is the message that is to become the answer, empty before one was begun. ``first`` is what that message says.
    ``thread`` may be empty."""

    def __init__(
        self,
        client: WebClient,
        pace: Pace,
        *,
        team: str,
        channel: str,
        thread: str,
        first: str = GRADING,
    ):
        self.client = client
        self.channel = channel
        self.thread = thread
        self.ts = ""
        self._begun: Callable[[str], None] = lambda _: None
        self._quick = WebClient(token=client.token, base_url=client.base_url, timeout=5, retry_handlers=[])
        self._pace = pace
        self._team = team
        self._first = first
        self._step = ""
        self._said: list[str] = []
        self._edited = 0.0
        self._done = False
        self._lock = Lock()
        self._timer = Timer(_QUIET_FOR, self._speak_of_it)
        self._timer.daemon = True
        self._timer.start()

    def progress(self, step: str) -> None:
        """What is being done, in a word."""
        self._step = step
        self._edit()

    def hear(self, sentence: str) -> None:
        """The next sentence of the answer."""
        self._said.append(sentence)
        self._edit()

    def finish(self, messages: Sequence[Message]) -> str:
        """Shows the whole, in the message that was begun and in further ones; the ``ts`` of the first. Raises SlackApiError
        and URLError where Slack didn't take it."""
        self.withdraw()
        first, *others = messages
        ts = self._edit_into(first) or post(self.client, self.channel, self.thread, first)
        for message in others:
            post(self.client, self.channel, self.thread or ts, message)
        return ts

    def withdraw(self) -> bool:
        """Nothing more is said of it. Whether nothing was seen of it yet."""
        self._timer.cancel()
        with self._lock:
            self._done = True
        return not self.ts

    def keep_place(self, pending: str, begun: Callable[[str], None]) -> None:
        """``begun`` is told of the message that is to become the answer, once there is one. ``pending``: one that was begun
        by a process that is gone; empty where there is none."""
        with self._lock:
            own = self.ts
            self.ts = own or pending
            self._begun = begun
        if own:
            begun(own)

    def beside(self, message: Message) -> None:
        """A message of its own."""
        post(self.client, self.channel, self.thread, message)

    def _speak_of_it(self) -> None:
        with self._lock:
            if self._done or self.ts:
                return
            try:
                self.ts = post(self._quick, self.channel, self.thread, self._so_far())
            except _WHILE_QUIET as error:
                self._keep_still(error)
                return
            self._edited = time.monotonic()
            begun = self._begun
        begun(self.ts)

    def _edit(self) -> None:
        with self._lock:
            now = time.monotonic()
            if self._done or not self.ts or now - self._edited < _BETWEEN_EDITS or not self._pace.may(self._team):
                return
            self._edited = now
            try:
                self._quick.chat_update(channel=self.channel, ts=self.ts, **_as_arguments(self._so_far()))
            except _WHILE_QUIET as error:
                self._keep_still(error)

    def _keep_still(self, error: Exception) -> None:
        if isinstance(error, SlackApiError) and error.response.status_code == 429:
            self._pace.wait(self._team, float(error.response.headers.get("Retry-After", 30)))

    def _so_far(self) -> Message:
        return working(" · ".join(filter(None, [f"{self._first}…", self._step])), " ".join(self._said))

    def _edit_into(self, message: Message) -> str:
        if not self.ts:
            return ""
        try:
            self.client.chat_update(channel=self.channel, ts=self.ts, **_as_arguments(message))
        except SlackApiError as error:
            if error.response.get("error") not in _LOST:
                raise
            return ""
        return self.ts


def post(client: WebClient, channel: str, thread: str, message: Message) -> str:
    """Posts a message, in a thread where ``thread`` is not empty; its ``ts``."""
    return str(
        client.chat_postMessage(
            channel=channel,
            thread_ts=thread or None,
            unfurl_links=False,
            unfurl_media=False,
            **_as_arguments(message),
        )["ts"]
    )


def _as_arguments(message: Message) -> dict[str, Any]:
    return {"text": message.text, "blocks": message.blocks, "parse": "none", "link_names": False}
