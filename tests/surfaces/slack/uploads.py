"""The part of Slack's stand-in that files are uploaded to: a place for each, what lies there, and where it was shared."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import Any

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response


@dataclass
class Upload:
    name: str
    length: int
    alt_text: str
    content: bytes = b""
    title: str = ""
    shared: list[tuple[str, str]] = field(default_factory=list)
    """In which channels and threads it stands."""


@dataclass
class Uploads:
    """``busy``: how many uploads are answered 429 yet, and what wait they ask for; ``elsewhere``: a host to upload to in place of its own."""

    files: dict[str, Upload] = field(default_factory=dict)
    busy: tuple[int, int] = (0, 0)
    elsewhere: str = ""

    def __post_init__(self) -> None:
        self._count = itertools.count(1)

    @property
    def shared(self) -> list[Upload]:
        """As often as they were shared."""
        return [upload for upload in self.files.values() for _ in upload.shared]

    async def take(self, request: Request) -> Response:
        upload, content = self.files[request.path_params["name"]], await request.body()
        times, wait = self.busy
        if times:
            self.busy = (times - 1, wait)
            return PlainTextResponse("slow down", 429, headers={"Retry-After": str(wait)})
        if request.headers.get("authorization") or len(content) != upload.length:
            return PlainTextResponse("no", 400)
        upload.content = content
        return PlainTextResponse(f"OK - {len(content)}")

    def answer(
        self, method: str, sent: dict[str, Any], address: str, messages: dict[tuple[str, str], dict[str, Any]]
    ) -> dict[str, Any]:
        match method:
            case "files.getUploadURLExternal":
                name = f"F{next(self._count)}"
                self.files[name] = Upload(sent["filename"], int(sent["length"]), sent.get("alt_txt", ""))
                host = self.elsewhere or f"{address}/files"
                return {"ok": True, "file_id": name, "upload_url": f"{host}/upload/v1/{name}"}
            case "files.completeUploadExternal":
                return self._complete(sent, messages)
            case _:
                places = [channel for channel, _ in self.files[sent["file"]].shared]
                return {"ok": True, "file": {"id": sent["file"], "ims": places, "channels": [], "groups": []}}

    def _complete(self, sent: dict[str, Any], messages: dict[tuple[str, str], dict[str, Any]]) -> dict[str, Any]:
        channel, thread = sent.get("channel_id", ""), sent.get("thread_ts", "")
        if (messages.get((channel, thread)) or {}).get("thread_ts"):
            return {"ok": False, "error": "invalid_thread_ts"}  # a reply's, not its parent's
        for each in sent["files"]:
            upload = self.files.get(each["id"])
            if upload is None or not upload.content:
                return {"ok": False, "error": "file_not_found"}
            upload.title = each["title"]
            upload.shared.append((channel, thread))
        return {"ok": True, "files": [{"id": each["id"]} for each in sent["files"]]}
