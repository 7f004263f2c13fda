"""Transcripts and reviews: what was said is on disk before it is answered."""

from interviewer.store.enclosures import Enclosure, Enclosures
from interviewer.store.history import Closed
from interviewer.store.inbox import Inbox
from interviewer.store.places import Place, Places
from interviewer.store.reviews import Review
from interviewer.store.standings import Practised, Standings
from interviewer.store.store import SessionRow, Store

__all__ = [
    "Closed",
    "Enclosure",
    "Enclosures",
    "Inbox",
    "Place",
    "Places",
    "Practised",
    "Review",
    "SessionRow",
    "Standings",
    "Store",
]
