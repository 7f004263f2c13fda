"""Several people, several workspaces: nobody sees or does anything of another's; who wants to be forgotten is."""

from __future__ import annotations

import html
import re
import stat
import threading
from pathlib import Path

import httpx
import pytest
from sqlalchemy import inspect, text

from interviewer.errors import SessionBusy
from interviewer.settings import Settings
from interviewer.surfaces.slack.installations import SCOPES
from tests.surfaces.slack.bounds import links, words
from tests.surfaces.slack.conftest import Serve, Served
from tests.surfaces.slack.person import Person

SECRET_OF_ANN = "xylophone gradients accumulate"


def test_two_people_at_once_never_see_each_others(served: Served) -> None:
    people = [served.person(f"U{name}") for name in ("ANN", "BOB", "CYD", "DAN")]

    def interview(person: Person) -> None:
        thread = person.say("hi")
        person.newest(1)
        for turn in range(2, 5):
            person.say(f"{person.user} says number {turn}", thread=thread)
            person.newest(turn)

    threads = [threading.Thread(target=interview, args=[p]) for p in people]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    for person in people:
        others = {p.user for p in people} - {person.user}
        shown = words(person.seen())
        assert not any(f"{other} says" in shown for other in others)
        [session] = served.interviews.store.sessions(f"slack:T1:{person.user}")
        assert all(person.user in t.text for t in served.interviews.open(session.id).turns() if t.text)


def test_nobody_presses_anothers_buttons(served: Served) -> None:
    ann, bob = served.person("UANN"), served.person("UBOB")
    ann.say("hi")
    bob.press(ann.newest(1), "End")
    assert "for the person who is being interviewed" in words(bob.slack.wait_for(bob.told)[0])
    assert not bob.seen() and len(ann.seen()) == 1
    [session] = served.interviews.store.sessions()
    assert session.ended is None


def test_nobody_speaks_in_anothers_interview(served: Served) -> None:
    ann, bob = served.person("UANN"), served.person("UBOB")
    root = ann.say("<@UBOT> hi", channel="C1")
    ann.newest(1, "C1")
    bob.say("<@UBOT> end", channel="C1", thread=root)
    assert "somebody else's interview" in words(ann.newest(2, "C1"))
    assert len(served.interviews.store.sessions()) == 1


def test_the_same_user_id_in_another_workspace_is_another_person(several: Served) -> None:
    install(several, "code-one")
    install(several, "code-two")
    here, there = several.person("UANN", "T1"), several.person("UANN", "T2")
    here.say("hi", channel="", ts="1700000000.000001")
    there.say("hi", channel="", ts="1700000000.000001")
    here.newest(2)
    assert [row.user for row in several.interviews.store.sessions("slack:T1:UANN")] == ["slack:T1:UANN"]
    assert len(several.interviews.store.sessions("slack:T2:UANN")) == 1
    assert {call.token for call in several.slack.called("chat.postMessage")} == {"xoxb-one", "xoxb-two"}


def test_only_who_joined_stands_in_the_standings(served: Served) -> None:
    ann, bob = served.person("UANN"), served.person("UBOB")
    for person in (ann, bob):
        person.say("hi")
        person.press(person.newest(1), "End")
        person.newest(2)
    ann.command("standings")
    assert "Nobody stands here yet" in words(ann.slack.wait_for(ann.told)[0])
    ann.command("standings join")
    ann.slack.wait_for(lambda: len(ann.told()) == 2)
    bob.command("standings")
    shown = bob.slack.wait_for(bob.told)[0]
    assert shown["response_type"] == "in_channel"
    assert "uann: 1 interview finished" in words(shown) and "ubob" not in words(shown)
    ann.command("standings leave")
    ann.slack.wait_for(lambda: len(ann.told()) == 3)
    bob.command("standings")
    assert "uann" not in words(bob.slack.wait_for(lambda: bob.told()[1:])[0])


def test_standings_are_those_of_the_workspace(served: Served) -> None:
    served.interviews.store.standings.join("slack:T2:UEVE", "zebedee")
    ann = served.person()
    ann.command("standings")
    assert "zebedee" not in words(ann.slack.wait_for(ann.told)[0])


# --- to be forgotten ------------------------------------------------------------------------------


def forget(person: Person) -> str:
    person.command("forget me")
    asked = person.slack.wait_for(person.told)[0]
    [button] = [e for block in asked["blocks"] if block["type"] == "actions" for e in block["elements"]]
    assert button["confirm"] and button["style"] == "danger"
    person.press_button(button, {})
    done = person.slack.wait_for(lambda: person.told()[1:])[0]
    assert done["replace_original"]
    return words(done)


def everything_kept(home: Path) -> bytes:
    return b"".join(path.read_bytes() for path in home.rglob("*") if path.is_file())


def test_nothing_of_who_is_forgotten_remains_in_any_table_or_file(served: Served, slack_settings: Settings) -> None:
    ann, bob = served.person("UANN"), served.person("UBOB")
    for person, said in ((ann, SECRET_OF_ANN), (bob, "bassoon gradients accumulate")):
        thread = person.say("hi")
        person.newest(1)
        person.say(f"{said}.", thread=thread)
        person.press(person.newest(2), "Dispute")
        person.newest(3)
        person.press(person.newest(3), "Skip")
        person.newest(4)
        person.command("standings join")
        person.slack.wait_for(person.told)
        person.slack.replies.clear()
    assert SECRET_OF_ANN.encode() in everything_kept(slack_settings.home)
    [session] = served.interviews.store.sessions("slack:T1:UANN")

    assert "1 interview is deleted" in forget(ann)

    engine = served.interviews.store._engine
    with engine.connect() as db:
        for table in inspect(engine).get_table_names():
            rows = [str(tuple(row)) for row in db.execute(text(f"SELECT * FROM {table}"))]
            assert not any(mark in row for row in rows for mark in (SECRET_OF_ANN, "UANN", session.id)), table
    kept = everything_kept(slack_settings.home)
    assert SECRET_OF_ANN.encode() not in kept and session.id.encode() not in kept
    assert b"bassoon" in kept
    [his] = served.interviews.store.sessions("slack:T1:UBOB")
    assert served.interviews.open(his.id).report().answered


def test_who_was_forgotten_may_begin_anew(served: Served) -> None:
    ann = served.person()
    ann.say("hi")
    before = ann.newest(1)
    forget(ann)
    ann.press(before, "Skip")
    assert "was deleted" in words(ann.slack.wait_for(lambda: ann.told()[2:])[0])
    ann.say("hi again")
    assert "Why zero_grad()?" in words(ann.newest(2))


def test_forgetting_deletes_nothing_while_an_answer_is_worked_on(served: Served) -> None:
    session = served.interviews.begin(user="slack:T1:UANN")
    with served.interviews.lock(session.id), pytest.raises(SessionBusy):
        served.interviews.forget("slack:T1:UANN")
    assert served.interviews.open(session.id).turns()


# --- several workspaces -----------------------------------------------------------------------------


@pytest.fixture
def several(serve: Serve, several_settings: Settings) -> Served:
    return serve(settings=several_settings)


def install(served: Served, code: str, *, state: str = "") -> httpx.Response:
    """As a browser does: the page, then back from Slack with its code and the state that the page gave."""
    page = httpx.get(f"{served.address}/slack/install")
    given = page.cookies["slack-app-oauth-state"]
    scopes = httpx.URL(html.unescape(re.findall(r'href="(https://slack\.com/oauth[^"]+)"', page.text)[0])).params[
        "scope"
    ]
    assert set(scopes.split(",")) == set(SCOPES)
    return httpx.get(
        f"{served.address}/slack/oauth_redirect",
        params={"code": code, "state": state or given},
        headers={"cookie": f"slack-app-oauth-state={given}"},
    )


def test_a_workspace_installs_the_app_and_is_served_after_a_restart(
    several: Served, serve: Serve, several_settings: Settings
) -> None:
    stranger = several.person()
    assert stranger.say("hi") and not stranger.seen()
    assert install(several, "code-one").status_code == 200
    restarted = serve(settings=several_settings)
    ann = restarted.person()
    ann.say("hi")
    ann.newest(1)
    assert stat.S_IMODE((several_settings.home / "slack.sqlite3").stat().st_mode) == 0o600


def test_an_installation_that_nobody_here_began_is_refused(several: Served) -> None:
    assert install(several, "code-one", state="another").status_code == 400
    assert install(several, "code-of-nobody").status_code == 401
    ann = several.person()
    ann.say("hi")
    assert not ann.seen()


def test_a_workspace_that_removed_the_app_is_served_no_more(several: Served) -> None:
    install(several, "code-one")
    ann = several.person()
    ann.say("hi")
    ann.newest(1)
    ann.event({"type": "app_uninstalled"})
    posted = len(several.slack.calls)
    several.slack.wait_for(lambda: _gone(several))
    ann.say("hint")
    assert len(ann.seen()) == 1 and posted


def _gone(served: Served) -> bool:
    store = served.app.bolt.installation_store
    assert store is not None
    return store.find_bot(enterprise_id=None, team_id="T1") is None


# --- what a person writes stays words ----------------------------------------------------------------


def test_words_of_a_candidate_call_nobody_and_lead_nowhere(served: Served) -> None:
    ann = served.person()
    thread = ann.say("hi")
    ann.newest(1)
    hostile = "&lt;!channel&gt; <@UBOB> <http://evil.example|zero_grad> *bold* <!here> ```<!everyone>``` [x](http://evil.example) &amp;lt;"
    ann.say(hostile, thread=thread)
    ann.newest(2)
    ann.press(ann.newest(2), "End")
    ann.newest(3)
    ann.command("standings join")
    ann.command("standings")
    payloads = [call.sent for call in ann.slack.calls] + ann.told()
    assert not [url for url in links(payloads) if "evil" in url]
    for sent in payloads:
        assert not any(block["type"] == "section" for block in sent.get("blocks", []))
        assert "<" not in str(sent.get("text", ""))
