"""Secrets that somebody carries, 256 random bits each, of which only the hash is kept."""

from __future__ import annotations

import hashlib
import secrets


def new_token() -> str:
    return secrets.token_urlsafe(32)


def hash_of(token: str) -> str:
    """What is kept; a slow hash would add nothing to a secret that can't be guessed."""
    return hashlib.sha256(token.encode()).hexdigest()
