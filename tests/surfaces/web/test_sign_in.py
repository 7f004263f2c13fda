"""Coming in, by trying: real requests over HTTP to a page of a team's."""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from sqlalchemy import select, update
from team import PASSWORD, Server, Site, add_user, serving

from interviewer.access import Duty
from interviewer.access.passwords import hash_password
from interviewer.access.users import Users
from interviewer.models import Plan
from interviewer.settings import Settings
from interviewer.store.tables import tickets


@pytest.fixture(scope="module")
def team(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with serving(
        tmp_path_factory.mktemp("team"),
        {"ada": Duty.ADMIN, "bob": Duty.CANDIDATE, "eve": Duty.CANDIDATE, "rae": Duty.REVIEWER},
    ) as site:
        yield site


def users_of(team: Site) -> Users:
    return Users(team.house.settings.users)


# --- the front door ---------------------------------------------------------------------------------


def test_a_page_leads_who_is_not_signed_in_to_the_form_and_back(team: Site) -> None:
    browser = team.browser()
    led = browser.get("/history?all=1")
    assert (led.status_code, led.headers["location"]) == (303, "/sign-in?next=/history%3Fall%3D1")
    form = browser.get(led.headers["location"]).text
    wanted = re.search(r'name="next" value="([^"]*)"', form)
    assert wanted
    back = browser.post("/sign-in", data={"name": "bob", "password": PASSWORD, "next": wanted[1]})
    assert back.headers["location"] == "/history?all=1"
    assert browser.get("/").status_code == 200


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/config"),
        ("GET", "/gradio_api/info"),
        ("GET", "/gradio_api/queue/data?session_hash=x"),
        ("GET", "/gradio_api/heartbeat/x"),
        ("GET", "/gradio_api/file=/etc/hostname"),
        ("GET", "/gradio_api/startup-events"),
        ("POST", "/gradio_api/queue/join"),
        ("POST", "/gradio_api/upload"),
        ("POST", "/gradio_api/cancel"),
        ("POST", "/gradio_api/reset"),
        ("GET", "/assets/x.js"),
        ("GET", "/nosuchthing"),
        ("POST", "/login"),
        ("GET", "/sign-in/../config"),
        ("GET", "//config"),
    ],
)
def test_nothing_of_gradio_answers_who_is_not_signed_in(team: Site, method: str, path: str) -> None:
    answer = team.browser(accept="*/*").request(method, team.address + path)
    assert answer.status_code == 401
    assert "You are not signed in" in answer.json()["detail"]


@pytest.mark.parametrize(
    "path", ["/gradio_api/upload", "/gradio_api/run/x", "/gradio_api/call/x", "/gradio_api/component_server", "/login"]
)
def test_what_the_page_does_not_need_of_gradio_is_not_there(team: Site, path: str) -> None:
    assert team.signed_in("ada").post(path, json={"data": []}).status_code == 404
    assert team.signed_in("ada").get(path).status_code == 404


def test_a_file_of_the_machine_is_not_handed_out(team: Site) -> None:
    browser = team.signed_in("ada")
    for path in (
        "/gradio_api/file=/etc/hostname",
        f"/gradio_api/file={team.house.settings.users}",
        "/gradio_api/proxy=http://127.0.0.1/",
    ):
        assert browser.get(path).status_code == 404


def test_upper_and_lower_case_and_odd_forms_of_letters_are_one_name(team: Site) -> None:
    answer = team.browser().post("/sign-in", data={"name": "\uff22OB ", "password": PASSWORD})
    assert answer.status_code == 303


@pytest.mark.parametrize(
    "wanted",
    ["//evil.example", "https://evil.example", "/\\evil.example", "\t//evil.example", "javascript:x", "", "/a\nb"],
)
def test_nobody_is_led_to_another_site(team: Site, wanted: str) -> None:
    browser = team.browser()
    answer = browser.post("/sign-in", data={"name": "rae", "password": PASSWORD, "next": wanted})
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert browser.get("/sign-in", params={"next": wanted}).headers["location"] == "/"


def test_a_name_is_no_html(team: Site) -> None:
    hostile = "<script>alert(1)</script>\" autofocus onfocus='x"
    answer = team.browser().post("/sign-in", data={"name": hostile, "password": "x" * 10, "next": '/"><script>'})
    assert answer.status_code == 401
    assert "<script" not in answer.text.replace("&lt;script", "")
    assert "onfocus='x\"" not in answer.text


# --- tickets ----------------------------------------------------------------------------------------


def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites_and_only_its_hash_is_kept(team: Site) -> None:
    browser = team.browser()
    cookie = browser.post("/sign-in", data={"name": "bob", "password": PASSWORD}).headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=lax" in cookie and "Path=/" in cookie
    [token] = browser.cookies.values()
    assert len(token) >= 43
    with team.house.interviews.store.engine.connect() as db:
        kept = db.execute(select(tickets)).all()
    assert token not in str(kept)


@pytest.mark.parametrize("token", ["", "x", "../../etc", "%00", "0" * 64, "' or 1=1 --"])
def test_a_made_up_ticket_opens_nothing(team: Site, token: str) -> None:
    answer = team.browser(cookie=f"interviewer={token}").get("/", headers={"accept": "*/*"})
    assert answer.status_code == 401


def test_the_hash_that_is_kept_is_no_ticket(team: Site) -> None:
    team.signed_in("bob")
    with team.house.interviews.store.engine.connect() as db:
        kept = db.execute(select(tickets.c.id)).scalars().all()
    for each in kept:
        assert team.browser(cookie=f"interviewer={each}").get("/").status_code == 303


def test_signing_out_ends_the_ticket_itself(team: Site) -> None:
    browser = team.signed_in("bob")
    [token] = browser.cookies.values()
    assert browser.post("/sign-out").status_code == 303
    assert browser.get("/").status_code == 303
    assert team.browser(cookie=f"interviewer={token}").get("/").status_code == 303


def test_signing_out_and_forgetting_everything_make_the_browser_forget_what_was_typed_there(team: Site) -> None:
    browser = team.signed_in("eve")
    forgotten = browser.post("/history/forget", data={"confirmation": "forget everything"})
    for answer in (forgotten, team.signed_in("bob").post("/sign-out")):
        assert answer.headers["clear-site-data"] == '"storage"'


def test_who_sends_something_without_being_signed_in_is_told_that_it_was_not_taken(team: Site) -> None:
    assert "not taken" in team.browser().post("/history/forget", data={"confirmation": "x"}).text
    assert "not taken" not in team.browser(accept="*/*").get("/history").text


def test_signing_in_again_gives_another_ticket_and_ends_the_one_before(team: Site) -> None:
    browser = team.signed_in("bob")
    [before] = browser.cookies.values()
    browser.post("/sign-in", data={"name": "bob", "password": PASSWORD})
    assert list(browser.cookies.values()) != [before]
    assert team.browser(cookie=f"interviewer={before}").get("/").status_code == 303


@pytest.mark.parametrize(("column", "hours"), [("seen", 8.1), ("made", 7 * 24.1)])
def test_a_ticket_ends_when_unused_and_after_some_days_in_any_case(team: Site, column: str, hours: float) -> None:
    browser = team.signed_in("eve")
    assert browser.get("/").status_code == 200
    with team.house.interviews.store.engine.begin() as db:
        mine = tickets.c.user == "user:eve"
        db.execute(update(tickets).where(mine).values({column: tickets.c[column] - hours * 3600}))
    assert browser.get("/").status_code == 303


def test_a_new_password_another_duty_and_being_removed_count_at_once(team: Site) -> None:
    add_user(team.house.settings, "tom", Duty.ADMIN)
    browser, users = team.signed_in("tom"), users_of(team)
    assert '"username":"user:tom"' in browser.get("/config").text
    users.set("tom", password=hash_password("another one of those"))
    assert browser.get("/").status_code == 303
    again = team.browser()
    again.post("/sign-in", data={"name": "tom", "password": "another one of those"})
    assert again.get("/").status_code == 200
    users.remove("tom")
    assert again.get("/").status_code == 303
    add_user(team.house.settings, "tom")
    assert again.get("/").status_code == 303


def test_while_the_users_file_is_broken_nobody_is_let_in_and_it_is_said_to_be_so(team: Site) -> None:
    browser, path = team.signed_in("bob"), team.house.settings.users
    whole = path.read_text()
    try:
        path.write_text(whole + "\n[[user]]\nname = 3\n")
        assert browser.get("/").status_code == 503
        assert str(path) not in browser.get("/").text
        tried = team.browser().post("/sign-in", data={"name": "bob", "password": PASSWORD})
        assert tried.status_code == 503
        assert path.name not in tried.text and "line" not in tried.text
    finally:
        path.write_text(whole)
    assert browser.get("/").status_code == 200


# --- guessing ---------------------------------------------------------------------------------------


def test_guessing_is_held_also_all_at_once_and_against_the_right_password(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    settings = Settings(home=tmp_path_factory.mktemp("guess") / "home", sign_in="users")
    add_user(settings, "bob")
    add_user(settings, "ada")
    with Server(settings) as site:

        def guess(number: int) -> httpx.Response:
            # Another proxy's word on where it comes from counts for nothing.
            names = ("bob", "BOB", "\uff22ob", " bob ")
            browser = site.browser(**{"x-forwarded-for": f"10.0.0.{number}"})
            return browser.post("/sign-in", data={"name": names[number % 4], "password": f"guess number {number}"})

        with ThreadPoolExecutor(20) as people:
            answers = list(people.map(guess, range(20)))
        assert sorted(a.status_code for a in answers) == [401] * 10 + [429] * 10
        held = site.browser().post("/sign-in", data={"name": "bob", "password": PASSWORD})
        assert held.status_code == 429
        assert 0 < int(held.headers["retry-after"]) <= 900
        assert "too many attempts" in held.text
        assert site.signed_in("ada").get("/").status_code == 200


# --- other sites ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "sent",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": ""},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"origin": "http://127.0.0.1:1"},
    ],
)
def test_what_another_site_sends_is_refused(team: Site, sent: dict[str, str]) -> None:
    browser = team.signed_in("bob")
    for path in ("/sign-out", "/gradio_api/queue/join", "/nosuch"):
        assert browser.post(path, headers=sent).status_code == 403
    assert browser.get("/").status_code == 200


def test_a_name_that_is_no_name_is_refused_whoever_asks(team: Site) -> None:
    for name in ("[", "[::1", "a[b"):
        assert team.browser(host=name).get("/sign-in").status_code == 400


def test_more_than_two_megabytes_are_not_taken_in(team: Site) -> None:
    browser = team.signed_in("bob")
    assert browser.post("/sign-in", content=b"x" * (3 * 2**20)).status_code == 413
    in_pieces = (b"x" * 2**20 for _ in range(4))
    assert browser.post("/sign-in", content=in_pieces).status_code == 413


# --- invitations and links --------------------------------------------------------------------------


def test_a_link_goes_on_with_one_session_once(team: Site) -> None:
    from interviewer.access import Links

    interviews = team.house.interviews
    mine, other = (interviews.begin(Plan(), user="slack:T1:U1").id for _ in range(2))
    token = Links(interviews.store).make("slack:T1:U1", mine, "Lin")
    browser = team.browser()
    for _ in range(3):  # as a chat does that shows what is behind a link
        assert "Lin, your interview goes on" in browser.get(f"/continue/{token}").text
    answer = browser.post(f"/continue/{token}")
    assert (answer.status_code, answer.headers["location"]) == (303, f"/?session={mine}")
    assert browser.get("/config").json()["username"] == "slack:T1:U1"
    assert team.browser().post(f"/continue/{token}").status_code == 404
    assert team.browser().get(f"/continue/{token}").status_code == 404
    assert browser.get(f"/sessions/{mine}/report").status_code != 401
    assert browser.get(f"/sessions/{other}/report").status_code == 404


def test_of_many_who_use_a_link_at_the_same_time_one_comes_in(team: Site) -> None:
    from interviewer.access import Links

    interviews = team.house.interviews
    token = Links(interviews.store).make("slack:T1:U2", interviews.begin(Plan(), user="slack:T1:U2").id)
    with ThreadPoolExecutor(8) as people:
        answers = list(people.map(lambda _: team.browser().post(f"/continue/{token}").status_code, range(8)))
    assert sorted(answers) == [303] + [404] * 7


def test_an_invitation_leads_to_one_session_from_any_browser_until_it_is_revoked(team: Site) -> None:
    from interviewer.access import Invitations

    store = team.house.interviews.store
    invitations = Invitations(store, team.house.settings.locks)
    plan = Plan(minutes=20, feedback="end", only=("view-vs-reshape",))
    invitation, token = invitations.create("Second round", "<b>Kim</b>", plan, 3)
    page = team.browser().get(f"/invited/{token}").text
    assert "&lt;b&gt;Kim&lt;/b&gt;" in page and "those who review" in page and "<b>Kim" not in page
    assert store.sessions(invitation.user) == []  # looking at it begins nothing

    with ThreadPoolExecutor(4) as people:
        entered = list(people.map(lambda _: _enter(team, token), range(4)))
    [session] = store.sessions(invitation.user)
    assert session.plan == plan.model_copy(update={"fixed": True})
    assert {answer.headers["location"] for _, answer in entered} == {f"/?session={session.id}"}
    guest = entered[0][0]
    assert guest.get("/config").json()["username"] == invitation.user
    assert invitations.of_session(session.id) is not None
    for path in ("/reviews", "/invitations", "/bank"):
        assert guest.get(path).status_code in (403, 404)

    invitations.revoke(invitation.id)
    assert guest.get("/").status_code == 303
    assert team.browser().post(f"/invited/{token}").status_code == 404
    assert len(store.sessions(invitation.user)) == 1


def _enter(team: Site, token: str) -> tuple[httpx.Client, httpx.Response]:
    browser = team.browser()
    return browser, browser.post(f"/invited/{token}")
