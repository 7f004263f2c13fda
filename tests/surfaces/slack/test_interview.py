"""Whole interviews over HTTP, from the first word to the report."""

from __future__ import annotations

from interviewer.models import Standing
from tests.interview.reviewing import ToldJudge
from tests.surfaces.slack.bounds import words
from tests.surfaces.slack.conftest import Serve, Served
from tests.surfaces.slack.person import Person

COVERED = dict.fromkeys(("adds", "clears", "when"), (Standing.COVERED, 0.95))


def test_a_whole_interview_of_two_questions_ends_with_its_report(serve: Serve) -> None:
    served = serve(ToldJudge((COVERED, 0.9), (COVERED, 0.9)))
    ann = served.person()
    thread = ann.say("hello")
    assert "Why zero_grad()?" in words(ann.newest(1))
    ann.say("They add up, so they are cleared before each batch.", thread=thread)
    second = ann.newest(2)
    assert "Next question." in words(second) and "They add up" in words(second)
    ann.say("Since they add up they are cleared.", thread=thread)
    report = words(ann.newest(3))
    assert "Report" in report and "5.0 of 5" in report and "A good answer" in report
    assert all(message["thread_ts"] == thread for message in ann.seen())
    [session] = served.interviews.store.sessions("slack:T1:UANN")
    assert session.ended


def test_the_buttons_say_their_words(ann: Person, served: Served) -> None:
    thread = ann.say("hi")
    ann.press(ann.newest(1), "Hint")
    assert "no hint" in words(ann.newest(2))
    ann.press(ann.newest(2), "Skip")
    assert "Skipped" in words(ann.newest(3))
    ann.press(ann.newest(3), "End")
    assert "Report" in words(ann.newest(4))
    ann.press(ann.newest(4), "New interview")
    assert "Why zero_grad()?" in words(ann.newest(5))
    assert ann.newest(5)["thread_ts"] == thread
    assert len(served.interviews.store.sessions("slack:T1:UANN")) == 2


def test_a_dispute_goes_to_a_person(serve: Serve) -> None:
    served = serve(ToldJudge((COVERED, 0.9)))
    ann = served.person()
    thread = ann.say("hi")
    ann.newest(1)
    ann.say("They add up.", thread=thread)
    ann.press(ann.newest(2), "Dispute")
    assert "a person will look" in words(ann.newest(3))
    assert [r.reason for r in served.interviews.store.reviews(open_only=True)] == ["dispute"]


def test_a_command_begins_what_it_asks_for_in_the_direct_conversation(ann: Person, served: Served) -> None:
    assert ann.command("senior autograd data 20").status_code == 200
    greeting = ann.newest(1)
    assert not greeting.get("thread_ts")
    [row] = served.interviews.store.sessions("slack:T1:UANN")
    assert row.plan is not None
    assert (row.plan.level, row.plan.minutes, [t.value for t in row.plan.topics]) == (
        "senior",
        20,
        ["autograd", "data"],
    )
    assert "direct conversation" in words(ann.slack.wait_for(ann.told)[0])
    ann.say("hint", thread=greeting["ts"])
    assert "no hint" in words(ann.newest(2))


def test_words_that_are_no_plan_are_answered_with_how_to_say_it(ann: Person) -> None:
    ann.command("the moon please")
    assert "/interview LEVEL TOPICS MINUTES" in words(ann.slack.wait_for(ann.told)[0])
    assert not ann.seen()


def test_what_is_said_outside_of_threads_goes_on_with_the_open_interview(ann: Person, served: Served) -> None:
    ann.say("hi")
    ann.newest(1)
    second = ann.say("hint")
    assert "no hint" in words(ann.newest(2)) and ann.newest(2)["thread_ts"] == second
    ann.say("interview me on autograd, 15 minutes")
    assert "15 minutes" in words(ann.newest(3)) or "Hello" in words(ann.newest(3))
    assert len(served.interviews.store.sessions("slack:T1:UANN")) == 2


def test_a_mention_in_a_channel_begins_an_interview_in_a_thread_of_it(served: Served) -> None:
    ann, bob = served.person("UANN"), served.person("UBOB")
    ann.say("what a day", channel="C1")
    root = ann.say("<@UBOT> hello", channel="C1")
    ann.newest(1, "C1")
    bob.say("skip", channel="C1", thread=root)
    ann.say("hint", channel="C1", thread=root)
    assert "no hint" in words(ann.newest(2, "C1"))
    assert {m["thread_ts"] for m in ann.seen("C1")} == {root}
    [session] = served.interviews.store.sessions()
    assert session.user == "slack:T1:UANN"
    assert [t.text for t in served.interviews.open(session.id).turns() if t.text] == ["hint"]


def test_opening_the_conversation_shows_what_one_might_say(ann: Person) -> None:
    ann.event(
        {"type": "app_home_opened", "tab": "messages", "user": ann.user, "channel": ann.direct, "event_ts": "1.1"}
    )
    [call] = ann.slack.wait_for(lambda: ann.slack.called("assistant.threads.setSuggestedPrompts"))
    assert call.told["ok"] and call.sent["channel_id"] == ann.direct


def test_every_payload_was_one_that_slack_takes(ann: Person) -> None:
    thread = ann.say("hi")
    for count, word in enumerate(["hint", "repeat", "", "skip", "end", "anything"], 2):
        ann.newest(count - 1)
        ann.say(word, thread=thread)
    ann.newest(7)
    assert all(call.told["ok"] for call in ann.slack.calls)
