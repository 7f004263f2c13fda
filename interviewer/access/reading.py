"""Who may read what was said in a session, which more people may than may go on with it."""

from __future__ import annotations

from interviewer.access.invitations import GUEST
from interviewer.access.person import Person
from interviewer.store import SessionRow


def may_read(person: Person, session: SessionRow) -> bool:
    """Whether its report and replay are for ``person``: the one whose it is, and of an interview that somebody was invited
    to, reviewers and admins."""
    return person.may_open(session.id, session.user) or (person.may_review and session.user.startswith(GUEST))
