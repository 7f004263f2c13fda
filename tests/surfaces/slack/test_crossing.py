"""An interview goes on on the page and comes back: by a link for its person alone, with nothing lost and nothing said twice."""

from __future__ import annotations

import json
import re

import pytest

from interviewer.access import Links
from interviewer.settings import Settings
from tests.interview.reviewing import ToldJudge
from tests.surfaces.slack.bounds import links, words
from tests.surfaces.slack.conftest import Serve, Served
from tests.surfaces.slack.person import Person
from tests.surfaces.slack.test_interview import COVERED

PAGE = "https://interviews.example"


@pytest.fixture
def slack_settings(slack_settings: Settings) -> Settings:
    return slack_settings.model_copy(update={"page_url": PAGE + "/"})


@pytest.fixture
def served(serve: Serve) -> Served:
    return serve(ToldJudge((COVERED, 0.9), (COVERED, 0.9)))


def buttons_under(message: dict) -> list[str]:  # type: ignore[type-arg]
    return [e["text"]["text"] for b in message["blocks"] if b["type"] == "actions" for e in b["elements"]]


def link(person: Person) -> str:
    """The one that they were told last, alone."""
    told = person.slack.wait_for(person.told)[-1]
    assert told.get("response_type") in (None, "ephemeral")
    [url] = links(told)
    assert re.fullmatch(rf"{PAGE}/continue/[\w-]{{43}}", url)
    return str(url)


def on_the_page(served: Served, *said: str) -> str:
    """Says something as the page does; the session."""
    [row] = served.interviews.store.sessions("slack:T1:UANN")
    session = served.interviews.open(row.id)
    for text in said:
        session.reply(text, key=f"page-{text}", after=session.turns()[-1].seq)
    return row.id


def test_the_link_is_for_the_one_who_asked_and_opens_that_session_once(ann: Person, served: Served) -> None:
    thread = ann.say("<@UBOT> hi", channel="C1")
    greeting = ann.newest(1, "C1")
    ann.press(greeting, "Go on on the page")
    token = link(ann).rpartition("/")[2]
    assert ann.told()[-1]["thread_ts"] == thread
    posted = json.dumps([call.sent for call in served.slack.calls])
    assert token not in posted and len(ann.seen("C1")) == 1

    [row] = served.interviews.store.sessions()
    ticket = Links(served.interviews.store).use(token)
    assert ticket is not None and (ticket.user, ticket.only) == ("slack:T1:UANN", row.id)
    assert Links(served.interviews.store).use(token) is None


def test_somebody_else_who_presses_it_gets_no_link(ann: Person, served: Served) -> None:
    ann.say("<@UBOT> hi", channel="C1")
    greeting = ann.newest(1, "C1")
    bob = served.person("UBOB")
    bob.press(greeting, "Go on on the page")
    assert "somebody else's" in words(bob.slack.wait_for(bob.told)[0])
    assert not links(served.slack.replies)


def test_the_command_gives_a_link_to_what_goes_on(ann: Person, served: Served) -> None:
    ann.command("page")
    assert "no interview going on" in words(ann.slack.wait_for(ann.told)[0])
    ann.say("hi")
    ann.newest(1)
    ann.command("page")
    served.slack.wait_for(lambda: len(ann.told()) == 2)
    assert Links(served.interviews.store).at(link(ann).rpartition("/")[2])


def test_without_a_page_there_is_no_button_and_the_command_says_why(serve: Serve, slack_settings: Settings) -> None:
    served = serve(settings=slack_settings.model_copy(update={"page_url": None}))
    ann = served.person()
    ann.say("hi")
    assert "Go on on the page" not in buttons_under(ann.newest(1))
    ann.command("page")
    assert "INTERVIEWER_PAGE_URL" in words(ann.slack.wait_for(ann.told)[0])


def test_what_was_said_on_the_page_is_shown_when_its_person_writes_again(serve: Serve) -> None:
    served = serve(ToldJudge())
    ann = served.person()
    thread = ann.say("hi")
    ann.newest(1)
    on_the_page(served, "hint", "xylophone")
    ann.say("They add up, so they are cleared.", thread=thread)
    answer = ann.newest(4)
    shown = [words(message) for message in ann.seen()]
    assert "2 messages of yours" in shown[1] and "no hint" in shown[2]
    assert not any("xylophone" in each for each in shown[1:3])
    assert all(m["thread_ts"] == thread for m in ann.seen())
    ann.press(answer, "Skip")
    newest = words(ann.newest(5))
    assert "Next question" in newest and "messages of yours" not in newest
    assert all(call.told["ok"] for call in served.slack.calls)


def test_what_is_sent_to_a_question_that_moved_on_on_the_page_is_not_taken_and_the_new_one_is_shown(
    ann: Person, served: Served
) -> None:
    thread = ann.say("hi")
    ann.newest(1)
    session = on_the_page(served, "skip")
    ann.say("They add up.", thread=thread)
    refusal = ann.newest(4)
    assert "asked on the page after my last message here" in words(refusal)
    assert "Skipped" in words(ann.seen()[2]) and "Skip" in buttons_under(ann.seen()[2])
    assert [t.text for t in served.interviews.open(session).turns() if t.text] == ["skip"]
    ann.say("They add up.", thread=thread)
    ann.newest(5)
    assert [t.text for t in served.interviews.open(session).turns() if t.text] == ["skip", "They add up."]


def test_an_old_button_brings_what_was_said_on_the_page(ann: Person, served: Served) -> None:
    ann.say("hi")
    greeting = ann.newest(1)
    session = on_the_page(served, "hint")
    ann.press(greeting, "Skip")
    assert "older message" in words(ann.slack.wait_for(ann.told)[0])
    assert "no hint" in words(ann.newest(3)) and "Skip" in buttons_under(ann.newest(3))
    ann.press(ann.newest(3), "Skip")
    ann.newest(4)
    assert [t.text for t in served.interviews.open(session).turns() if t.text] == ["hint", "skip"]


def test_a_report_that_was_given_on_the_page_comes_with_its_files(ann: Person, served: Served) -> None:
    ann.say("hi")
    ann.newest(1)
    on_the_page(served, "They add up.", "end")
    ann.say("back again")  # outside of threads: what ended elsewhere still goes on here
    shown = ann.slack.wait_for(lambda: [m for m in ann.seen() if "Report" in words(m)])
    assert len(shown) == 1
    served.slack.wait_for(lambda: served.slack.uploads.shared)
    assert "See it on the page" in buttons_under(ann.seen()[-1])
    assert len(served.interviews.store.sessions("slack:T1:UANN")) == 1
