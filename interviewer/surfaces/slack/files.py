"""Files that a candidate uploads in Slack, read as code.

Promises: files are fetched from Slack's own host alone, which is the only one that sees the token; no redirect is
followed; never more than 64 KB is read of one, and never more than three files of a message.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

import httpx

from interviewer.markdown import escape, fenced, one_line
from interviewer.surfaces.slack.heard import Upload

MOST_BYTES = 64 * 1024
MOST_FILES = 3
_SECONDS = 10.0


@dataclass(frozen=True)
class Read:
    """``code`` as fenced blocks; ``problems`` says of each file that was not read why, in Markdown."""

    code: str
    problems: tuple[str, ...]


class Files:
    """``host``: the address that files lie under."""

    def __init__(self, host: str):
        self._origin = origin_of(host)

    def read(self, uploads: Sequence[Upload], token: str) -> Read:
        blocks, problems = [], []
        for index, upload in enumerate(uploads):
            name = f"`{one_line(upload.name)[:80].replace('`', '')}`"
            if index >= MOST_FILES:
                problems.append(f"{name} was not read: I read {MOST_FILES} files of a message.")
                continue
            try:
                blocks.append(fenced(self._fetched(upload, token).rstrip(), "python"))
            except _NotReadError as error:
                problems.append(f"{name} was not read: {error}")
        return Read("\n\n".join(blocks), tuple(problems))

    def _fetched(self, upload: Upload, token: str) -> str:
        if not upload.name.endswith(".py"):
            raise _NotReadError("I read files whose names end in .py.")
        if upload.size > MOST_BYTES:
            raise _NotReadError(f"it is larger than {MOST_BYTES // 1024} KB.")
        if origin_of(upload.url) != self._origin:
            raise _NotReadError("it doesn't lie at Slack, so I didn't open it.")
        try:
            return self._bytes(upload.url, token).decode("utf-8")
        except httpx.HTTPError as error:
            raise _NotReadError(
                f"Slack didn't hand it out ({escape(type(error).__name__)}). Please paste the code."
            ) from error
        except UnicodeDecodeError as error:
            raise _NotReadError("it is not UTF-8 text.") from error

    def _bytes(self, url: str, token: str) -> bytes:
        headers = {"Authorization": f"Bearer {token}"}
        with httpx.stream("GET", url, headers=headers, timeout=_SECONDS, follow_redirects=False) as answer:
            if answer.status_code != 200 or "html" in answer.headers.get("content-type", ""):
                raise _NotReadError("Slack didn't hand it out; the app may lack `files:read`. Please paste the code.")
            content = b""
            for piece in answer.iter_bytes():
                content += piece
                if len(content) > MOST_BYTES:
                    raise _NotReadError(f"it is larger than {MOST_BYTES // 1024} KB.")
            return content


class _NotReadError(Exception):
    """A sentence for the candidate."""


def origin_of(url: str) -> tuple[str, str | None, int | None]:
    """Its scheme, host and port; one that is no address has none."""
    try:
        parts = urlsplit(url)
        return parts.scheme, parts.hostname, parts.port
    except ValueError:
        return "", None, None
