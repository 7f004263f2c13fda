"""The ways in other than names and passwords: open, a proxy in front, OpenID Connect; each over HTTP."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from past import REPLY, interview
from provider import Provider
from starlette.requests import HTTPConnection
from team import Server, Site, add_user

from interviewer.access import Duty
from interviewer.settings import Settings
from interviewer.surfaces.web.oauth import Attempts
from interviewer.surfaces.web.peers import Peers, from_proxy


def who(browser: httpx.Client, **headers: str) -> str:
    answer = browser.get("/config", headers={"accept": "*/*", **headers})
    return str(answer.json().get("username", answer.status_code))


# --- open -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with Server(Settings(home=tmp_path_factory.mktemp("alone") / "home")) as site:
        yield site


def test_on_ones_own_machine_nobody_signs_in(alone: Site) -> None:
    browser = alone.browser()
    assert browser.get("/").status_code == 200
    assert browser.get("/sign-in").headers["location"] == "/"
    assert who(browser) == "local"


@pytest.mark.parametrize(
    "name", ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:80", "", "a b", "["]
)
def test_no_other_site_can_make_its_name_lead_to_an_open_page(alone: Site, name: str) -> None:
    answer = alone.browser(host=name).get("/")
    assert answer.status_code in (400, 403)


@pytest.mark.parametrize("name", ["localhost:7860", "127.0.0.1", "[::1]:7860", "192.168.1.5:7860"])
def test_an_open_page_answers_under_addresses(alone: Site, name: str) -> None:
    assert alone.browser(host=name).get("/").status_code == 200


def test_a_name_that_a_proxy_would_give_counts_for_nothing_without_one(alone: Site) -> None:
    assert who(alone.browser(), **{"x-forwarded-user": "ada"}) == "local"


# --- a proxy in front -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def behind(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    home = tmp_path_factory.mktemp("behind") / "home"
    settings = Settings(
        home=home, sign_in="proxy", trusted_proxies="127.0.0.1", page_url="https://interviews.example.org"
    )
    add_user(settings, "ada", Duty.ADMIN, password=None)
    with Server(settings) as site:
        yield site


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A page whose proxy is at another address than ours."""
    settings = Settings(
        home=tmp_path_factory.mktemp("elsewhere") / "home", sign_in="proxy", trusted_proxies="10.0.0.0/8"
    )
    with Server(settings) as site:
        yield site


def test_the_proxy_says_who_it_is_and_the_file_what_they_may(behind: Site) -> None:
    assert who(behind.browser(), **{"x-forwarded-user": "Ada"}) == "user:ada"
    assert who(behind.browser(), **{"x-forwarded-user": "zoe@example.org"}) == "user:zoe@example.org"


@pytest.mark.parametrize("told", ["", "a b", "<b>", "ada,bob"])
def test_a_name_that_is_none_lets_nobody_in(behind: Site, told: str) -> None:
    assert who(behind.browser(), **{"x-forwarded-user": told}) == "401"


def test_two_names_let_nobody_in(behind: Site) -> None:
    both = [("x-forwarded-user", "ada"), ("x-forwarded-user", "bob"), ("accept", "*/*")]
    assert behind.browser().get("/config", headers=both).status_code == 401


def test_a_name_is_believed_of_the_proxy_alone(elsewhere: Site) -> None:
    forged = {
        "x-forwarded-user": "ada",
        "x-forwarded-for": "10.0.0.1",
        "forwarded": "for=10.0.0.1",
        "x-real-ip": "10.0.0.1",
    }
    assert who(elsewhere.browser(), **forged) == "401"
    assert "own sign-in" in elsewhere.browser(**forged).get("/sign-in").text


@pytest.mark.parametrize(
    ("peer", "trusted"), [("127.0.0.1", True), ("::ffff:127.0.0.1", True), ("::ffff:127.0.0.2", False), ("unix", False)]
)
def test_a_proxy_is_known_by_its_address_however_the_socket_writes_it(behind: Site, peer: str, trusted: bool) -> None:
    seen = []

    async def app(scope, receive, send):  # type: ignore[no-untyped-def]
        seen.append(from_proxy(HTTPConnection(scope)))

    scope = {"type": "http", "client": (peer, 1), "headers": []}
    asyncio.run(Peers(app, behind.house.settings)(scope, None, None))  # type: ignore[arg-type]
    assert seen == [trusted]


def test_only_who_has_a_ticket_is_offered_to_sign_out(behind: Site, federated: Site, provider: Provider) -> None:
    from interviewer.access import Links

    page = behind.browser(**{"x-forwarded-user": "ada"}).get("/bank").text
    assert "Sign out" not in page and 'href="/reviews"' in page
    interviews = behind.house.interviews
    session = interviews.begin(user="slack:T:V").id
    guest = behind.browser(origin="https://interviews.example.org")
    guest.post(f"/continue/{Links(interviews.store).make('slack:T:V', session)}")
    token = next(iter(guest.cookies.jar)).value
    page = behind.browser(cookie=f"__Host-interviewer={token}").get(f"/sessions/{session}/replay").text
    assert "Sign out" in page
    provider.claims = {"sub": "2"}
    browser = federated.browser()
    arrive(browser)
    assert "Sign out" in browser.get("/history").text


def test_who_has_no_password_here_is_not_told_that_it_stays(behind: Site, federated: Site, provider: Provider) -> None:
    interview(behind, "user:zoe", [REPLY])
    page = behind.browser(**{"x-forwarded-user": "zoe"}).get("/history").text
    assert "To delete all of it" in page and "password" not in page and "signed out" not in page
    interview(federated, "user:sub:3", [REPLY])
    provider.claims = {"sub": "3"}
    browser = federated.browser()
    arrive(browser)
    page = browser.get("/history").text
    assert "password" not in page and "You are signed out then." in page


def test_behind_tls_the_cookie_travels_over_tls_alone(behind: Site) -> None:
    from interviewer.access import Links

    interviews = behind.house.interviews
    token = Links(interviews.store).make("slack:T:U", interviews.begin(user="slack:T:U").id)
    browser = behind.browser(origin="https://interviews.example.org")
    cookie = browser.post(f"/continue/{token}").headers["set-cookie"]
    assert cookie.startswith("__Host-interviewer=") and "Secure" in cookie and "Domain" not in cookie


# --- OpenID Connect ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    with Provider() as running:
        yield running


@pytest.fixture(scope="module")
def federated(provider: Provider, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    settings = Settings(
        home=tmp_path_factory.mktemp("federated") / "home",
        sign_in="oauth",
        oauth_discovery_url=f"{provider.address}/.well-known/openid-configuration",
        oauth_client_id=provider.client,
        oauth_client_secret=provider.secret,
    )
    add_user(settings, "ada@example.org", Duty.ADMIN, password=None)
    with Server(settings) as site:
        yield site


def arrive(browser: httpx.Client, wanted: str = "/") -> httpx.Response:
    """Goes to the provider and comes back, as a browser does."""
    link = re.search(r'href="(/sign-in/oauth[^"]*)"', browser.get("/sign-in", params={"next": wanted}).text)
    assert link
    there = browser.get(link[1])
    back = httpx.get(there.headers["location"])
    return browser.get(back.headers["location"])


def test_a_verified_address_is_the_name_and_the_duty_is_the_files(federated: Site, provider: Provider) -> None:
    provider.claims = {"sub": "1", "email": "Ada@Example.org", "email_verified": True}
    browser = federated.browser()
    assert arrive(browser, "/history").headers["location"] == "/history"
    assert who(browser) == "user:ada@example.org"
    asked = parse_qs(urlsplit(provider.asked[-1]).query)
    assert asked["code_challenge_method"] == ["S256"] and asked["nonce"][0] and asked["state"][0]


@pytest.mark.parametrize(
    "claims",
    [
        {"email": "ada@example.org", "email_verified": False},
        {"email": "ada@example.org"},
        {"email": "ada@example.org", "email_verified": "true"},
        {"email": "ada", "email_verified": True},
    ],
)
def test_an_address_that_is_not_verified_is_not_the_name(
    federated: Site, provider: Provider, claims: dict[str, object]
) -> None:
    provider.claims = {"sub": "auth0|7", **claims}
    browser = federated.browser()
    arrive(browser)
    assert who(browser) == "user:sub:auth0|7"


@pytest.mark.parametrize("lie", ["nonce", "aud", "iss", "key", "expired", "verifier"])
def test_what_the_provider_did_not_sign_for_this_sign_in_lets_nobody_in(
    federated: Site, provider: Provider, lie: str
) -> None:
    provider.claims, provider.lie = {"sub": "1", "email": "ada@example.org", "email_verified": True}, lie
    try:
        browser = federated.browser()
        assert arrive(browser).status_code == 503
        assert who(browser) == "401"
    finally:
        provider.lie = ""


def test_an_answer_counts_once_and_in_the_browser_that_asked(federated: Site, provider: Provider) -> None:
    provider.claims = {"sub": "1"}
    attacker, victim = federated.browser(), federated.browser()
    answer = httpx.get(attacker.get("/sign-in/oauth").headers["location"]).headers["location"]
    assert victim.get(answer).status_code == 403
    assert who(victim) == "401"
    assert attacker.get(answer).status_code == 303
    assert attacker.get(answer).status_code == 403
    other_state = re.sub("state=[^&]+", "state=made-up", answer)
    fresh = federated.browser()
    fresh.get("/sign-in/oauth")
    assert fresh.get(other_state).status_code == 503
    assert who(fresh) == "401"


@pytest.mark.parametrize(
    ("email", "name"),
    [("o'brien@example.org", "o'brien@example.org"), ("a#b@example.org", "sub:9"), ("SUB:1@example.org", "sub:9")],
)
def test_an_address_that_can_be_no_name_here_does_not_keep_its_holder_out(
    federated: Site, provider: Provider, email: str, name: str
) -> None:
    provider.claims = {"sub": "9", "email": email, "email_verified": True}
    browser = federated.browser()
    arrive(browser)
    assert who(browser) == f"user:{name}"


def test_who_stops_at_the_provider_is_told_so(federated: Site) -> None:
    browser = federated.browser()
    there = browser.get("/sign-in/oauth").headers["location"]
    state = parse_qs(urlsplit(there).query)["state"][0]
    answer = browser.get("/sign-in/oauth/done", params={"error": "access_denied", "state": state})
    assert answer.status_code == 403 and "says that you were not let in" in answer.text
    assert who(browser) == "401"


def test_begun_sign_ins_of_one_address_crowd_out_nobody_elses() -> None:
    attempts = Attempts()
    hers = attempts.keep(attempts.begin("/", "192.0.2.1"))
    marks = [attempts.keep(attempts.begin("/", f"2001:db8::{n:x}")) for n in range(20_000)]
    assert attempts.take(hers) and attempts.take(hers) is None
    assert sum(attempts.take(mark) is not None for mark in marks) == 100


def test_begun_sign_ins_are_bounded_however_many_addresses_begin_them() -> None:
    attempts = Attempts()
    marks = [attempts.keep(attempts.begin("/", f"10.0.{n // 250}.{n % 250}")) for n in range(12_000)]
    assert sum(attempts.take(mark) is not None for mark in marks) == 10_000
