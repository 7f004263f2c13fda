"""Puts the ways in together: who somebody is by what they show, and what they may do today.

Promises: a duty is read anew each time, so that one that was taken away is gone at once; so is a user who was removed,
and whoever came in by a password that was changed since, or by an invitation that is no longer open. A ticket for one session
never carries a duty.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from enum import StrEnum
from ipaddress import ip_address
from urllib.parse import urlsplit

from interviewer.access.guessing import Guesses
from interviewer.access.invitations import GUEST, Invitations
from interviewer.access.links import Links
from interviewer.access.names import comparable, user_of
from interviewer.access.passwords import matches, proof_of
from interviewer.access.person import LOCAL, Person
from interviewer.access.tickets import Means, Ticket, Tickets
from interviewer.access.users import Users
from interviewer.errors import UsageError
from interviewer.settings import Settings
from interviewer.store import Store


class WayIn(StrEnum):
    """How people prove who they are."""

    OPEN = "open"
    USERS = "users"
    PROXY = "proxy"
    OAUTH = "oauth"


def way_in(settings: Settings) -> WayIn:
    """Raises UsageError where others could reach the page and nobody said how they are to be told apart."""
    if settings.sign_in:
        return WayIn(settings.sign_in)
    others = _how_others_come(settings)
    if not others:
        return WayIn.OPEN
    raise UsageError(
        f"{others}, where others reach it, and nothing says who may come in; nothing was started. "
        "Set INTERVIEWER_SIGN_IN to users (names and passwords: `interviewer user add NAME`), proxy (a proxy in front signs "
        "people in), oauth (OpenID Connect), or open (everybody who reaches the page may see and do everything). docs/teams.md has "
        "the steps; INTERVIEWER_HOST=127.0.0.1, with neither INTERVIEWER_PAGE_URL nor INTERVIEWER_TRUSTED_PROXIES, keeps the page to "
        "this machine."
    )


def only_here(settings: Settings) -> bool:
    """Whether the page is reached from this machine alone, as far as the settings say."""
    return not _how_others_come(settings)


def _how_others_come(settings: Settings) -> str:
    """Empty where they don't. To a proxy in front the page listens on loopback, though everybody reaches it."""
    if not is_loopback(settings.host):
        return f"The page would listen at {settings.host}"
    if settings.page_url and not is_loopback(urlsplit(settings.page_url).hostname or ""):
        return f"INTERVIEWER_PAGE_URL says that the page is at {settings.page_url}"
    if settings.trusted_proxies:
        return "INTERVIEWER_TRUSTED_PROXIES says that the page is behind a proxy"
    return ""


def is_loopback(host: str) -> bool:
    try:
        return host.lower() == "localhost" or ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


class Reception:
    """Assembled once a process; safe to use from several threads. ``now``: seconds since the epoch. Raises UsageError as ``way_in``
    does, and where the users' file has a mistake."""

    def __init__(self, settings: Settings, store: Store, now: Callable[[], float] = time.time):
        self.way_in = way_in(settings)
        self.users = Users(settings.users)
        self.users.all()
        self.tickets = Tickets(store.engine, settings, now)
        self.invitations = Invitations(store, settings.locks, now)
        self.links = Links(store, now)
        self.guesses = Guesses()

    def holder(self, token: str) -> Person | None:
        """Whose ticket it is, if it still opens anything. Raises UsageError where the users' file has a mistake."""
        ticket = self.tickets.find(token) if token else None
        if ticket is None:
            return None
        if ticket.user.startswith(GUEST) and not self._is_invited(ticket.only):
            return None
        if ticket.means in (Means.INVITATION, Means.LINK):
            return Person(user=ticket.user, name=ticket.name or "you", only=ticket.only, ticket=True)
        if ticket.means is Means.OAUTH:
            return self._named(ticket.name, ticket=True) if self.way_in is WayIn.OAUTH else None
        user = self.users.get(ticket.name) if self.way_in is WayIn.USERS else None
        if user is None or user.password is None or proof_of(user.password) != ticket.proof:
            return None
        return Person(user=ticket.user, name=ticket.name, duty=user.duty, ticket=True)

    def without_ticket(self, told: str = "") -> Person | None:
        """Who asks without one. ``told``: the name that a trusted proxy gave. Raises UsageError as ``holder`` does."""
        if self.way_in is WayIn.OPEN:
            return LOCAL
        if self.way_in is not WayIn.PROXY or not told:
            return None
        name = comparable(told)
        return self._named(name) if name else None

    def let_in(self, name: str, password: str) -> Ticket | None:
        """A ticket to issue, where the password is right. Takes as long where it isn't, and where nobody has the name."""
        plain = comparable(name)
        user = self.users.get(plain)
        if not matches(password, user.password if user else None) or user is None or user.password is None:
            return None
        return Ticket(user=user_of(plain), name=plain, means=Means.PASSWORD, proof=proof_of(user.password))

    def _is_invited(self, session: str) -> bool:
        """Asked each time: an invitation also ends by itself, or just as its guest comes in."""
        invitation = self.invitations.of_session(session)
        return invitation is not None and invitation.open

    def _named(self, name: str, *, ticket: bool = False) -> Person:
        return Person(user=user_of(name), name=name, duty=self.users.duty(name), ticket=ticket)
