"""What is not from Slack, or not as Slack sends it, is refused and changes nothing."""

from __future__ import annotations

import json
import time

import httpx
import pytest

from interviewer.errors import UsageError
from interviewer.settings import Settings
from tests.surfaces.slack.conftest import Serve, Served
from tests.surfaces.slack.person import Person, fresh_ts


def body_of(ann: Person) -> str:
    event = {
        "type": "message",
        "channel": ann.direct,
        "channel_type": "im",
        "user": ann.user,
        "text": "hi",
        "ts": fresh_ts(),
    }
    return json.dumps({"type": "event_callback", "team_id": "T1", "event_id": fresh_ts(), "event": event})


def nothing_happened(ann: Person, served: Served) -> bool:
    time.sleep(0.2)
    return not ann.seen() and not served.interviews.store.sessions()


@pytest.mark.parametrize("minutes", [-6, 6])
def test_a_request_of_another_time_is_refused(ann: Person, served: Served, minutes: int) -> None:
    assert ann.send(body_of(ann), "application/json", at=time.time() + 60 * minutes).status_code == 401
    assert nothing_happened(ann, served)


def test_a_forged_signature_is_refused(ann: Person, served: Served) -> None:
    for forged in (
        {"x-slack-signature": "v0=" + "0" * 64},
        {"x-slack-signature": ""},
        {"x-slack-request-timestamp": "soon"},
    ):
        assert ann.send(body_of(ann), "application/json", forged).status_code == 401
    body = body_of(ann)
    ann.send(body, "application/json", {"x-slack-signature": ""})
    unsigned = httpx.post(f"{ann.app}/slack/events", content=body, headers={"content-type": "application/json"})
    assert unsigned.status_code == 401
    assert nothing_happened(ann, served)


def test_a_signature_of_other_words_is_refused(ann: Person, served: Served) -> None:
    ann.event({"type": "message", "channel": "C9", "user": ann.user, "text": "x", "ts": fresh_ts()})
    signed = httpx.Headers({"content-type": "application/json"})
    assert ann.send(body_of(ann).replace("hi", "ho"), "application/json", dict(signed)).status_code == 200
    stamp = str(int(time.time()))
    from slack_sdk.signature import SignatureVerifier

    other = SignatureVerifier("another secret").generate_signature(timestamp=stamp, body=body_of(ann))
    assert ann.send(body_of(ann), "application/json", {"x-slack-signature": str(other)}).status_code == 401


@pytest.mark.parametrize(
    "body",
    [
        "{", "[1, 2]", "null", '"words"', "{}", '{"type": "event_callback"}', '{"type": "event_callback", "event": "words"}',
        '{"type": "event_callback", "event_id": "E1", "event": {"type": "message"}}',
        '{"type": "event_callback", "event_id": "E2", "event": {"type": "message", "user": 7, "channel": [], "ts": {}}}',
        '{"type": "event_callback", "team_id": "T1", "event_id": "E3", "event": {"type": "message", "channel_type": "im", "user": "U", '
        '"channel": "D", "ts": "words", "blocks": [7, {"type": "rich_text", "elements": [null]}], "files": [3, {"size": "x"}], "text": null}}',
        "payload=words", "payload=%7B%22type%22%3A%22block_actions%22%7D", "\x00", "command=/interview",
    ],
)  # fmt: skip
def test_what_slack_would_never_send_breaks_nothing(ann: Person, body: str) -> None:
    """Signed, so that it gets as far as it can. Whatever is answered, the next person is served."""
    kind = "application/json" if body[:1] in '{[n"' else "application/x-www-form-urlencoded"
    assert ann.send(body, kind).status_code in (200, 400, 404)
    ann.say("hi")
    ann.newest(1)


def test_what_is_no_text_or_too_large_is_refused(ann: Person) -> None:
    headers = {"x-slack-request-timestamp": str(int(time.time())), "x-slack-signature": "v0=0"}
    assert httpx.post(f"{ann.app}/slack/events", content=b"\xff\xfe{", headers=headers).status_code == 400
    assert httpx.post(f"{ann.app}/slack/events", content=b" " * (1024 * 1024 + 1), headers=headers).status_code == 413
    assert httpx.get(f"{ann.app}/slack/events").status_code == 405


def test_slack_finds_the_address_when_it_is_entered(ann: Person) -> None:
    answer = ann.send(json.dumps({"type": "url_verification", "challenge": "c1"}), "application/json")
    assert (answer.status_code, "c1" in answer.text) == (200, True)
    assert httpx.get(f"{ann.app}/health").text == "alive"


def test_a_token_that_slack_does_not_know_is_said_at_the_start(serve: Serve, slack_settings: Settings) -> None:
    from pydantic import SecretStr

    wrong = slack_settings.model_copy(update={"slack_bot_token": SecretStr("xoxb-wrong")})
    with pytest.raises(UsageError, match="INTERVIEWER_SLACK_BOT_TOKEN"):
        serve(settings=wrong)
