"""What the doctor says of Slack: each fault by its name, with what to do, and one question a token."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import SecretStr

from interviewer.settings import Settings
from interviewer.surfaces.finding import Finding
from interviewer.surfaces.slack.checking import examine_slack
from tests.surfaces.slack.conftest import Serve
from tests.surfaces.slack.standin import Slack
from tests.surfaces.slack.test_people import install


def found(settings: Settings, **changed: Any) -> dict[str, Finding]:
    findings = examine_slack(settings.model_copy(update=changed))
    assert not any(each.needed for each in findings) and all(each.ok or each.mend for each in findings)
    return {each.name: each for each in findings}


def test_what_is_in_order_is_said_to_be_with_one_question_to_slack(slack_settings: Settings, slack: Slack) -> None:
    said = found(slack_settings, page_url="https://interviews.example")
    assert [each.ok for each in said.values()] == [True] * 4
    assert "https://x.slack.com/" in said["slack token"].detail and "HTTP" in said["slack requests"].detail
    assert [call.method for call in slack.calls] == ["auth.test"]


def test_scopes_that_the_app_was_not_given_are_named(slack_settings: Settings, slack: Slack) -> None:
    slack.granted -= {"files:write", "commands"}
    scopes = found(slack_settings)["slack scopes"]
    assert not scopes.ok and "commands, files:write" in scopes.detail and "manifest" in scopes.mend


def test_a_token_that_slack_does_not_know_is_said_to_be_refused(slack_settings: Settings) -> None:
    said = found(slack_settings, slack_bot_token=SecretStr("xoxb-old"))
    assert "invalid_auth" in said["slack token"].detail and "slack scopes" not in said


@pytest.mark.parametrize(("token", "ok"), [("xapp-one", True), ("xapp-old", False)])
def test_socket_mode_is_told_from_http_and_its_token_tried(slack_settings: Settings, token: str, ok: bool) -> None:
    requests = found(slack_settings, slack_app_token=SecretStr(token))["slack requests"]
    assert requests.ok is ok and "Socket Mode" in requests.detail


def test_missing_settings_are_named_and_slack_is_not_asked(slack_settings: Settings, slack: Slack) -> None:
    said = found(slack_settings, slack_signing_secret=None, slack_bot_token=None)
    assert "INTERVIEWER_SLACK_BOT_TOKEN" in said["slack"].detail and "SIGNING_SECRET" in said["slack"].detail
    assert not slack.calls


def test_where_slack_is_not_reached_it_says_so(slack_settings: Settings) -> None:
    said = found(slack_settings, slack_api_url="http://127.0.0.1:9/api/")
    assert "can't be reached" in said["slack token"].detail


def test_without_a_page_it_says_what_names_one(slack_settings: Settings) -> None:
    assert "INTERVIEWER_PAGE_URL" in found(slack_settings)["slack to page"].mend


def test_several_workspaces_are_counted_with_what_each_did_not_give(
    serve: Serve,
    several_settings: Settings,
) -> None:
    assert "none has installed" in found(several_settings)["slack workspaces"].detail
    several = serve(settings=several_settings)
    assert install(several, "code-one").status_code == 200
    said = found(several_settings)["slack workspaces"]
    assert "1 installed the app" in said.detail and "Team T1 gave no app_mentions:read" in said.detail
