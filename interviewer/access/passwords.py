"""Passwords as argon2id hashes.

Promises that an unknown name costs as much time as a known one, and that guesses can't take the machine's memory: two
are worked on at a time, 64 MB each.
"""

from __future__ import annotations

import hashlib
from functools import cache
from threading import BoundedSemaphore

from argon2 import PasswordHasher, extract_parameters
from argon2.exceptions import Argon2Error, InvalidHashError

from interviewer.errors import UsageError

LEAST = 10  # characters
_MOST = 1000
_hasher = PasswordHasher()
_at_once = BoundedSemaphore(2)


def hash_password(password: str) -> str:
    """Raises UsageError for one that is too short or too long."""
    if not LEAST <= len(password) <= _MOST:
        raise UsageError(f"A password has {LEAST} to {_MOST} characters. Nothing was changed.")
    with _at_once:
        return _hasher.hash(password)


def matches(password: str, kept: str | None) -> bool:
    """Whether ``kept`` is the hash of ``password``; None, for somebody who has none, takes as long."""
    with _at_once:
        nobodys = _nobodys()  # made the first time, so made in any case
        try:
            return _hasher.verify(kept or nobodys, password[:_MOST]) and kept is not None
        except (Argon2Error, InvalidHashError):
            return False


def is_hash(text: str) -> bool:
    """Whether passwords can be compared with ``text``."""
    try:
        extract_parameters(text)
    except InvalidHashError:
        return False
    return text.startswith("$argon2id$")


def proof_of(kept: str) -> str:
    """What a ticket holds of the hash that it was given for, so that it ends with the password."""
    return hashlib.sha256(kept.encode()).hexdigest()[:32]


@cache
def _nobodys() -> str:
    return _hasher.hash("nobody has this password")
