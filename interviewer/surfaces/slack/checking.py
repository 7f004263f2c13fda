"""What `interviewer doctor` says of Slack: the settings, each token, what it may do, and the ways in and to the page.

Promises that Slack is asked once a token, nothing is written, and nobody in Slack sees anything of it.
"""

from __future__ import annotations

from urllib.error import URLError

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError
from sqlalchemy import URL, MetaData, Table, create_engine, select
from sqlalchemy.exc import SQLAlchemyError

from interviewer.settings import Settings
from interviewer.surfaces.finding import Finding
from interviewer.surfaces.slack.http import EVENTS_PATH
from interviewer.surfaces.slack.installations import INSTALL_PATH, INSTALLATIONS, SCOPES
from interviewer.surfaces.slack.serving import missing_settings

_SECONDS = 10
_UNREACHABLE = (URLError, OSError)
_COPY = "Copy it again from the app's page, under {} (docs/slack.md)."
_ANEW = "Paste the manifest of docs/slack.md anew and install the app again; docs/slack.md says what each scope is for."


def examine_slack(settings: Settings) -> list[Finding]:
    """For who set anything for Slack."""
    if missing := missing_settings(settings):
        detail = f"`interviewer slack` doesn't start without {', '.join(missing)}"
        return [Finding("slack", False, False, detail, "docs/slack.md says where each is found.")]
    tokens = _workspaces(settings) if settings.slack_client_id else _bot_token(settings)
    return [*tokens, _way_in(settings), _way_to_the_page(settings)]


def _bot_token(settings: Settings) -> list[Finding]:
    token = settings.slack_bot_token
    assert token is not None  # else it were missing
    try:
        told = _client(settings, token.get_secret_value()).auth_test()
    except SlackApiError as error:
        detail = f"Slack doesn't accept INTERVIEWER_SLACK_BOT_TOKEN: {error.response.get('error')}"
        return [Finding("slack token", False, False, detail, _COPY.format("OAuth & Permissions"))]
    except _UNREACHABLE as error:
        return [_unreachable("slack token", settings, error)]
    headers = {name.lower(): value for name, value in told.headers.items()}
    accepted = Finding("slack token", True, False, f"accepted, for the workspace at {told.get('url')}")
    granted = headers.get("x-oauth-scopes")
    return [accepted] if granted is None else [accepted, _scopes(_lacking(str(granted)))]


def _scopes(lacking: list[str]) -> Finding:
    if not lacking:
        return Finding("slack scopes", True, False, f"all {len(SCOPES)} of the manifest")
    return Finding("slack scopes", False, False, f"the app may not use {', '.join(lacking)}", _ANEW)


def _workspaces(settings: Settings) -> list[Finding]:
    """By what their installations say, without asking Slack."""
    path = settings.home / INSTALLATIONS
    mend = f"An administrator of each opens {INSTALL_PATH} at the app's address."
    if not path.exists():
        return [Finding("slack workspaces", False, False, "none has installed the app yet", mend)]
    engine = create_engine(URL.create("sqlite", database=f"file:{path}", query={"mode": "ro", "uri": "true"}))
    try:
        with engine.connect() as db:
            bots = Table("slack_bots", MetaData(), autoload_with=engine)
            mine = select(bots.c.team_id, bots.c.team_name, bots.c.bot_scopes).order_by(bots.c.installed_at)
            found = {row.team_id: row for row in db.execute(mine.where(bots.c.client_id == settings.slack_client_id))}
    except SQLAlchemyError as error:
        return [
            Finding(
                "slack workspaces", False, False, f"{path} can't be read: {error}", "Move it away, and install anew."
            )
        ]
    finally:
        engine.dispose()
    if not found:
        return [Finding("slack workspaces", False, False, "none has installed the app yet", mend)]
    lacking = {row.team_name or team: _lacking(row.bot_scopes or "") for team, row in found.items()}
    less = [f"{name} gave no {', '.join(scopes)}" for name, scopes in lacking.items() if scopes]
    detail = "; ".join([f"{len(found)} installed the app", *less])
    return [Finding("slack workspaces", not less, False, detail, mend if less else "")]


def _lacking(granted: str) -> list[str]:
    given = {scope.strip() for scope in granted.split(",")}
    return [scope for scope in SCOPES if scope not in given]


def _way_in(settings: Settings) -> Finding:
    if settings.slack_app_token is None:
        detail = f"HTTP, at {settings.host}:{settings.slack_port}{EVENTS_PATH}; Slack needs a public https:// address that leads there"
        return Finding("slack requests", True, False, detail)
    try:
        _client(settings, settings.slack_app_token.get_secret_value()).apps_connections_open(
            app_token=settings.slack_app_token.get_secret_value()
        )
    except SlackApiError as error:
        detail = f"Slack doesn't accept INTERVIEWER_SLACK_APP_TOKEN for Socket Mode: {error.response.get('error')}"
        return Finding(
            "slack requests", False, False, detail, _COPY.format("Basic Information, with connections:write")
        )
    except _UNREACHABLE as error:
        return _unreachable("slack requests", settings, error)
    return Finding("slack requests", True, False, "Socket Mode, which needs no address; its token is accepted")


def _way_to_the_page(settings: Settings) -> Finding:
    if settings.page_url:
        return Finding("slack to page", True, False, f"interviews can go on at {settings.page_url}")
    mend = "Set INTERVIEWER_PAGE_URL to the page's address, over the same INTERVIEWER_HOME; without it there is no button for it."
    return Finding("slack to page", False, False, "interviews in Slack can't go on on the page", mend)


def _client(settings: Settings, token: str) -> WebClient:
    return WebClient(token, settings.slack_api_url, timeout=_SECONDS, retry_handlers=[])


def _unreachable(name: str, settings: Settings, error: Exception) -> Finding:
    return Finding(
        name, False, False, f"{settings.slack_api_url} can't be reached: {error}", "Is this machine online? A proxy?"
    )
