"""Two people at once: neither sees anything of the other's, tried at every door there is."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import httpx
import pytest
from team import Site, serving

from interviewer.access import Duty, Invitations, Person, may_read
from interviewer.interview.session import Session
from interviewer.models import Plan, Role

SECRET = "the pelican's word is kept for its owner"


@pytest.fixture(scope="module")
def team(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with serving(
        tmp_path_factory.mktemp("team"),
        {"ada": Duty.CANDIDATE, "bob": Duty.CANDIDATE, "rae": Duty.REVIEWER, "adm": Duty.ADMIN},
    ) as site:
        yield site


@pytest.fixture(scope="module")
def adas(team: Site) -> Session:
    """Ada's session, in which she said a secret."""
    session = team.house.interviews.begin(Plan(only=("view-vs-reshape",)), user="user:ada")
    store = team.house.interviews.store
    opening = session.turns()[0]
    hers = opening.model_copy(update={"seq": 1, "role": Role.CANDIDATE, "parts": (), "text": SECRET})
    store.add_turn(session.id, hers)
    store.add_turn(session.id, opening.model_copy(update={"seq": 2}))
    return session


@pytest.mark.parametrize(
    "path",
    [
        *("/sessions/{}/report", "/sessions/{}/report.pdf", "/sessions/{}/report.md", "/sessions/{}/report.json"),
        *("/sessions/{}/report.html", "/sessions/{}/replay", "/history", "/?session={}", "/gradio_api/file={}"),
    ],
)
@pytest.mark.parametrize("name", ["bob", "rae", "adm"])
def test_nothing_of_anothers_session_is_to_be_had(team: Site, adas: Session, name: str, path: str) -> None:
    answer = _browser(team, name).get(path.format(adas.id))
    assert SECRET not in answer.text
    if path.startswith("/sessions/"):
        assert answer.status_code == 404
        nothing = _browser(team, name).get(path.format("0123456789ab"))
        assert nothing.text.replace("0123456789ab", adas.id) == answer.text  # not even that there is such a session


def test_no_event_of_the_page_shows_or_changes_anothers_session(team: Site, adas: Session) -> None:
    before = adas.turns()
    browser = _browser(team, "bob")
    for event in _events(browser):
        said = _play(browser, event, adas.id)
        assert SECRET not in said, event["targets"]
    assert adas.turns() == before


def test_the_owner_is_shown_what_she_said(team: Site, adas: Session) -> None:
    """So that the test above can fail."""
    browser = _browser(team, "ada")
    assert any(SECRET in _play(browser, event, adas.id) for event in _events(browser) if _is_load(event))


def test_the_events_of_anothers_page_can_neither_be_joined_nor_heard_nor_ended(team: Site) -> None:
    ada, bob, page = _browser(team, "ada"), _browser(team, "bob"), uuid4().hex
    event = next(filter(_is_load, _events(ada)))
    body = {"data": event["data"], "fn_index": event["id"], "session_hash": page}
    joined = ada.post("/gradio_api/queue/join", json=body)
    assert joined.status_code == 200
    assert bob.get("/gradio_api/queue/data", params={"session_hash": page}).status_code == 404
    assert bob.get(f"/gradio_api/heartbeat/{page}").status_code == 404
    assert bob.post("/gradio_api/queue/join", json=body).status_code == 404
    ending = {"session_hash": page, "fn_index": event["id"], "event_id": joined.json()["event_id"]}
    assert bob.post("/gradio_api/cancel", json=ending).status_code == 404
    twice = f'{{"session_hash": "{page}", "data": [], "fn_index": 0, "session_hash": "{uuid4().hex}"}}'
    assert (
        bob.post("/gradio_api/queue/join", content=twice, headers={"content-type": "application/json"}).status_code
        == 404
    )
    both = f"/gradio_api/queue/data?session_hash={uuid4().hex}&session_hash={page}"
    assert bob.get(both).status_code == 404
    assert "process_completed" in _heard(ada, page)


def test_reviewers_and_admins_read_interviews_by_invitation_and_nobody_elses(team: Site, adas: Session) -> None:
    store = team.house.interviews.store
    invitation, _ = Invitations(store, team.house.settings.locks).create("Round", "Kim", Plan(), 1)
    invited = store.session(team.house.interviews.begin(Plan(), user=invitation.user).id)
    hers = store.session(adas.id)
    people = {duty: Person(user=f"user:{duty}", name=duty, duty=duty) for duty in Duty}
    assert {duty: may_read(person, invited) for duty, person in people.items()} == {
        Duty.CANDIDATE: False,
        Duty.REVIEWER: True,
        Duty.ADMIN: True,
    }
    assert not any(may_read(person, hers) for person in people.values())
    assert may_read(Person(user="user:ada", name="ada"), hers)
    assert not may_read(Person(user="user:ada", name="ada", only="another"), hers)


# --- a browser's part of Gradio's protocol ------------------------------------------------------------

_browsers: dict[tuple[str, str], httpx.Client] = {}


def _browser(team: Site, name: str) -> httpx.Client:
    """Signed in once, since that takes its time."""
    if (team.address, name) not in _browsers:
        _browsers[team.address, name] = team.signed_in(name)
    return _browsers[team.address, name]


def _events(browser: httpx.Client) -> list[dict[str, Any]]:
    """What the page may ask of the server, each with the values that its boxes begin with."""
    config = browser.get("/config").json()
    boxes = {box["id"]: box for box in config["components"]}
    events = [each for each in config["dependencies"] if each["backend_fn"]]
    assert events
    for event in events:
        event["boxes"] = [boxes[i]["type"] for i in event["inputs"]]
        event["data"] = [_value(boxes[i]["props"]) for i in event["inputs"]]
    return events


def _value(box: dict[str, Any]) -> Any:
    return box.get("default_value", box.get("value"))


def _is_load(event: dict[str, Any]) -> bool:
    return any(name == "load" for _, name in event["targets"])


def _play(browser: httpx.Client, event: dict[str, Any], session: str) -> str:
    """What the server answers to an event of a page that claims to be on ``session``."""
    page = uuid4().hex
    data = [session if _may_name_one(*box) else box[1] for box in zip(event["boxes"], event["data"], strict=True)]
    body = {"data": data, "fn_index": event["id"], "session_hash": page}
    headers = {"referer": f"{browser.base_url}/?session={session}"}
    joined = browser.post(f"/gradio_api/queue/join?session={session}", json=body, headers=headers)
    return _heard(browser, page) if joined.status_code == 200 else joined.text


def _may_name_one(kind: str, value: object) -> bool:
    return kind in ("browserstate", "textbox") and isinstance(value, str | None)


def _heard(browser: httpx.Client, page: str) -> str:
    heard = []
    with browser.stream("GET", "/gradio_api/queue/data", params={"session_hash": page}) as stream:
        for line in stream.iter_lines():
            heard.append(line)
            if line.startswith("data:") and json.loads(line[5:]).get("msg") in ("process_completed", "close_stream"):
                break
    return "\n".join(heard)
