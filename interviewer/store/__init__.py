"""Transcripts and reviews: what was said is on disk before it is answered."""

from interviewer.store.reviews import Review
from interviewer.store.store import SessionRow, Store

__all__ = ["Review", "SessionRow", "Store"]
