"""The way from Slack to the page: a link for the person whose interview it is, and for nobody else.

Promises that a link is made for the session's own person alone; that it works once and for ten minutes is ``access``'s promise.
The way back needs no link: what was said meanwhile is shown in Slack when the person writes there again.
"""

from __future__ import annotations

from interviewer.access import Links
from interviewer.errors import UnknownSession
from interviewer.store import SessionRow, Store

_NO_PAGE = "No page to go on on was named to this app (`INTERVIEWER_PAGE_URL`; docs/slack.md), so there is no link."
_NO_INTERVIEW = "You have no interview going on, so there is no link. `/interview` begins one."
_GONE = "That interview was deleted, so there is no link. `/interview` begins a new one."
_NOT_YOURS = (
    "That interview is somebody else's, and only they can go on with it. `/interview` begins an interview of your own."
)
_LINK = "[{words}]({address}/continue/{token})\n\nThe link works once, within ten minutes. Who opens it goes on as you, so keep it to yourself. {back}"
_BACK = "To come back, write here: I show what was said on the page meanwhile, and we go on."


class Crossing:
    """``page``: the page's address as people reach it; None where they don't."""

    def __init__(self, store: Store, page: str | None):
        self._store = store
        self._links = Links(store)
        self._page = (page or "").rstrip("/")

    @property
    def possible(self) -> bool:
        return bool(self._page)

    def invite(self, user: str, session: str) -> str:
        """For ``user`` alone to read, in Markdown: a link to a session, or why there is none."""
        try:
            row = self._store.session(session)
        except UnknownSession:
            return _GONE
        if row.user != user:
            return _NOT_YOURS
        return self._link(row) if self.possible else _NO_PAGE

    def invite_to_newest(self, user: str) -> str:
        """As ``invite``, to what goes on of theirs and was begun last."""
        going_on = [row for row in self._store.sessions(user) if row.ended is None]
        if self.possible and not going_on:
            return _NO_INTERVIEW
        return self.invite(user, going_on[0].id) if going_on else _NO_PAGE

    def _link(self, row: SessionRow) -> str:
        token = self._links.make(row.user, row.id)
        words = "Go on on the page" if row.ended is None else "See it on the page"
        return _LINK.format(
            words=words, address=self._page, token=token, back=_BACK if row.ended is None else ""
        ).strip()
