"""Whatever Slack sends twice, late, or to a process that dies, is handled once."""

from __future__ import annotations

import threading

from interviewer.models import CodeRun, Question, Reference, Verdict
from tests.interview.reviewing import verdict
from tests.surfaces.slack.bounds import words
from tests.surfaces.slack.conftest import Serve, Served
from tests.surfaces.slack.person import Person, fresh_ts


class WaitingJudge:
    """Grades once it is let; ``began`` is set when it was asked."""

    def __init__(self) -> None:
        self.began, self.may = threading.Event(), threading.Event()

    def grade(
        self,
        question: Question,
        reply: str,
        *,
        probing: str = "",
        run: CodeRun | None = None,
        references: tuple[Reference, ...] = (),
    ) -> Verdict:
        self.began.set()
        assert self.may.wait(30)
        return verdict({}, reply)


def said_in(served: Served, user: str = "slack:T1:UANN") -> list[str]:
    [session] = served.interviews.store.sessions(user)
    return [turn.text for turn in served.interviews.open(session.id).turns() if turn.text]


def test_a_redelivered_message_is_taken_once(ann: Person, served: Served) -> None:
    thread = ann.say("hi")
    ann.newest(1)
    ann.say("They add up.", thread=thread)
    assert [ann.again(retry).status_code for retry in (1, 2, 3)] == [200] * 3
    ann.newest(2)
    ann.say("hint", thread=thread)
    ann.newest(3)
    assert said_in(served) == ["They add up.", "hint"]
    assert len(ann.seen()) == 3


def test_a_message_that_comes_as_two_events_is_taken_once(ann: Person, served: Served) -> None:
    root = ann.say("<@UBOT> hi", channel="C1")
    mention = {"type": "app_mention", "channel": "C1", "user": ann.user, "text": "<@UBOT> hi", "ts": root}
    ann.event(mention)
    ann.newest(1, "C1")
    ann.say("hint", channel="C1", thread=root)
    ann.newest(2, "C1")
    assert len(served.interviews.store.sessions()) == 1 and len(ann.seen("C1")) == 2


def test_another_process_and_the_next_one_know_what_was_handled(ann: Person, served: Served, serve: Serve) -> None:
    thread = ann.say("hi")
    ann.newest(1)
    ann.say("hint", thread=thread)
    ann.newest(2)
    for _ in range(2):
        other = serve().person()
        other.bodies = list(ann.bodies)
        assert other.again().status_code == 200
        other.bodies.pop()
        other.bodies.pop()
        assert other.again().status_code == 200
    ann.say("hint", thread=thread)
    ann.newest(3)
    assert said_in(served) == ["hint", "hint"] and len(ann.seen()) == 3


def test_a_button_that_is_sent_twice_is_pressed_once(ann: Person, served: Served) -> None:
    ann.say("hi")
    ann.press(ann.newest(1), "Skip")
    ann.again()
    ann.press(ann.newest(2), "Hint")
    ann.newest(3)
    assert said_in(served) == ["skip", "hint"]


def test_a_button_of_an_older_message_does_nothing(ann: Person, served: Served) -> None:
    ann.say("hi")
    ann.press(ann.newest(1), "Hint")
    ann.newest(2)
    ann.press(ann.seen()[0], "Skip")
    assert "older message" in words(ann.slack.wait_for(ann.told)[0])
    assert said_in(served) == ["hint"]


def test_a_message_that_arrives_after_a_later_one_is_not_taken(ann: Person, served: Served) -> None:
    thread = ann.say("hi")
    ann.newest(1)
    earlier, later = fresh_ts(), fresh_ts()
    ann.say("skip", thread=thread, ts=later)
    ann.newest(2)
    ann.say("They add up.", thread=thread, ts=earlier)
    assert "after something that you sent later" in words(ann.newest(3))
    assert said_in(served) == ["skip"]


def test_what_was_sent_before_a_question_is_not_taken_as_its_answer(serve: Serve) -> None:
    judge = WaitingJudge()
    served = serve(judge)
    ann = served.person()
    thread = ann.say("hi")
    ann.newest(1)
    ann.say("I don't know", thread=thread)  # ends the question
    assert judge.began.wait(10)
    ann.say("and they add up", thread=thread)
    judge.may.set()
    assert "hadn't asked the question above yet" in words(ann.newest(3))
    assert said_in(served) == ["I don't know"]


def test_more_words_on_the_same_question_are_taken_in_the_order_of_sending(serve: Serve) -> None:
    judge = WaitingJudge()
    served = serve(judge)
    ann = served.person()
    thread = ann.say("hi")
    ann.newest(1)
    ann.say("They add up.", thread=thread)
    assert judge.began.wait(10)
    second, third = fresh_ts(), fresh_ts()
    ann.say("They are never cleared by themselves.", thread=thread, ts=third)
    ann.say("Each backward adds to them.", thread=thread, ts=second)
    judge.may.set()
    ann.newest(4)
    assert said_in(served) == ["They add up.", "Each backward adds to them.", "They are never cleared by themselves."]


def test_an_edit_is_answered_and_not_graded(ann: Person, served: Served) -> None:
    thread = ann.say("hi")
    ann.newest(1)
    ts = ann.say("They add up.", thread=thread)
    ann.newest(2)
    before = {"type": "message", "user": ann.user, "text": "They add up.", "ts": ts, "thread_ts": thread}
    edit = {
        "type": "message",
        "subtype": "message_changed",
        "channel": ann.direct,
        "channel_type": "im",
        "ts": fresh_ts(),
    }
    ann.event({**edit, "previous_message": before, "message": {**before, "attachments": [{"title": "a preview"}]}})
    ann.event({**edit, "previous_message": before, "message": {**before, "text": "They are overwritten."}})
    ann.event({**edit, "ts": fresh_ts(), "previous_message": before, "message": {**before, "text": "Added, I mean."}})
    assert "don't read the edit" in words(ann.newest(3))
    gone = {"type": "message", "subtype": "message_deleted", "channel": ann.direct, "deleted_ts": ts, "ts": fresh_ts()}
    ann.event({**gone, "previous_message": before})
    assert "still counts" in words(ann.newest(4))
    assert said_in(served) == ["They add up."]


def test_bots_and_the_app_itself_are_not_heard(ann: Person, served: Served) -> None:
    message = {"type": "message", "channel": ann.direct, "channel_type": "im", "text": "hi", "thread_ts": "1.1"}
    ann.event({**message, "user": "UBOT", "ts": fresh_ts()})
    ann.event({**message, "user": ann.user, "bot_id": "B2", "ts": fresh_ts()})
    ann.event({**message, "subtype": "bot_message", "bot_id": "B1", "ts": fresh_ts()})
    ann.event({**message, "subtype": "channel_join", "user": ann.user, "ts": fresh_ts()})
    ann.say("hi")
    ann.newest(1)
    assert len(ann.seen()) == 1 and len(served.interviews.store.sessions()) == 1
