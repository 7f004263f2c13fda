"""A session's report and replay, by HTTP from a team's page."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import httpx
import pytest
from past import FIRST, PLAN, REPLY, interview, words
from sqlalchemy import update
from team import Site, serving

from interviewer.access import Duty, Invitations
from interviewer.interview.session import Session
from interviewer.models import Plan
from interviewer.store.tables import invitations as rows

EXAM = PLAN.model_copy(update={"feedback": "end"})


@pytest.fixture(scope="module")
def team(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with serving(tmp_path_factory.mktemp("documents"), {"ada": Duty.CANDIDATE, "rae": Duty.REVIEWER}) as site:
        yield site


@pytest.fixture(scope="module")
def ada(team: Site) -> httpx.Client:
    return team.signed_in("ada")


@pytest.fixture(scope="module")
def practice(team: Site) -> Session:
    return interview(team, "user:ada", [REPLY, "skip", "end"])


@pytest.fixture(scope="module")
def exam(team: Site) -> Session:
    """Its first question was closed; it still goes on."""
    return interview(team, "user:ada", [REPLY, "skip"], EXAM)


def claim_of(team: Site) -> str:
    return team.house.bank.get(FIRST).points[0].claim


@pytest.mark.parametrize(
    ("kind", "type_", "begins"),
    [("pdf", "application/pdf", b"%PDF"), ("html", "text/html", b"<!doctype"), ("md", "text/markdown", b"# Report")],
)
def test_a_report_comes_as_a_file_of_its_kind(
    ada: httpx.Client, practice: Session, kind: str, type_: str, begins: bytes
) -> None:
    answer = ada.get(f"/sessions/{practice.id}/report.{kind}")
    assert (answer.status_code, answer.headers["content-type"].split(";")[0]) == (200, type_)
    assert answer.content.startswith(begins)
    assert answer.headers["content-disposition"] == f'attachment; filename="interview-report-{practice.id}.{kind}"'
    assert answer.headers["cache-control"] == "no-store"


def test_the_report_as_data_is_the_sessions_own(ada: httpx.Client, practice: Session) -> None:
    told = json.loads(ada.get(f"/sessions/{practice.id}/report.json").content)
    assert told == practice.report().model_dump(mode="json")


@pytest.mark.parametrize("path", ["report.exe", "report.", "nothing"])
def test_other_papers_are_not_there(ada: httpx.Client, practice: Session, path: str) -> None:
    assert ada.get(f"/sessions/{practice.id}/{path}").status_code == 404


def test_the_report_is_a_page_on_which_what_to_study_leads_to_its_question(
    team: Site, ada: httpx.Client, practice: Session
) -> None:
    page = ada.get(f"/sessions/{practice.id}/report").text
    assert f'<a href="#{FIRST}"><code>{FIRST}</code></a>' in page and f'<section id="{FIRST}">' in page
    assert claim_of(team) in words(page) and "<svg" in page and "<script" not in page
    assert "<b>add up</b>" in words(page) and "<b>" not in page


@pytest.mark.parametrize("path", ["report", "report.pdf", "report.json", "report.md", "report.html"])
def test_an_exam_that_goes_on_has_no_report_yet(team: Site, ada: httpx.Client, exam: Session, path: str) -> None:
    answer = ada.get(f"/sessions/{exam.id}/{path}")
    assert answer.status_code == 409 and "exam that still goes on" in words(answer.text)
    assert claim_of(team) not in words(answer.text)


def test_the_replay_of_an_exam_that_goes_on_tells_no_grade(team: Site, ada: httpx.Client, exam: Session) -> None:
    page = ada.get(f"/sessions/{exam.id}/replay").text
    assert "<b>add up</b>" in words(page) and "the test's judge" not in words(page)
    assert claim_of(team) not in words(page)


def test_an_ended_exam_tells_all(team: Site, ada: httpx.Client) -> None:
    ended = interview(team, "user:ada", [REPLY, "skip", "end"], EXAM)
    assert claim_of(team) in words(ada.get(f"/sessions/{ended.id}/report").text)
    assert claim_of(team) in words(ada.get(f"/sessions/{ended.id}/replay").text)


def test_the_replay_holds_every_turn_with_its_time_and_steps_through_all(ada: httpx.Client, practice: Session) -> None:
    page, turns = ada.get(f"/sessions/{practice.id}/replay").text, practice.turns()
    assert re.findall(r'<time datetime="([^"]+)"', page) == [turn.at for turn in turns]
    steps = re.findall(r'<a id="(turn-\d+)" href="#([\w-]+)"', page)
    assert [here for here, _ in steps] == [f"turn-{turn.seq + 1}" for turn in turns]
    assert [there for _, there in steps] == [*(here for here, _ in steps[1:]), "end"] and 'id="end"' in page


def test_in_the_replay_words_stay_words_and_code_is_coloured(ada: httpx.Client, practice: Session) -> None:
    page = ada.get(f"/sessions/{practice.id}/replay").text
    assert "<p>Gradients &lt;b&gt;add up&lt;/b&gt;.</p>" in page and "<b>" not in page
    assert re.search(r'<code><span class="t-n">loss</span>', page)


def test_what_the_grader_thought_is_told_once_its_question_is_closed(team: Site, ada: httpx.Client) -> None:
    session = interview(team, "user:ada", [REPLY])
    said = words(ada.get(f"/sessions/{session.id}/replay").text)
    assert "the test's judge" not in said and claim_of(team) not in said
    interview_again = team.house.interviews.open(session.id)
    interview_again.reply("skip")
    said = words(ada.get(f"/sessions/{session.id}/replay").text)
    assert "Judged by the test's judge, 40 % sure." in said and claim_of(team) in said


def test_reviewers_read_what_a_guest_said_and_nothing_else(team: Site, practice: Session) -> None:
    rae, store = team.signed_in("rae"), team.house.interviews.store
    _, token = Invitations(store, team.house.settings.locks).create("First round", "Gus", Plan(only=(FIRST,)), 7)
    guest = team.browser()
    assert guest.post(f"/invited/{token}").status_code == 303
    [row] = [row for row in store.sessions() if row.user.startswith("guest:")]
    for path in ("report", "report.json", "replay"):
        assert rae.get(f"/sessions/{row.id}/{path}").status_code == 200
        assert guest.get(f"/sessions/{row.id}/{path}").status_code == 200
        assert rae.get(f"/sessions/{practice.id}/{path}").status_code == 404
        assert guest.get(f"/sessions/{practice.id}/{path}").status_code == 404
    assert "/?session=" not in rae.get(f"/sessions/{row.id}/report").text  # to read isn't to go on with it


@pytest.mark.parametrize("end", ["revoked", "expired"])
def test_an_exam_whose_guest_was_shut_out_has_a_report_for_who_reviews_it(team: Site, end: str) -> None:
    rae, store = team.signed_in("rae"), team.house.interviews.store
    invitations = Invitations(store, team.house.settings.locks)
    invitation, _ = invitations.create("Exam", "Gus", EXAM, 7)
    exam = interview(team, invitation.user, [REPLY, "skip"], EXAM)
    for path in ("report", "report.json"):
        assert rae.get(f"/sessions/{exam.id}/{path}").status_code == 409
    if end == "revoked":
        invitations.revoke(invitation.id)
    else:
        with store.engine.begin() as db:
            db.execute(update(rows).where(rows.c.id == invitation.id).values(expires=0))
    assert claim_of(team) in words(rae.get(f"/sessions/{exam.id}/report").text)
    assert rae.get(f"/sessions/{exam.id}/report.json").status_code == 200
    assert f'href="/sessions/{exam.id}/report"' in rae.get(f"/sessions/{exam.id}/replay").text
