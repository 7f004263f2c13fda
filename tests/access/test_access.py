"""Tickets, invitations and links under a clock that is moved by hand, and the rules of who may come in."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import func, select

from interviewer.access import Duty, Invitations, Links, Means, Reception, State, Ticket, WayIn, way_in
from interviewer.access.guessing import Guesses
from interviewer.access.tickets import Tickets
from interviewer.access.users import User, Users
from interviewer.errors import UsageError
from interviewer.models import Plan
from interviewer.settings import Settings
from interviewer.store import Store
from interviewer.store.tables import invitations as invitation_rows
from interviewer.store.tables import tickets as ticket_rows

DAY = 24 * 3600.0


class Clock:
    def __init__(self) -> None:
        self.at = 1_000_000.0

    def __call__(self) -> float:
        return self.at


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(settings: Settings) -> Store:
    return Store(settings.database)


def test_a_ticket_lives_as_long_as_it_is_used_but_no_longer_than_its_days(
    store: Store, settings: Settings, clock: Clock
) -> None:
    tickets = Tickets(store.engine, settings, clock)
    ticket = Ticket(user="user:ada", name="ada", means=Means.PASSWORD)
    token = tickets.issue(ticket)
    begun = clock.at
    while clock.at < begun + 7 * DAY - 7 * 3600:
        assert tickets.find(token) == ticket
        clock.at += 7 * 3600
    clock.at = begun + 7 * DAY + 1
    assert tickets.find(token) is None
    unused = tickets.issue(ticket)
    clock.at += 8 * 3600 + 1
    assert tickets.find(unused) is None


def test_tickets_that_have_expired_are_swept(store: Store, settings: Settings, clock: Clock) -> None:
    tickets = Tickets(store.engine, settings, clock)
    for _ in range(3):
        tickets.issue(Ticket(user="user:ada", name="ada", means=Means.PASSWORD))
    clock.at += 9 * 3600
    tickets.issue(Ticket(user="user:bob", name="bob", means=Means.PASSWORD))
    with store.engine.connect() as db:
        assert db.execute(select(func.count()).select_from(ticket_rows)).scalar() == 1


def test_forgetting_somebody_forgets_their_ticket_link_and_invitation(store: Store, settings: Settings) -> None:
    reception = Reception(settings, store)
    invitation, token = reception.invitations.create("Round", "Kim", Plan(), 1)
    ticket = reception.invitations.enter(token, lambda plan, user: store.begin(user, plan))
    carried = reception.tickets.issue(ticket)
    link = reception.links.make(invitation.user, ticket.only)
    store.forget(invitation.user)
    assert reception.holder(carried) is None
    assert reception.links.use(link) is None
    assert reception.invitations.at(token) is None
    with store.engine.connect() as db:
        assert db.execute(select(func.count()).select_from(invitation_rows)).scalar() == 0


def test_an_invitation_goes_from_sent_to_begun_to_expired(store: Store, settings: Settings, clock: Clock) -> None:
    invitations = Invitations(store, settings.locks, clock)
    made, token = invitations.create("Round", "Kim", Plan(minutes=20), 2)
    assert (made.state, made.session) == (State.SENT, "")
    ticket = invitations.enter(token, lambda plan, user: store.begin(user, plan))
    assert invitations.enter(token, lambda plan, user: pytest.fail("begun twice")) == ticket
    assert [each.state for each in invitations.all()] == [State.BEGUN]
    found = invitations.of_session(ticket.only)
    assert found and found.id == made.id
    clock.at += 2 * DAY
    assert [each.state for each in invitations.all()] == [State.EXPIRED]
    with pytest.raises(UsageError, match="expired"):
        invitations.enter(token, lambda plan, user: store.begin(user, plan))


def test_a_guests_ticket_ends_with_the_invitation(store: Store, settings: Settings, clock: Clock) -> None:
    settings = settings.model_copy(update={"ticket_idle_hours": 1000.0, "ticket_days": 1000.0})
    reception = Reception(settings, store, clock)
    _, token = reception.invitations.create("Round", "Kim", Plan(), 1)
    carried = reception.tickets.issue(reception.invitations.enter(token, lambda plan, user: store.begin(user, plan)))
    assert reception.holder(carried)
    clock.at += DAY
    assert reception.holder(carried) is None


def test_a_guest_who_comes_in_just_as_the_invitation_is_revoked_sees_nothing(store: Store, settings: Settings) -> None:
    reception = Reception(settings, store)
    invitation, token = reception.invitations.create("Round", "Kim", Plan(), 1)
    ticket = reception.invitations.enter(token, lambda plan, user: store.begin(user, plan))
    reception.invitations.revoke(invitation.id)
    assert reception.holder(reception.tickets.issue(ticket)) is None


@pytest.mark.parametrize(
    ("title", "name", "days"),
    [("", "Kim", 1), ("Round", " ", 1), ("Round", "Kim", 0), ("Round", "Kim", 400), ("x" * 201, "Kim", 1)],
)
def test_such_an_invitation_is_not_made(store: Store, settings: Settings, title: str, name: str, days: float) -> None:
    invitations = Invitations(store, settings.locks)
    with pytest.raises(UsageError, match="Nothing was made"):
        invitations.create(title, name, Plan(), days)
    assert invitations.all() == []


def test_a_link_is_good_for_ten_minutes_and_for_ones_own_session(store: Store, clock: Clock) -> None:
    links = Links(store, clock)
    session = store.begin("slack:T:U", None)
    with pytest.raises(UsageError, match="somebody else's"):
        links.make("user:ada", session)
    token = links.make("slack:T:U", session)
    clock.at += 601
    assert links.at(token) is None
    assert links.use(token) is None


def test_who_comes_by_a_link_never_has_a_duty(store: Store, settings: Settings) -> None:
    Users(settings.users).add(User(name="ada", duty=Duty.ADMIN))
    reception = Reception(settings.model_copy(update={"sign_in": "users"}), store)
    session = store.begin("user:ada", None)
    ticket = reception.links.use(reception.links.make("user:ada", session, "ada"))
    assert ticket
    person = reception.holder(reception.tickets.issue(ticket))
    assert person and (person.duty, person.only) == (Duty.CANDIDATE, session)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "10.1.2.3", "example.org"])
def test_a_page_that_others_reach_does_not_start_without_saying_who_may_come_in(host: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="INTERVIEWER_SIGN_IN"):
        way_in(Settings(home=tmp_path, host=host))
    assert way_in(Settings(home=tmp_path, host=host, sign_in="open")) is WayIn.OPEN


@pytest.mark.parametrize("host", ["127.0.0.1", "127.1.2.3", "::1", "localhost"])
def test_a_page_for_this_machine_is_open(host: str, tmp_path: Path) -> None:
    assert way_in(Settings(home=tmp_path, host=host)) is WayIn.OPEN


@pytest.mark.parametrize(
    "said",
    [{"page_url": "https://interviews.example.org"}, {"trusted_proxies": "127.0.0.1"}, {"page_url": "http://10.1.2.3"}],
)
def test_nor_does_one_for_this_machine_that_a_proxy_brings_others_to(said: dict[str, str], tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=f"{next(iter(said)).upper()} says.*INTERVIEWER_SIGN_IN"):
        way_in(Settings(home=tmp_path, **said))
    assert way_in(Settings(home=tmp_path, sign_in="open", **said)) is WayIn.OPEN


@pytest.mark.parametrize("page_url", ["http://localhost:7860", "http://127.0.0.1:7860/", "http://[::1]:7860"])
def test_an_address_on_this_machine_keeps_the_page_open(page_url: str, tmp_path: Path) -> None:
    assert way_in(Settings(home=tmp_path, page_url=page_url)) is WayIn.OPEN


def test_one_ipv4_address_is_one_however_it_is_written_and_two_are_two() -> None:
    guesses = Guesses()
    for n in range(50):
        guesses.hold(f"name{n}", "192.0.2.1" if n % 2 else "::ffff:192.0.2.1")
    assert guesses.hold("another", "192.0.2.1") and guesses.hold("another", "::ffff:c000:201")
    assert not guesses.hold("another", "::ffff:192.0.2.2")


def test_guesses_at_one_name_from_everywhere_and_from_one_place_at_all_names_are_both_held() -> None:
    guesses = Guesses()
    assert [bool(guesses.hold("ada", f"10.0.0.{n}")) for n in range(11)] == [False] * 10 + [True]
    one_place = [bool(guesses.hold(f"name{n}", f"2001:db8::{n:x}")) for n in range(60)]
    assert one_place == [False] * 50 + [True] * 10
    assert not guesses.hold("name55", "10.9.9.9")  # what was refused there didn't count against the name


def test_of_guesses_at_the_same_time_no_more_get_through() -> None:
    guesses = Guesses()
    with ThreadPoolExecutor(32) as people:
        held = list(people.map(lambda n: guesses.hold("ada", f"10.0.{n}.1"), range(200)))
    assert held.count(0) == 10
    guesses.forgive("ada")
    assert guesses.hold("ada", "10.0.0.1") == 0
