"""Invitations as an admin makes and takes them back, by HTTP from a team's page."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import httpx
import pytest
from past import FIRST, SECOND, words
from team import Site

from interviewer.access import Invitations
from interviewer.models import Level, Plan, Topic

FORM = {"title": "First round", "name": "Gus", "level": "senior", "minutes": "45", "days": "7", "feedback": "end"}


def invitations(team: Site) -> Invitations:
    return Invitations(team.house.interviews.store, team.house.settings.locks)


def make(admin: httpx.Client, **fields: str | list[str]) -> httpx.Response:
    return admin.post("/invitations/new", data=FORM | fields)


def link_on(page: str) -> str:
    found = re.search(r'value="(http[^"]*/invited/[^"]+)"', page)
    return found[1] if found else ""


def test_they_are_the_admins_alone(team: Site) -> None:
    rae = team.signed_in("rae")
    assert rae.get("/invitations").status_code == rae.get("/invitations/new").status_code == 403
    assert make(rae).status_code == 403 and not invitations(team).all()


def test_the_link_is_shown_once_and_begins_the_interview_that_was_planned(team: Site, admin: httpx.Client) -> None:
    made = make(admin, topic=["autograd", "data"], questions="3", code="on")
    assert made.status_code == 303
    link = link_on(admin.get(made.headers["location"]).text)
    assert (
        not link_on(admin.get(made.headers["location"]).text)
        and "shown once" in admin.get(made.headers["location"]).text
    )
    topics = (Topic.AUTOGRAD, Topic.DATA)
    plan = Plan(level=Level.SENIOR, minutes=45, questions=3, topics=topics, feedback="end", fixed=True)
    assert invitations(team).all()[0].plan == plan
    guest = team.browser()
    assert "First round" in words(guest.get(urlsplit(link).path).text)
    guest.post(urlsplit(link).path)
    session = invitations(team).all()[0].session
    page = admin.get("/invitations").text
    assert session and f"/sessions/{session}/replay" in page and "begun" in words(page)
    team.house.interviews.open(session).reply("end")
    page = admin.get("/invitations").text
    assert f"/sessions/{session}/report" in page and "finished" in words(page)


def test_questions_of_the_bank_are_asked_in_the_order_that_was_given(team: Site, admin: httpx.Client) -> None:
    assert make(admin, only=f"{SECOND}, {FIRST}\n{SECOND}").status_code == 303
    assert invitations(team).all()[0].plan.only == (SECOND, FIRST)


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"name": " "}, "The candidate needs a name"),
        ({"title": "x" * 201}, "The interview needs a name"),
        ({"minutes": "4"}, "minutes are a whole number from 5 to 180"),
        ({"minutes": "many"}, "minutes are a whole number"),
        ({"questions": "0"}, "questions are 1 to 50"),
        ({"days": "0"}, "1 to 365 days"),
        ({"days": "-1"}, "1 to 365 days"),
        ({"only": f"{FIRST} no-such-question"}, "no question no-such-question"),
        ({"level": "emperor"}, "level"),
    ],
)
def test_what_cannot_be_made_comes_back_as_it_was_typed(
    team: Site, admin: httpx.Client, fields: dict[str, str], told: str
) -> None:
    before = len(invitations(team).all())
    answer = make(admin, **({"title": "A fine round"} | fields))
    assert answer.status_code == 422 and told in words(answer.text)
    if "title" not in fields:
        assert 'value="A fine round"' in answer.text
    assert len(invitations(team).all()) == before


def test_a_revoked_link_leads_nowhere(team: Site, admin: httpx.Client) -> None:
    made = make(admin)
    link = urlsplit(link_on(admin.get(made.headers["location"]).text)).path
    newest = invitations(team).all()[0]
    assert admin.post(f"/invitations/{newest.id}/revoke").status_code == 303
    assert "revoked" in words(admin.get("/invitations").text)
    assert team.browser().get(link).status_code == 404


def test_a_guest_is_forgotten_through_an_admin_who_types_it_out(team: Site, admin: httpx.Client) -> None:
    made = make(admin, only=FIRST)
    link = urlsplit(link_on(admin.get(made.headers["location"]).text)).path
    team.browser().post(link)
    newest, forget = invitations(team).all()[0], f"{made.headers['location']}/forget"
    refused = admin.post(forget, data={"confirmation": "yes"})
    assert refused.status_code == 422 and "Nothing was deleted" in refused.text and newest in invitations(team).all()
    assert admin.post(forget, data={"confirmation": "forget everything"}).status_code == 303
    assert newest.id not in {each.id for each in invitations(team).all()}
    assert not team.house.interviews.store.sessions(newest.user)


def test_names_stay_words(admin: httpx.Client) -> None:
    make(admin, name="<script>alert(1)</script>", title='"><img src=x>')
    page = admin.get("/invitations").text
    assert "<script>alert" not in page and "<img" not in page and "<script>alert(1)</script>" in words(page)


def test_unknown_invitations_are_not_there(admin: httpx.Client) -> None:
    assert admin.get("/invitations/nothing").status_code == 404
    assert admin.post("/invitations/nothing/revoke").status_code == 404
