"""Invitations: a link to one interview with a fixed plan, for somebody who has no name here.

Promises: a link begins one session and no other, however often and wherever it is opened; it leads back to that session until
it expires; revoking it ends it at once, the browsers in it too. Only the link's hash is kept. What the guest said is kept
until it is forgotten, with the invitation: ``Interviews.forget(invitation.user)``.
"""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Any

from filelock import FileLock
from sqlalchemy import Select, insert, select, update
from sqlalchemy.engine import Row

from interviewer.access.tickets import Means, Ticket
from interviewer.access.tokens import hash_of, new_token
from interviewer.errors import UsageError
from interviewer.models import Plan, Value
from interviewer.store import Store
from interviewer.store.tables import invitations, sessions, tickets

GUEST = "guest:"  # what the user begins with, as the store names it, who came by an invitation
_DAY = 24 * 3600.0
_LONGEST_NAME = 200


class State(StrEnum):
    SENT = "sent"
    BEGUN = "begun"
    FINISHED = "finished"
    EXPIRED = "expired"
    REVOKED = "revoked"


class Invitation(Value):
    """``title`` names the interview, ``name`` the candidate, ``user`` the owner of the session that comes of it. ``session`` is empty until it was
    begun. ``made`` and ``expires`` are seconds since the epoch."""

    id: str
    user: str
    title: str
    name: str
    plan: Plan
    made: float
    expires: float
    session: str
    state: State

    @property
    def open(self) -> bool:
        """Whether it has come to nothing yet that would end it."""
        return self.state in (State.SENT, State.BEGUN, State.FINISHED)


class Invitations:
    """``locks``: the folder in which it holds a lock file while a session is begun."""

    def __init__(self, store: Store, locks: Path, now: Callable[[], float] = time.time):
        self._engine = store.engine
        self._store = store
        self._locks = locks
        self._now = now

    def create(self, title: str, name: str, plan: Plan, days: float) -> tuple[Invitation, str]:
        """The invitation and the token of its link, /invited/TOKEN, which can't be had again. Raises UsageError where a
        name is missing or too long, or the days aren't 1 to 365."""
        title, name = title.strip(), name.strip()
        for what, text in (("interview", title), ("candidate", name)):
            if not 0 < len(text) <= _LONGEST_NAME:
                raise UsageError(f"The {what} needs a name of 1 to {_LONGEST_NAME} characters. Nothing was made.")
        if not 1 <= days <= 365:
            raise UsageError("An invitation is good for 1 to 365 days. Nothing was made.")
        token, invitation_id, now = new_token(), secrets.token_hex(6), self._now()
        row = {
            "id": invitation_id,
            "token": hash_of(token),
            "user": GUEST + invitation_id,
            "title": title,
            "name": name,
        }
        row |= {"plan": plan.model_copy(update={"fixed": True}).model_dump_json()}
        with self._engine.begin() as db:
            db.execute(insert(invitations).values(**row, made=now, expires=now + days * _DAY))
        return self._one(_all().where(invitations.c.id == invitation_id)), token

    def all(self) -> list[Invitation]:
        """Newest first."""
        return self._many(_all().order_by(invitations.c.made.desc(), invitations.c.id))

    def revoke(self, invitation_id: str) -> Invitation:
        """Raises UsageError where there is none. What was said in it is kept."""
        this = _all().where(invitations.c.id == invitation_id)
        revoked = self._one(this)
        with self._engine.begin() as db:
            first = (invitations.c.id == invitation_id) & invitations.c.revoked.is_(None)
            db.execute(update(invitations).where(first).values(revoked=self._now()))
            db.execute(tickets.delete().where(tickets.c.user == revoked.user))
        return self._one(this)

    def of_session(self, session_id: str) -> Invitation | None:
        """What a session came of."""
        found = self._many(_all().where(sessions.c.id == session_id))
        return found[0] if found else None

    def at(self, token: str) -> Invitation | None:
        """What a link leads to; None where it leads nowhere, for whatever reason."""
        found = self._many(_all().where(invitations.c.token == hash_of(token)))
        return found[0] if found and found[0].open else None

    def enter(self, token: str, begin: Callable[[Plan, str], str]) -> Ticket:
        """What the guest is let in with. ``begin`` makes a session with a plan for a user and says its id; it is called for
        the first who enters. Raises UsageError where the link leads nowhere."""
        known = self.at(token)
        if known is None:
            raise UsageError("This invitation has expired or was taken back. Whoever sent it can send another.")
        self._locks.mkdir(parents=True, exist_ok=True)
        with FileLock(self._locks / f"invitation-{known.id}.lock", is_singleton=False):
            begun = self._store.sessions(known.user)
            session = begun[0].id if begun else begin(known.plan, known.user)
        return Ticket(user=known.user, name=known.name, means=Means.INVITATION, only=session)

    def _one(self, query: Select[Any]) -> Invitation:
        found = self._many(query)
        if not found:
            raise UsageError("There is no such invitation. Nothing was changed.")
        return found[0]

    def _many(self, query: Select[Any]) -> list[Invitation]:
        with self._engine.connect() as db:
            return [self._invitation(row) for row in db.execute(query)]

    def _invitation(self, row: Row[Any]) -> Invitation:
        return Invitation(
            id=row.id,
            user=row.user,
            title=row.title,
            name=row.name,
            plan=Plan.model_validate(json.loads(row.plan)),
            made=row.made,
            expires=row.expires,
            session=row.session or "",
            state=self._state(row),
        )

    def _state(self, row: Row[Any]) -> State:
        if row.revoked is not None:
            return State.REVOKED
        if row.ended is not None:
            return State.FINISHED if self._now() < row.expires else State.EXPIRED
        if self._now() >= row.expires:
            return State.EXPIRED
        return State.BEGUN if row.session else State.SENT


def _all() -> Select[Any]:
    """Each with the session that came of it."""
    return select(invitations, sessions.c.id.label("session"), sessions.c.ended).join_from(
        invitations, sessions, sessions.c.user == invitations.c.user, isouter=True
    )
