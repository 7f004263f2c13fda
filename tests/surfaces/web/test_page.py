"""What the page's events lead to, as Gradio calls them."""

from __future__ import annotations

from threading import Thread

import gradio as gr
import pytest
from starlette.requests import Request

from interviewer.access import LOCAL, Person
from interviewer.interview.session import Interviews
from interviewer.models import Plan
from interviewer.surfaces.web.bench import Bench
from interviewer.surfaces.web.desk import Desk
from interviewer.surfaces.web.page import Page
from interviewer.surfaces.web.refused import PERSON

PLAN = Plan(only=("view-vs-reshape", "training-loop-steps"))


@pytest.fixture
def page(interviews: Interviews) -> Page:
    def warm() -> Thread:
        thread = Thread(target=lambda: None)
        thread.start()
        return thread

    return Page(Desk(interviews, warm), Bench(interviews))


def asked_by(person: Person) -> gr.Request:
    return gr.Request(request=Request({"type": "http", "headers": [], "query_string": b"", PERSON: person}))


@pytest.fixture
def request_() -> gr.Request:
    return asked_by(LOCAL)


def test_gradio_works_in_threads_of_its_own(page: Page) -> None:
    page.blocks.create_limiter()
    assert page.blocks.limiter is not None


def test_a_dispute_stays_in_its_box_until_it_was_taken(
    page: Page, interviews: Interviews, request_: gr.Request
) -> None:
    session = interviews.begin(PLAN)
    session.reply("skip")
    session.reply("end")
    seen = session.turns()[-1].seq
    with interviews.lock(session.id):
        refused = list(page._dispute("k", session.id, seen, {}, 1, "I said it.", request_))
    assert not any(page.report.why in updates for updates in refused)
    *before, last = page._dispute("k", session.id, seen, {}, 1, "I said it.", request_)
    assert not any(page.report.why in updates for updates in before)
    assert last[page.report.why] == ""


def test_one_person_has_three_turns_at_once_and_the_next_is_told_to_wait(page: Page, interviews: Interviews) -> None:
    ada = asked_by(Person(user="user:ada", name="ada"))
    sessions = [interviews.begin(PLAN, "user:ada").id for _ in range(4)]
    turns = [page._answer("k", each, 0, {}, "hint", ada) for each in sessions]
    for turn in turns[:3]:
        assert page.shown in next(turn)
    [told] = turns[3]
    assert list(told) == [page.notice]
    assert len(interviews.open(sessions[3]).turns()) == 1
    list(turns[0])
    assert page.shown in next(page._answer("k", sessions[3], 0, {}, "hint", ada))


def test_where_nobody_signs_in_many_are_answered_at_once(
    page: Page, interviews: Interviews, request_: gr.Request
) -> None:
    turns = [page._answer("k", interviews.begin(PLAN).id, 0, {}, "hint", request_) for _ in range(6)]
    assert all(page.shown in next(turn) for turn in turns)
