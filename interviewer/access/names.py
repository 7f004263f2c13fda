"""What somebody may be called who signs in, and the name of theirs that the store knows."""

from __future__ import annotations

import re
import unicodedata

from interviewer.errors import UsageError

_NAME = re.compile(r"\w[\w.@+|:'/=\\%-]{0,99}")


def plain_name(text: str) -> str:
    """``text`` as it is compared: Ada and ADA are one person. Raises UsageError where nobody can be called that."""
    name = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text.strip()).casefold())
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"{text[:100]!r} can't be somebody's name here. Nothing was changed. A name begins with a letter or a digit, "
            "has at most 100 characters, and of others only . @ + | : ' / = \\ % - and _."
        )
    return name


def comparable(text: str) -> str:
    """As ``plain_name``; empty where nobody can be called that."""
    try:
        return plain_name(text)
    except UsageError:
        return ""


def user_of(name: str) -> str:
    """The owner, as the store names it, of the interviews of who signs in under the plain ``name``."""
    return f"user:{name}"
