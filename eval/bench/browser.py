"""A browser on a Gradio page without the browser: it keeps what every box holds, sends events to the queue and reads their stream.

Speaks the protocol that the page itself speaks (``/config``, ``/gradio_api/queue/join`` and ``/gradio_api/queue/data``), so what it waits for is what a
person waits for, less the drawing.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator
from typing import Any

import httpx
from gradio_client.utils import apply_diff

_SECONDS = 120.0
_ENDED = ("process_completed", "unexpected_error", "close_stream")


class Browser:
    """``address``: the page's. Opens it, and holds a page of its own."""

    def __init__(self, address: str):
        self._http = httpx.Client(base_url=address, timeout=_SECONDS, headers={"origin": address})
        config = self._http.get("/config").raise_for_status().json()
        self._events: list[dict[str, Any]] = config["dependencies"]
        self._values = {each["id"]: each["props"].get("value") for each in config["components"]}
        self._named = {name: each["id"] for each in config["components"] if (name := each["props"].get("elem_id"))}
        self._page = secrets.token_hex(6)
        for event in self._events:
            if any(kind == "load" for _, kind in event["targets"]) and event["backend_fn"]:
                self._send(event)

    def close(self) -> None:
        self._http.close()

    def value(self, name: str) -> Any:
        """What the box with the element id ``name`` holds."""
        return self._values[self._named[name]]

    def fire(self, name: str, kind: str, **filled: Any) -> None:
        """Fills boxes, named by their element ids, then does to the element ``name`` what ``kind`` says, and waits until all of the answer is
        there. Raises RuntimeError where the page says that it failed."""
        target = [self._named[name], kind]
        for box, value in filled.items():
            self._values[self._named[box.replace("_", "-")]] = value
        for event in self._events:
            if target in event["targets"] and event["backend_fn"]:
                self._send(event)

    def _send(self, event: dict[str, Any]) -> None:
        data = [self._values[box] for box in event["inputs"]]
        if "getRandomValues" in str(event["js"]):  # the page makes a fresh key in the browser
            data[0] = secrets.token_hex(8)
        body = {"data": data, "fn_index": event["id"], "session_hash": self._page, "trigger_id": None}
        self._http.post("/gradio_api/queue/join", json=body).raise_for_status()
        shown: list[Any] = []
        for message in self._stream():
            output = message.get("output") or {}
            if message["msg"] == "process_generating":
                new = output["data"]
                shown = [apply_diff(old, diff) for old, diff in zip(shown, new, strict=True)] if shown else new
                self._show(event, shown)
            elif message["msg"] == "process_completed" and not message["success"]:
                raise RuntimeError(f"the page failed: {output.get('error')}")
            elif message["msg"] == "process_completed" and not shown:
                self._show(event, output["data"])
        for following in self._events:
            if following.get("trigger_after") == event["id"] and following["backend_fn"]:
                self._send(following)

    def _stream(self) -> Iterator[dict[str, Any]]:
        """The messages about the event that was sent last, to its end."""
        with self._http.stream("GET", "/gradio_api/queue/data", params={"session_hash": self._page}) as answer:
            answer.raise_for_status()
            for line in answer.iter_lines():
                if line.startswith("data:"):
                    message = json.loads(line.removeprefix("data:"))
                    yield message
                    if message["msg"] in _ENDED:
                        return

    def _show(self, event: dict[str, Any], shown: list[Any]) -> None:
        for box, datum in zip(event["outputs"], shown, strict=False):
            if not isinstance(datum, dict) or datum.get("__type__") != "update":
                self._values[box] = datum
            elif "value" in datum:
                self._values[box] = datum["value"]
