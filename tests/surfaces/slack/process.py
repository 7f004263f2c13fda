"""`interviewer slack` as a process of its own, to be killed and started again."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.surfaces.shell import ENTRY
from tests.surfaces.slack.person import SECRET
from tests.surfaces.slack.standin import Slack


class Process:
    """On a home of its own, at the same port after every start. ``more``: settings beside those for one workspace."""

    def __init__(self, home: Path, slack: Slack, **more: str):
        self.address = ""
        self.log = home.with_suffix(".log")
        settings = {
            "home": str(home),
            "slack_signing_secret": SECRET,
            "slack_bot_token": "xoxb-one",
            "slack_api_url": f"{slack.address}/api/",
            "slack_files_url": f"{slack.address}/files/",
            **more,
        }
        self._env = {f"INTERVIEWER_{name.upper()}": value for name, value in settings.items()}
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> str:
        """What it says first."""
        port = {"INTERVIEWER_SLACK_PORT": self.address.rsplit(":", 1)[-1] or "0"}
        env = {"PATH": os.environ["PATH"], "HOME": str(self.log.parent), **self._env, **port}
        with self.log.open("a") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-c", ENTRY, "slack"], env=env, stdout=subprocess.PIPE, stderr=log, text=True
            )
        assert self._process.stdout is not None
        said = ""
        while not (found := re.search(r"(http://[\d.:]+)|Connected", said)):
            line = self._process.stdout.readline()
            assert line, self.log.read_text()
            said += line
        self.address = found[1] or ""
        return said

    def kill(self) -> None:
        if self._process:
            self._process.kill()
            self._process.wait()
