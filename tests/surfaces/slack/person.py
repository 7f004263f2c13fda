"""People of a workspace, as the app hears of them: Slack's requests, signed and sent over real HTTP."""

from __future__ import annotations

import itertools
import json
import time
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

import httpx
from slack_sdk.signature import SignatureVerifier

from tests.surfaces.slack.standin import BOT, Slack

SECRET = "signing-secret"
_count = itertools.count(500_001)  # what Slack itself numbers begins at 1; one time is one message


def fresh_ts() -> str:
    return f"{int(time.time())}.{next(_count):06d}"


@dataclass
class Person:
    """Somebody in ``team``. ``app`` is the address of the app. What is sent is remembered in ``bodies``."""

    app: str
    slack: Slack
    user: str
    team: str = "T1"
    bodies: list[tuple[str, str]] = field(default_factory=list)

    @property
    def direct(self) -> str:
        """Their direct conversation with the app."""
        return f"D{self.user}"

    def say(self, text: str, *, thread: str = "", channel: str = "", **more: Any) -> str:
        """A message; its ts. Directly to the app unless a channel is named."""
        ts = str(more.pop("ts", "") or fresh_ts())
        event = {
            "type": "message",
            "channel": channel or self.direct,
            "channel_type": "channel" if channel else "im",
            "user": self.user,
            "text": text,
            "ts": ts,
            **({"thread_ts": thread} if thread else {}),
            **more,
        }
        self.event(event)
        return ts

    def event(self, event: dict[str, Any], event_id: str = "") -> httpx.Response:
        body = {
            "type": "event_callback",
            "team_id": self.team,
            "api_app_id": "A1",
            "event_id": event_id or f"Ev{next(_count)}",
            "event_time": int(time.time()),
            "authorizations": [{"team_id": self.team, "user_id": BOT, "is_bot": True, "is_enterprise_install": False}],
            "event": event,
        }
        return self.send(json.dumps(body), "application/json")

    def again(self, retry: int = 1) -> httpx.Response:
        """Slack sends the last request anew."""
        body, kind = self.bodies[-1]
        return self.send(body, kind, {"x-slack-retry-num": str(retry), "x-slack-retry-reason": "http_timeout"})

    def command(self, text: str, channel: str = "C1") -> httpx.Response:
        form = {
            "command": "/interview", "text": text, "team_id": self.team, "user_id": self.user, "user_name": self.user.lower(),
            "channel_id": channel, "trigger_id": f"tr{next(_count)}", "response_url": f"{self.slack.address}/respond/{self.user}",
            "api_app_id": "A1",
        }  # fmt: skip
        return self.send(urlencode(form), "application/x-www-form-urlencoded")

    def press(self, message: dict[str, Any], label: str) -> httpx.Response:
        """The button that is called ``label`` under a message of the app's."""
        [button] = [
            element
            for block in message["blocks"]
            if block["type"] == "actions"
            for element in block["elements"]
            if element["text"]["text"] == label
        ]
        return self.press_button(button, message)

    def press_button(self, button: dict[str, Any], message: dict[str, Any]) -> httpx.Response:
        channel = message.get("channel", "C1")
        payload = {
            "type": "block_actions", "team": {"id": self.team}, "user": {"id": self.user, "team_id": self.team}, "api_app_id": "A1",
            "channel": {"id": channel}, "trigger_id": f"tr{next(_count)}",
            "response_url": f"{self.slack.address}/respond/{self.user}",
            "message": {"ts": message.get("ts", ""), **({"thread_ts": message["thread_ts"]} if message.get("thread_ts") else {})},
            "container": {"type": "message", "channel_id": channel},
            "actions": [{"type": "button", "action_ts": fresh_ts(), "block_id": "b", **button}],
        }  # fmt: skip
        return self.send(urlencode({"payload": json.dumps(payload)}), "application/x-www-form-urlencoded")

    def send(self, body: str, kind: str, headers: dict[str, str] | None = None, *, at: float = 0) -> httpx.Response:
        """Signed as Slack signs; ``at`` another time than now."""
        self.bodies.append((body, kind))
        stamp = str(int(at or time.time()))
        signature = SignatureVerifier(SECRET).generate_signature(timestamp=stamp, body=body)
        signed = {"content-type": kind, "x-slack-request-timestamp": stamp, "x-slack-signature": str(signature)}
        return httpx.post(f"{self.app}/slack/events", content=body, headers={**signed, **(headers or {})}, timeout=10)

    # --- what they see --------------------------------------------------------------------------------

    def seen(self, channel: str = "") -> list[dict[str, Any]]:
        return self.slack.said(channel or self.direct)

    def told(self) -> list[dict[str, Any]]:
        """What was said to them alone, in answer to commands and buttons."""
        return [reply for reply in self.slack.replies if reply["to"] == self.user]

    def newest(self, count: int, channel: str = "", seconds: float = 20) -> dict[str, Any]:
        """The app's newest message, once there are ``count`` that are whole."""

        def whole() -> list[dict[str, Any]]:
            seen = self.seen(channel)
            done = [m for m in seen if not any(b["type"] == "context" for b in m["blocks"])]
            return done if len(done) >= count else []

        newest: dict[str, Any] = self.slack.wait_for(whole, seconds)[count - 1]
        return newest
