"""One frozen Settings, and the only reader of the environment (INTERVIEWER_*).

Does not create folders or touch the disk: who needs a folder makes it.
"""

from __future__ import annotations

import os
from ipaddress import IPv4Network, IPv6Network
from pathlib import Path
from typing import Annotated, Literal, Self

from platformdirs import user_data_path
from pydantic import Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from interviewer.errors import UsageError

_CALL_SECONDS = 20.0
_HOUR = 3600.0
_ORIGIN = r"^https?://[^/?#\s]+/?$"


class Settings(BaseSettings):
    model_config = SettingsConfigDict(env_prefix="INTERVIEWER_", frozen=True, extra="ignore")

    home: Path = Field(
        default_factory=lambda: user_data_path("interviewer", appauthor=False),
        description="where sessions, imported documents and the index live",
    )
    corpus: Path | None = Field(None, description="another folder of questions in place of the bundled one")
    host: str = "127.0.0.1"
    port: int = Field(7860, ge=0, le=65535)
    run_code_without_isolation: bool = Field(
        False, description="run candidates' code with this user's rights where bubblewrap cannot be had"
    )
    sandbox_memory_mb: int = Field(1024, ge=256, description="for each run of a candidate's code")
    sandbox_slots: int = Field(2, ge=0, le=64, description="sandboxes kept ready for the next submission")
    sandbox_runs: int = Field(
        default_factory=lambda: os.cpu_count() or 1, ge=1, le=256, description="submissions that run at a time"
    )
    ray_address: str | None = Field(
        None,
        pattern=r"^(auto|local|[^/]+:\d{1,5})$",
        description="of the Ray cluster whose machines run submissions, host:port",
    )

    model: str | None = Field(
        None,
        pattern=r"^[a-z_]+:.+$",
        description="the language model, provider:name, gguf:PATH or transcript:DIR; none where it is not set",
    )
    model_url: str | None = Field(  # not in the repr, since it may hold a password
        None, pattern=r"^https?://", repr=False, description="of an OpenAI-compatible server for it"
    )
    model_key: SecretStr | None = Field(None, description="for it; else the provider's own variable is used")
    voice_model: str | None = Field(None, pattern=r"^[a-z_]+:.+$", description="another one for phrasing")
    voice_url: str | None = Field(
        None, pattern=r"^https?://", repr=False, description="of an OpenAI-compatible server for that"
    )
    voice_key: SecretStr | None = Field(None, description="for that")
    model_seconds: float | None = Field(
        None, gt=0, description="that a call may take with its retries; 20, or an hour where a person plays the model"
    )
    turn_seconds: float | None = Field(
        None, gt=0, description="that the calls of a turn may take; twice as long as one"
    )
    turn_calls: int = Field(12, ge=1, description="requests to the model in a turn, retries included")
    turn_tokens: int = Field(60_000, ge=1)
    session_calls: int = Field(400, ge=1)
    session_tokens: int = Field(1_500_000, ge=1)
    session_dollars: float | None = Field(None, gt=0, description="needs the model's prices")
    model_price_in: float | None = Field(None, ge=0, description="US dollars for a million tokens that go in")
    model_price_out: float | None = Field(None, ge=0, description="US dollars for a million tokens that come out")
    voice_price_in: float | None = Field(None, ge=0)
    voice_price_out: float | None = Field(None, ge=0)
    redact: bool = Field(False, description="put placeholders for names, addresses and keys before a model sees them")
    log_replies: bool = Field(False, description="let the log hold what candidates and models wrote")
    telemetry: bool = Field(False, description="export OpenTelemetry spans to where OTEL_* says")

    slack_signing_secret: SecretStr | None = Field(None, description="what Slack signs its requests with")
    slack_bot_token: SecretStr | None = Field(None, description="xoxb-…, where the app serves one workspace")
    slack_app_token: SecretStr | None = Field(
        None, description="xapp-…: connect to Slack (Socket Mode), not the reverse"
    )
    slack_client_id: str | None = Field(None, description="where several workspaces may install the app")
    slack_client_secret: SecretStr | None = Field(None, description="with that")
    slack_port: int = Field(3000, ge=0, le=65535, description="where Slack's requests arrive; 0 takes any free one")
    slack_api_url: str = Field("https://slack.com/api/", pattern=r"^https?://.+/$", description="where Slack is asked")
    slack_files_url: str = Field(
        "https://files.slack.com/", pattern=r"^https?://.+/$", description="the one place that files are fetched from"
    )

    sign_in: Literal["open", "users", "proxy", "oauth"] | None = Field(
        None,
        description="how people prove who they are; open where it is not set and the page listens on loopback only",
    )
    users_file: Path | None = Field(None, description="another place for users.toml")
    page_url: str | None = Field(None, pattern=_ORIGIN, description="the page's address as others reach it, https://…")
    ticket_idle_hours: float = Field(8, gt=0, description="after which somebody who did nothing signs in again")
    ticket_days: float = Field(7, gt=0, description="after which everybody does")
    trusted_proxies: Annotated[tuple[IPv4Network | IPv6Network, ...], NoDecode] = Field(
        (), description="addresses or networks of proxies whose X-Forwarded-* is believed, separated by commas"
    )
    proxy_user_header: str = Field("X-Forwarded-User", pattern=r"^[A-Za-z0-9-]+$")
    oauth_discovery_url: str | None = Field(
        None, pattern=r"^https?://", description="of an OpenID Connect provider, …/.well-known/openid-configuration"
    )
    oauth_client_id: str | None = Field(None, description="as registered there")
    oauth_client_secret: SecretStr | None = Field(None, description="with that")

    @property
    def call_seconds(self) -> float:
        return self.model_seconds or (_HOUR if self._played_by_a_person else _CALL_SECONDS)

    @property
    def all_calls_seconds(self) -> float:
        return self.turn_seconds or 2 * self.call_seconds

    @property
    def _played_by_a_person(self) -> bool:
        return any((name or "").startswith("transcript:") for name in (self.model, self.voice_model))

    @model_validator(mode="after")
    def _a_limit_on_money_has_prices(self) -> Self:
        if self.session_dollars is not None and (self.model_price_in is None or self.model_price_out is None):
            raise ValueError("session_dollars needs model_price_in and model_price_out")
        return self

    @field_validator("trusted_proxies", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        return [part.strip() for part in value.split(",") if part.strip()] if isinstance(value, str) else value

    @model_validator(mode="after")
    def _a_way_in_has_what_it_needs(self) -> Self:
        if self.sign_in == "proxy" and not self.trusted_proxies:
            raise ValueError("sign_in=proxy needs trusted_proxies: the addresses that the proxy's requests come from")
        oauth = (self.oauth_discovery_url, self.oauth_client_id, self.oauth_client_secret)
        if self.sign_in == "oauth" and not all(oauth):
            raise ValueError("sign_in=oauth needs oauth_discovery_url, oauth_client_id and oauth_client_secret")
        return self

    @property
    def users(self) -> Path:
        return self.users_file or self.home / "users.toml"

    @property
    def database(self) -> Path:
        return self.home / "interviewer.sqlite3"

    @property
    def checkpoints(self) -> Path:
        return self.home / "checkpoints.sqlite3"

    @property
    def library(self) -> Path:
        return self.home / "library.sqlite3"

    @property
    def index(self) -> Path:
        return self.home / "index"

    @property
    def locks(self) -> Path:
        return self.home / "locks"


def load_settings() -> Settings:
    """The settings of this environment. Raises UsageError naming every variable that can't be understood."""
    try:
        return Settings()
    except ValidationError as error:
        wrong = [f"INTERVIEWER_{'_'.join(map(str, e['loc'])).upper()}: {e['msg']}" for e in error.errors()]
        raise UsageError("These settings can't be used; nothing was started:\n" + "\n".join(wrong)) from error
