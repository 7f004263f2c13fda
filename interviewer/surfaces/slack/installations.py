"""Which workspaces installed the app, and their tokens: Bolt's stores over a database file of ours.

Promises that only its owner may read the file. The tokens in it are not encrypted: whoever may read the file may speak as the
app.
"""

from __future__ import annotations

import logging
from pathlib import Path

from slack_bolt.authorization.authorize import InstallationStoreAuthorize
from slack_bolt.oauth.oauth_settings import OAuthSettings
from slack_sdk import WebClient
from slack_sdk.oauth.installation_store.sqlalchemy import SQLAlchemyInstallationStore
from slack_sdk.oauth.state_store.sqlalchemy import SQLAlchemyOAuthStateStore
from sqlalchemy import MetaData
from sqlalchemy.engine import Engine

from interviewer.database import open_database
from interviewer.errors import UsageError

INSTALLATIONS = "slack.sqlite3"  # in the home
INSTALL_PATH = "/slack/install"
REDIRECT_PATH = "/slack/oauth_redirect"
SCOPES = (
    "app_mentions:read",
    "assistant:write",
    "channels:history",
    "chat:write",
    "commands",
    "files:read",
    "files:write",
    "groups:history",
    "im:history",
    "im:write",
)
"""What the app asks a workspace for; docs/slack.md says what each is for."""

_STATE_SECONDS = 600


def open_installations(path: Path) -> Engine:
    """The database file, made where it is missing, for its owner alone. Raises UsageError where that can't be had."""
    tables = MetaData()
    SQLAlchemyInstallationStore.build_installations_table(
        tables, SQLAlchemyInstallationStore.default_installations_table_name
    )
    SQLAlchemyInstallationStore.build_bots_table(tables, SQLAlchemyInstallationStore.default_bots_table_name)
    SQLAlchemyOAuthStateStore.build_oauth_states_table(tables, SQLAlchemyOAuthStateStore.default_table_name)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600, exist_ok=True)
        path.chmod(0o600)
    except OSError as error:
        raise UsageError(
            f"{path} can't be kept for its owner alone: {error.strerror or error}. Nothing was started. "
            "Set INTERVIEWER_HOME to a folder of yours."
        ) from error
    return open_database(path, tables, "Move it away, and let the workspaces install the app again.")


def oauth_settings(
    engine: Engine, client_id: str, client_secret: str
) -> tuple[OAuthSettings, SQLAlchemyInstallationStore]:
    """How workspaces install the app, and where that is kept."""
    installations = SQLAlchemyInstallationStore(client_id, engine)
    settings = OAuthSettings(
        client_id=client_id,
        client_secret=client_secret,
        scopes=SCOPES,
        user_scopes=[],
        install_path=INSTALL_PATH,
        redirect_uri_path=REDIRECT_PATH,
        installation_store=installations,
        state_store=SQLAlchemyOAuthStateStore(_STATE_SECONDS, engine),
        state_expiration_seconds=_STATE_SECONDS,
    )
    return settings, installations


def authorize(
    installations: SQLAlchemyInstallationStore, client_id: str, client_secret: str, client: WebClient
) -> InstallationStoreAuthorize:
    """Finds a workspace's token, and asks Slack about a token once, not at every event."""
    return InstallationStoreAuthorize(
        logger=logging.getLogger(__name__),
        installation_store=installations,
        client_id=client_id,
        client_secret=client_secret,
        client=client,
        cache_enabled=True,
    )
