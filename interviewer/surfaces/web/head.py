"""The line at the top of the interview's page: the other pages that this person may see, as on those pages themselves."""

from __future__ import annotations

from interviewer.access import Person
from interviewer.surfaces.web.html import page


def head_of(person: Person) -> str:
    """As HTML."""
    return bytes(page("head.html", person).body).decode()
