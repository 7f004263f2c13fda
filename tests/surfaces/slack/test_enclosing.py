"""The picture and the PDF: in the thread of the report, once a session, and never in its way."""

from __future__ import annotations

import struct
import time

import pytest

from interviewer.settings import Settings
from interviewer.surfaces.picture import levels_text
from tests.interview.reviewing import ToldJudge
from tests.surfaces.slack.bounds import words
from tests.surfaces.slack.conftest import Serve, Served
from tests.surfaces.slack.person import Person
from tests.surfaces.slack.standin import Slack
from tests.surfaces.slack.test_interview import COVERED


@pytest.fixture
def served(serve: Serve) -> Served:
    return serve(ToldJudge((COVERED, 0.9)))


def end(ann: Person) -> str:
    """An interview of one answer; its thread. The report is there."""
    thread = ann.say("hi")
    ann.newest(1)
    ann.say("They add up, so they are cleared before each batch.", thread=thread)
    ann.newest(2)
    ann.say("end", thread=thread)
    assert "Report" in words(ann.newest(3))
    return thread


def settled(served: Served, user: str = "slack:T1:UANN") -> None:
    [row] = served.interviews.store.sessions(user)

    def done() -> bool:
        known = served.interviews.store.enclosures.at(row.id)
        return known is not None and known.settled

    served.slack.wait_for(done)


def test_picture_and_pdf_arrive_in_the_thread_of_the_report(ann: Person, served: Served) -> None:
    thread = end(ann)
    settled(served)
    picture, document = served.slack.uploads.shared
    assert picture.shared == document.shared == [(ann.direct, thread)]
    assert picture.content.startswith(b"\x89PNG") and struct.unpack(">I", picture.content[16:20])[0] == 920
    [row] = served.interviews.store.sessions(ann_is := "slack:T1:UANN")
    assert picture.alt_text == levels_text(served.interviews.open(row.id).report().topics) != ""
    assert picture.title == "Levels by topic" and row.user == ann_is
    assert document.content.startswith(b"%PDF") and document.name == f"interview-{row.id}.pdf"


def test_more_words_redeliveries_and_another_process_bring_them_no_second_time(
    ann: Person, served: Served, serve: Serve
) -> None:
    thread = end(ann)
    ann.again()
    settled(served)
    ann.say("thanks", thread=thread)
    ann.newest(4)
    other = serve().person()
    other.say("anything else?", thread=thread)
    other.newest(5)
    assert len(served.slack.uploads.shared) == 2 and len(served.slack.uploads.files) == 2


def test_a_process_that_died_before_sharing_leaves_what_it_uploaded_to_the_next(serve: Serve) -> None:
    first = serve(ToldJudge((COVERED, 0.9)))
    ann = first.person()
    first.slack.granted.discard("files:write")
    thread = end(ann)
    settled(first)
    [row] = first.interviews.store.sessions("slack:T1:UANN")
    first.slack.granted.add("files:write")
    uploads = first.slack.uploads
    told = [
        uploads.answer("files.getUploadURLExternal", {"filename": n, "length": 3}, "", {}) for n in ("a.png", "b.pdf")
    ]
    for upload in uploads.files.values():
        upload.content = b"abc"
    first.interviews.store.enclosures.bring(row.id, tuple(each["file_id"] for each in told))
    ann.say("thanks", thread=thread)
    settled(first)
    assert [upload.name for upload in uploads.shared] == ["a.png", "b.pdf"]


@pytest.mark.parametrize("lost", [["files.completeUploadExternal"], ["files.completeUploadExternal", "files.info"]])
def test_when_it_is_not_heard_whether_they_were_shared_slack_is_asked(
    ann: Person, served: Served, slack: Slack, lost: list[str]
) -> None:
    slack.lost += lost
    end(ann)
    settled(served)
    assert [len(upload.shared) for upload in slack.uploads.files.values()] == [1, 1]


def test_the_waits_that_slack_asks_for_are_kept(ann: Person, served: Served, slack: Slack) -> None:
    slack.busy["files.completeUploadExternal"] = (1, 1)
    slack.uploads.busy = (2, 1)
    end(ann)
    began = time.monotonic()
    settled(served)
    assert time.monotonic() - began > 2 and len(slack.uploads.shared) == 2


def test_where_files_are_refused_the_report_is_there_and_a_sentence_says_so(
    ann: Person, served: Served, slack: Slack
) -> None:
    slack.granted.discard("files:write")
    thread = end(ann)
    said = ann.newest(4)
    assert "missing_scope" in words(said) and "report above is whole" in words(said) and said["thread_ts"] == thread
    settled(served)
    ann.say("thanks", thread=thread)
    ann.newest(5)
    assert not slack.uploads.files and len(ann.seen()) == 5


def test_a_report_goes_to_slacks_own_host_alone(ann: Person, served: Served, slack: Slack) -> None:
    slack.uploads.elsewhere = "http://127.0.0.1:9"
    end(ann)
    assert "could not be brought" in words(ann.newest(4))
    assert not slack.uploads.shared


def test_two_people_get_their_own(serve: Serve, slack_settings: Settings) -> None:
    served = serve(ToldJudge((COVERED, 0.9), (COVERED, 0.9)))
    ann, bob = served.person(), served.person("UBOB")
    threads = {person.direct: end(person) for person in (ann, bob)}
    settled(served)
    settled(served, "slack:T1:UBOB")
    for upload in served.slack.uploads.shared:
        [(channel, thread)] = upload.shared
        [row] = served.interviews.store.sessions(f"slack:T1:{channel.removeprefix('D')}")
        assert row.id in upload.name and threads[channel] == thread
