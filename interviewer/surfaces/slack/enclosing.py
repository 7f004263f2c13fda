"""What comes with a report in Slack: the picture of the levels and the report as PDF, in the thread that the report stands in.

Promises: they arrive once a session, also when the process dies between uploading and sharing them, or when it isn't heard
whether they were shared; where Slack doesn't take them a sentence says so, and the report stands there all the same. They are
uploaded to Slack's own host alone, without the token.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from urllib.error import URLError

import httpx
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError
from slack_sdk.http_retry.builtin_handlers import RateLimitErrorRetryHandler
from tenacity import RetryCallState, Retrying, retry_if_exception_type, stop_after_attempt

from interviewer.interview.session import Session
from interviewer.models import Report
from interviewer.store import Enclosures
from interviewer.surfaces.picture import levels_png, levels_text
from interviewer.surfaces.report_pdf import report_pdf
from interviewer.surfaces.slack.answer import post
from interviewer.surfaces.slack.blocks import note
from interviewer.surfaces.slack.files import origin_of

_MOST_IN_ALT_TEXT = 1000  # characters
_SECONDS = 30.0
_ATTEMPTS = 4
_LONGEST_WAIT = 60.0  # seconds

_MISSING = (
    "The picture of the levels and the PDF are missing here: {}. The report above is whole, and is kept; whoever runs this app finds in "
    "docs/slack.md what files need."
)


@dataclass(frozen=True)
class _File:
    """``says``: a picture in words, empty for what isn't one."""

    name: str
    title: str
    content: bytes
    says: str = ""


class Enclosing:
    """``host``: the address that files lie under."""

    def __init__(self, enclosures: Enclosures, host: str):
        self._enclosures = enclosures
        self._origin = origin_of(host)

    def owes(self, session: Session) -> bool:
        """Whether the files of an interview that has ended are still to be brought."""
        if not session.ended:
            return False
        known = self._enclosures.at(session.id)
        return known is None or not known.settled

    def enclose(self, session: Session, client: WebClient, channel: str, thread: str) -> None:
        """Brings the files, unless they were. To be called by one at a time. Raises SlackApiError and URLError where not even the sentence
        could be said, so that it is to be tried again."""
        if not self.owes(session):
            return
        try:
            self._bring(session, client, channel, thread)
        except SlackApiError as error:
            trouble = f"Slack didn't take them ({error.response.get('error')})"
        except (URLError, OSError, httpx.HTTPError) as error:
            trouble = f"they could not be brought to Slack ({type(error).__name__})"
        except Exception:
            logging.getLogger(__name__).exception("the files of a report could not be made")
            trouble = "they could not be made"
        else:
            trouble = ""
        if trouble:
            logging.getLogger(__name__).error("The files of a report were left out: %s", trouble)
            post(client, channel, thread, note(_MISSING.format(trouble)))
        self._enclosures.settle(session.id)

    def _bring(self, session: Session, client: WebClient, channel: str, thread: str) -> None:
        known = self._enclosures.at(session.id)
        # Only how long Slack asks to wait is tried again by itself: a second sharing would be a second message.
        client = WebClient(
            client.token, client.base_url, timeout=20, retry_handlers=[RateLimitErrorRetryHandler(_ATTEMPTS)]
        )
        files = _files(session.report())
        if known is None:
            ids = tuple(self._upload(client, file) for file in files)
            self._enclosures.bring(session.id, ids)
        else:
            ids = known.files
            if _shared(client, ids[0], channel):
                return
        titled: list[dict[str, str | None]] = [
            {"id": file_id, "title": file.title} for file_id, file in zip(ids, files, strict=True)
        ]
        try:
            client.files_completeUploadExternal(files=titled, channel_id=channel, thread_ts=thread)
        except (SlackApiError, URLError, OSError) as error:
            if _refused(error):
                raise
            if not _shared(client, ids[0], channel):
                client.files_completeUploadExternal(files=titled, channel_id=channel, thread_ts=thread)

    def _upload(self, client: WebClient, file: _File) -> str:
        """Its id at Slack."""
        place = client.files_getUploadURLExternal(
            filename=file.name, length=len(file.content), alt_txt=file.says[:_MOST_IN_ALT_TEXT] or None
        )
        url = str(place["upload_url"])
        if origin_of(url) != self._origin:
            raise OSError("Slack named another host than its own for the upload")
        again = retry_if_exception_type((httpx.TransportError, httpx.HTTPStatusError))
        for attempt in Retrying(stop=stop_after_attempt(_ATTEMPTS), wait=_as_asked, retry=again, reraise=True):
            with attempt:
                httpx.post(url, content=file.content, timeout=_SECONDS, follow_redirects=False).raise_for_status()
        return str(place["file_id"])


def _files(report: Report) -> list[_File]:
    document = _File(f"interview-{report.session}.pdf", "The report as PDF", report_pdf(report))
    if not report.topics:
        return [document]
    says = levels_text(report.topics)
    return [_File(f"levels-{report.session}.png", "Levels by topic", levels_png(report.topics), says), document]


def _refused(error: Exception) -> bool:
    """Whether Slack said no; else it may have done what it was asked."""
    return isinstance(error, SlackApiError) and int(error.response.status_code) < 500


def _shared(client: WebClient, file_id: str, channel: str) -> bool:
    """Whether Slack shows the file in that conversation."""
    file = client.files_info(file=file_id)["file"]
    shares = file.get("shares") or {}
    within = [*shares.get("public", {}), *shares.get("private", {})]
    return channel in (*within, *(c for kind in ("channels", "groups", "ims") for c in file.get(kind) or ()))


def _as_asked(state: RetryCallState) -> float:
    """Seconds: what Slack asks for, else longer each time."""
    error = state.outcome.exception() if state.outcome else None
    asked = error.response.headers.get("Retry-After", "") if isinstance(error, httpx.HTTPStatusError) else ""
    return min(_LONGEST_WAIT, float(asked) if asked.isdecimal() else float(state.attempt_number))
