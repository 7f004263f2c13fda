"""Somebody's record and their say over what is kept of them, by HTTP from a team's page."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from datetime import date, timedelta
from zipfile import ZipFile

import pytest
from past import FIRST, PLAN, REPLY, interview, words
from team import Site, serving

from interviewer.access import Duty, Invitations
from interviewer.interview.practice import Moment, TopicRecord
from interviewer.models import Level, Topic
from interviewer.surfaces.web.course import course_svg

EXAM = PLAN.model_copy(update={"feedback": "end"})


@pytest.fixture(scope="module")
def team(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with serving(
        tmp_path_factory.mktemp("history"),
        dict.fromkeys(("ada", "bob", "cas", "dot", "eve", "fay", "gil"), Duty.CANDIDATE),
    ) as site:
        yield site


def test_who_was_never_interviewed_is_told_where_it_begins(team: Site) -> None:
    page = team.signed_in("eve").get("/history").text
    assert "Nothing was graded yet." in words(page) and "Forget everything" not in words(page)


def test_the_record_shows_levels_what_is_due_and_the_way_to_every_paper(team: Site) -> None:
    session = interview(team, "user:ada", [REPLY, "skip", "end"])
    page = team.signed_in("ada").get("/history").text
    assert f'href="/?session={session.id}"' in page and 'value="worst"' in page
    assert f'href="/sessions/{session.id}/report"' in page and f'href="/sessions/{session.id}/replay"' in page
    assert "training" in words(page) and page.count("<svg") == 1
    topic = next(t for t in team.house.interviews.record("user:ada").topics if t.topic is Topic.TRAINING)
    assert f"{topic.level.value} {topic.ability:.1f}" in words(page)


def test_an_interview_on_what_one_is_worst_at_begins_from_there(team: Site) -> None:
    before = interview(team, "user:fay", [REPLY, "skip", "end"])
    fay = team.signed_in("fay")
    begun = fay.post("/history/interview", data={"wish": "worst"})
    store = team.house.interviews.store
    [new] = [row for row in store.sessions("user:fay") if row.id != before.id]
    assert begun.status_code == 303 and begun.headers["location"] == f"/?session={new.id}"
    assert new.plan and Topic.TRAINING in new.plan.topics


def test_where_nothing_is_due_that_is_said_and_nothing_begins(team: Site) -> None:
    interview(team, "user:gil", [REPLY, "skip", "end"])
    answer = team.signed_in("gil").post("/history/interview", data={"wish": "due"})
    assert answer.status_code == 409 and "Nothing is due today" in words(answer.text)
    assert len(team.house.interviews.store.sessions("user:gil")) == 1


def test_an_exam_that_goes_on_stands_there_without_its_grade(team: Site) -> None:
    session = interview(team, "user:cas", [REPLY, "skip"], EXAM)
    cas = team.signed_in("cas")
    said = words(cas.get("/history").text)
    assert "the grades come at the end" in said and " of 5" not in said
    with ZipFile(io.BytesIO(cas.get("/history/everything.zip").content)) as kept:
        assert not [name for name in kept.namelist() if name.endswith("report.html")]
        [told] = [json.loads(kept.read(name)) for name in kept.namelist() if name.endswith("session.json")]
    assert told["report"] is None and told["session"] == session.id


def test_everything_that_is_kept_can_be_taken_along_and_nobody_elses(team: Site) -> None:
    interview(team, "user:bob", ["A word of Bob's."])
    mine = interview(team, "user:ada", [REPLY])
    with ZipFile(io.BytesIO(team.signed_in("ada").get("/history/everything.zip").content)) as kept:
        texts = {name: kept.read(name).decode() for name in kept.namelist()}
    of_it = {name.rsplit("/", 1)[1]: text for name, text in texts.items() if f"-{mine.id}/" in name}
    assert set(of_it) == {"session.json", "conversation.md", "report.html"}
    turns = json.loads(of_it["session.json"])["turns"]
    assert [turn["seq"] for turn in turns] == [turn.seq for turn in mine.turns()] and turns[1]["text"] == REPLY
    assert json.loads(texts["record.json"])["sessions"] and "Forget everything" in texts["README.txt"]
    assert not any("A word of Bob's." in text for text in texts.values())


def test_nothing_is_forgotten_until_it_is_typed_out(team: Site) -> None:
    session = interview(team, "user:bob", [REPLY])
    answer = team.signed_in("bob").post("/history/forget", data={"confirmation": "yes"})
    assert answer.status_code == 422 and 'value="yes"' in answer.text and "Nothing was deleted" in answer.text
    assert team.house.interviews.open(session.id).turns()


def test_forgetting_deletes_all_of_one_person_and_signs_them_out(team: Site) -> None:
    interview(team, "user:dot", [REPLY])
    kept, dot = interview(team, "user:bob", [REPLY]), team.signed_in("dot")
    answer = dot.post("/history/forget", data={"confirmation": " Forget  everything"})
    assert answer.status_code == 200 and "1 interview and everything that was made of it is gone" in words(answer.text)
    store = team.house.interviews.store
    assert store.sessions("user:dot") == [] and kept.id in {row.id for row in store.sessions("user:bob")}
    assert dot.get("/history").status_code == 303


def test_while_a_turn_is_answered_nothing_is_forgotten(team: Site) -> None:
    session, eve = interview(team, "user:eve", [REPLY]), team.signed_in("eve")
    with team.house.interviews.lock(session.id):
        answer = eve.post("/history/forget", data={"confirmation": "forget everything"})
    assert answer.status_code == 409 and "Nothing was deleted" in words(answer.text)
    assert team.house.interviews.store.sessions("user:eve")


def test_who_came_for_one_interview_has_no_history(team: Site) -> None:
    store = team.house.interviews.store
    _, token = Invitations(store, team.house.settings.locks).create(
        "First", "Gus", PLAN.model_copy(update={"only": (FIRST,)}), 7
    )
    guest = team.browser()
    guest.post(f"/invited/{token}")
    assert guest.get("/history").status_code == guest.get("/history/everything.zip").status_code == 404
    assert guest.post("/history/forget", data={"confirmation": "forget everything"}).status_code == 404


def test_a_course_is_drawn_from_the_second_day_on_and_says_where_it_went() -> None:
    day = date(2026, 11, 3)
    course = (Moment(day=day, ability=1.0, sd=0.8), Moment(day=day + timedelta(days=9), ability=1.6, sd=0.5))
    topic = TopicRecord(
        topic=Topic.DATA,
        ability=1.6,
        sd=0.5,
        level=Level.SENIOR,
        low=Level.MID,
        high=Level.SENIOR,
        asked=3,
        last=day,
        due=0,
        next_due=None,
        course=course,
    )
    drawn = course_svg(topic)
    assert 'aria-label="data: from 1.0 on 3 Nov to 1.6 on 12 Nov"' in drawn
    assert not course_svg(topic.model_copy(update={"course": course[:1]}))
