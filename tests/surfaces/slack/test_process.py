"""The command itself, in a process: killed while it grades, over Socket Mode, and without what it needs."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from interviewer.store import Store
from tests.surfaces.shell import ENTRY, Shell
from tests.surfaces.slack.bounds import words
from tests.surfaces.slack.person import Person
from tests.surfaces.slack.process import Process
from tests.surfaces.slack.standin import BOT, Slack


@pytest.fixture
def process(tmp_path: Path, slack: Slack) -> Iterator[Callable[..., Process]]:
    started: list[Process] = []

    def make(**more: str) -> Process:
        started.append(Process(tmp_path / "home", slack, **more))
        return started[-1]

    yield make
    for each in started:
        each.kill()


@pytest.mark.models
def test_killed_while_it_grades_it_answers_after_its_next_start(
    process: Callable[..., Process], slack: Slack, tmp_path: Path
) -> None:
    """The first grade waits for the models, so it is killed in the middle. Nobody says anything again."""
    served = process()
    served.start()
    ann = Person(served.address, slack, "UANN")
    thread = ann.say("interview me at junior level without code, 10 minutes")
    ann.newest(1)
    ann.say("A tensor holds numbers of one type in a block of memory, with a shape and strides.", thread=thread)
    begun = slack.wait_for(lambda: ann.seen()[1:])[0]
    assert "grading…" in words(begun)
    places = Store(tmp_path / "home" / "interviewer.sqlite3").places
    slack.wait_for(lambda: [place for place in places.of("slack:T1:UANN") if place.pending])
    served.kill()

    assert "left unanswered" in served.start()
    answer = ann.newest(2, seconds=90)
    assert answer["ts"] == begun["ts"] and "grading…" not in words(answer)
    assert len(ann.seen()) == 2
    ann.say("hint", thread=thread)
    ann.newest(3)


def test_killed_while_it_shares_the_files_of_a_report_they_stand_there_once(
    process: Callable[..., Process], slack: Slack, tmp_path: Path
) -> None:
    """Slack goes on sharing them when nobody listens any more."""
    served = process()
    served.start()
    ann = Person(served.address, slack, "UANN")
    thread = ann.say("interview me at junior level without code, 10 minutes")
    ann.newest(1, seconds=60)
    slack.slow["files.completeUploadExternal"] = 2
    ann.say("end", thread=thread)
    ann.newest(2)
    store = Store(tmp_path / "home" / "interviewer.sqlite3")
    [row] = store.sessions("slack:T1:UANN")
    slack.wait_for(lambda: store.enclosures.at(row.id))
    served.kill()

    assert "left unanswered" in served.start()
    slack.wait_for(lambda: (known := store.enclosures.at(row.id)) and known.settled)
    assert [upload.shared for upload in slack.uploads.files.values()] == [[(ann.direct, thread)]]
    assert slack.called("files.info") and len(ann.seen()) == 2


def test_socket_mode_needs_no_address(process: Callable[..., Process], slack: Slack) -> None:
    event = {
        "type": "message",
        "channel": "DUANN",
        "channel_type": "im",
        "user": "UANN",
        "text": "hi",
        "ts": "1700000000.000001",
    }
    payload = {
        "type": "event_callback", "team_id": "T1", "api_app_id": "A1", "event_id": "Ev1", "event": event,
        "authorizations": [{"team_id": "T1", "user_id": BOT, "is_bot": True}],
    }  # fmt: skip
    envelope = {"type": "events_api", "envelope_id": "e1", "accepts_response_payload": False, "payload": payload}
    slack.to_the_socket += [envelope, {**envelope, "envelope_id": "e2", "retry_attempt": 1, "retry_reason": "timeout"}]
    assert "Connected" in process(slack_app_token="xapp-one").start()
    ann = Person("", slack, "UANN")
    ann.newest(1)
    slack.wait_for(lambda: len(slack.from_the_socket) == 2)
    assert {each["envelope_id"] for each in slack.from_the_socket} == {"e1", "e2"}
    assert len(ann.seen()) == 1


def test_it_says_which_settings_are_missing(interviewer: Shell) -> None:
    done = interviewer("slack")
    assert done.returncode == 2
    assert "INTERVIEWER_SLACK_BOT_TOKEN" in done.stderr and "INTERVIEWER_SLACK_SIGNING_SECRET" in done.stderr


def test_without_slacks_library_it_says_how_to_get_it() -> None:
    without = f"import sys; sys.modules['slack_bolt'] = None; {ENTRY}"
    done = subprocess.run([sys.executable, "-c", without, "slack"], capture_output=True, text=True, timeout=100)
    assert done.returncode == 3 and "[slack]" in done.stderr
