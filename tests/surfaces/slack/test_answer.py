"""How an answer appears: something within three seconds, edited while it is said, at the pace that Slack allows."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import pairwise

import pytest
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from interviewer.surfaces.slack.answer import RETRIES, Answer, Pace
from interviewer.surfaces.slack.blocks import note
from tests.surfaces.slack.bounds import words
from tests.surfaces.slack.standin import Slack

Begin = Callable[..., Answer]


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def begin(slack: Slack) -> Begin:
    pace = Pace()

    def begin(pace: Pace = pace, channel: str = "D1") -> Answer:
        client = WebClient("xoxb-one", base_url=f"{slack.address}/api/", retry_handlers=list(RETRIES))
        return Answer(client, pace, team="T1", channel=channel, thread="1.1")

    return begin


def test_a_quick_answer_is_one_message(begin: Begin, slack: Slack) -> None:
    begin().finish([note("Done.")])
    assert [call.method for call in slack.calls] == ["chat.postMessage"]


def test_a_long_one_is_spoken_of_within_three_seconds_and_becomes_the_answer(begin: Begin, slack: Slack) -> None:
    began = time.monotonic()
    answer = begin()
    [first] = slack.wait_for(lambda: slack.said("D1"), 3)
    assert time.monotonic() - began < 3 and words(first["blocks"]) == "grading…"
    answer.finish([note("First."), note("Second.")])
    assert [words(m["blocks"]) for m in slack.said("D1")] == ["First.", "Second."]
    assert slack.said("D1")[0]["ts"] == first["ts"]


def test_what_is_said_so_far_is_seen_but_not_at_every_sentence(begin: Begin, slack: Slack) -> None:
    answer = begin()
    slack.wait_for(lambda: slack.said("D1"))
    until = time.monotonic() + 3.5
    count = 0
    while time.monotonic() < until:
        answer.hear(f"Sentence {count}.")
        count += 1
        time.sleep(0.05)
    edits = slack.called("chat.update")
    assert len(edits) == 1 and "Sentence 0. Sentence 1." in words(edits[0].sent["blocks"])
    answer.finish([note("Whole.")])
    assert words(slack.said("D1")[0]["blocks"]) == "Whole."


def test_edits_of_a_workspace_are_paced_over_all_of_its_messages() -> None:
    clock = Clock()
    pace = Pace(clock)
    assert pace.may("T1") and not pace.may("T1") and pace.may("T2")
    clock.now = 1.3
    assert pace.may("T1")
    pace.wait("T1", 30)
    clock.now = 31.0
    assert not pace.may("T1")
    clock.now = 31.4
    assert pace.may("T1")


def test_a_wait_that_slack_asks_for_is_kept_and_the_answer_arrives(begin: Begin, slack: Slack) -> None:
    slack.busy["chat.postMessage"] = (2, 1)
    begin().finish([note("Patience.")])
    calls = slack.called("chat.postMessage")
    assert [call.told["ok"] for call in calls] == [False, False, True]
    assert all(later.at - earlier.at >= 1 for earlier, later in pairwise(calls))


def test_an_edit_in_between_is_left_out_while_slack_wants_no_more(begin: Begin, slack: Slack) -> None:
    pace = Pace()
    answer = begin(pace)
    slack.wait_for(lambda: slack.said("D1"))
    slack.busy["chat.update"] = (1, 60)
    answer._edited = 0.0
    began = time.monotonic()
    answer.hear("A sentence.")
    assert time.monotonic() - began < 1 and not pace.may("T1")
    answer.finish([note("Whole.")])
    assert words(slack.said("D1")[0]["blocks"]) == "Whole."


def test_an_answer_whose_message_was_deleted_is_posted_anew(begin: Begin, slack: Slack) -> None:
    answer = begin()
    slack.wait_for(lambda: slack.said("D1"))
    slack.messages.clear()
    answer.finish([note("Here.")])
    assert [words(m["blocks"]) for m in slack.said("D1")] == ["Here."]


def test_what_slack_refuses_is_an_error_and_not_lost_in_silence(slack: Slack) -> None:
    stranger = WebClient("xoxb-nobody", base_url=f"{slack.address}/api/")
    with pytest.raises(SlackApiError):
        Answer(stranger, Pace(), team="T1", channel="D1", thread="").finish([note("x")])
