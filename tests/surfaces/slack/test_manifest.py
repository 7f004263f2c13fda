"""The manifest in docs/slack.md asks Slack for what the app listens to, and for nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from interviewer.settings import Settings
from interviewer.surfaces.slack.app import EVENTS, REMOVALS
from interviewer.surfaces.slack.http import EVENTS_PATH
from interviewer.surfaces.slack.installations import REDIRECT_PATH, SCOPES
from interviewer.surfaces.slack.wishes import COMMAND

GUIDE = (Path(__file__).resolve().parents[3] / "docs" / "slack.md").read_text(encoding="utf-8")


def manifest() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(GUIDE.split("```yaml\n")[1].split("```")[0])
    return found


def test_the_events_are_those_that_are_listened_to() -> None:
    events = manifest()["settings"]["event_subscriptions"]["bot_events"]
    assert {event.split(".")[0] for event in events} == {*EVENTS, *REMOVALS}


def test_the_command_is_the_one_that_is_listened_to() -> None:
    assert [command["command"] for command in manifest()["features"]["slash_commands"]] == [COMMAND]


def test_the_scopes_are_those_that_workspaces_are_asked_for() -> None:
    assert manifest()["oauth_config"]["scopes"]["bot"] == list(SCOPES)
    assert all(f"`{scope}`" in GUIDE for scope in SCOPES)


def test_the_addresses_are_those_that_are_served() -> None:
    asked = manifest()
    [command] = asked["features"]["slash_commands"]
    at = [
        command["url"],
        asked["settings"]["event_subscriptions"]["request_url"],
        asked["settings"]["interactivity"]["request_url"],
    ]
    assert all(url.endswith(EVENTS_PATH) for url in at)
    assert asked["oauth_config"]["redirect_urls"][0].endswith(REDIRECT_PATH)


def test_what_slack_bounds_is_within_its_bounds() -> None:
    asked = manifest()
    assert len(asked["display_information"]["name"]) <= 35 and len(asked["display_information"]["description"]) <= 140
    assert len(asked["features"]["bot_user"]["display_name"]) <= 80
    assert len(asked["features"]["agent_view"]["agent_description"]) <= 300


def test_every_setting_is_one_that_there_is() -> None:
    named = {word.strip("`,.;:()|") for word in GUIDE.split() if "INTERVIEWER_SLACK_" in word}
    assert named <= {f"INTERVIEWER_{name.upper()}" for name in Settings.model_fields} and len(named) == 6
