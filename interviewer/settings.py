"""One frozen Settings, and the only reader of the environment (INTERVIEWER_*).

Does not create folders or touch the disk: who needs a folder makes it.
"""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import user_data_path
from pydantic import Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from interviewer.errors import UsageError


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
        wrong = [f"INTERVIEWER_{str(e['loc'][0]).upper()}: {e['msg']}" for e in error.errors()]
        raise UsageError("These settings can't be used; nothing was started:\n" + "\n".join(wrong)) from error
