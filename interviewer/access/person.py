"""A person as the surfaces know them."""

from __future__ import annotations

from enum import StrEnum

from interviewer.models import Value


class Duty(StrEnum):
    """What somebody is there for. Each may do all that those before it may."""

    CANDIDATE = "candidate"
    REVIEWER = "reviewer"
    ADMIN = "admin"


class Person(Value):
    """``user``: whose interviews they see, as the store names its owner; ``name``: what they are called. ``only``: the one
    session of theirs that somebody may see who came by an invitation or a link; empty where they may see all. ``ticket``: whether
    a ticket says who they are, which signing out ends; a proxy's word is not ended here."""

    user: str
    name: str
    duty: Duty = Duty.CANDIDATE
    only: str = ""
    ticket: bool = False

    @property
    def may_review(self) -> bool:
        return self.duty in (Duty.REVIEWER, Duty.ADMIN)

    @property
    def may_administer(self) -> bool:
        return self.duty is Duty.ADMIN

    def may_open(self, session: str, owner: str) -> bool:
        """Whether a session of ``owner`` is one that this person may go on with."""
        return owner == self.user and self.only in ("", session)


LOCAL = Person(user="local", name="you", duty=Duty.ADMIN)  # whoever sits at this machine, where nobody signs in
