"""Transcripts and reviews: what was said is on disk before it is answered."""

from interviewer.store.store import Review, SessionRow, Store

__all__ = ["Review", "SessionRow", "Store"]
