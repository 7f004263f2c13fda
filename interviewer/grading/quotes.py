"""Quotes that somebody gives of a reply, found in it word for word or refused.

A quote counts only where it stands in a sentence that may earn something: not in an order to the grader, a form, a keyword
list, a restated question, or where no page shows it. White space and the shape of quotation marks may differ; letters may not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from interviewer.grading.text import Unit, content, hidden

_AROUND = " \t\n\r.,;:…\"'“”‘’«»`*"
_SAME = {"'": "['‘’]", "’": "['‘’]", "‘": "['‘’]", '"': '["“”]', "“": '["“”]', "”": '["“”]'}
LONGEST_QUOTE = 400  # characters; a longer one is no evidence but the reply itself
_INSIDE = 0.8  # share of a quote that must stand in sentences that may earn


def locate(quote: str, reply: str, earning: Sequence[Unit]) -> Unit | None:
    """The piece of ``reply`` that ``quote`` repeats, where most of it lies within ``earning`` sentences; else None."""
    wanted = quote.strip(_AROUND)
    if not wanted or len(wanted) > LONGEST_QUOTE or not content(wanted):
        return None
    pattern = r"\s+".join("".join(_SAME.get(c, re.escape(c)) for c in word) for word in wanted.split())
    unseen = hidden(reply)
    for found in re.finditer(
        rf"(?<!\w){pattern}(?!\w)" if wanted[0].isalnum() and wanted[-1].isalnum() else pattern, reply
    ):
        start, end = found.span()
        if any(start < to and at < end for at, to in unseen):
            continue
        inside = sum(max(0, min(end, unit.end) - max(start, unit.start)) for unit in earning)
        if inside >= _INSIDE * (end - start):
            return Unit(reply[start:end], start, end)
    return None
