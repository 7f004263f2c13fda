"""Whether a descriptor has something to say. Unlike ``select``, at home with numbers above 1023, as servers have them."""

from __future__ import annotations

import select


def readable(file: int, seconds: float = 0) -> bool:
    """Within so many seconds; the end of what it leads to counts as well."""
    poll = select.poll()
    poll.register(file, select.POLLIN)
    return bool(poll.poll(seconds * 1000))
