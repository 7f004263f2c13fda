"""The commands as processes of their own, with a home of their own and nothing else of the environment."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

ENTRY = "import sys; from interviewer.surfaces.cli import main; sys.argv[0] = 'interviewer'; main()"


class Shell:
    def __init__(self, home: Path):
        self.home = home

    def __call__(self, *words: str, given: str = "") -> subprocess.CompletedProcess[str]:
        env = {"INTERVIEWER_HOME": str(self.home), "PATH": "/usr/bin:/bin", "HOME": str(self.home)}
        command = [sys.executable, "-c", ENTRY, *words]
        return subprocess.run(command, input=given, capture_output=True, text=True, env=env, timeout=200)

    def said(self, *words: str, given: str = "", code: int = 0) -> str:
        """Its standard output, after it ended with ``code``."""
        done = self(*words, given=given)
        assert done.returncode == code, (done.stdout, done.stderr)
        return done.stdout

    def json(self, *words: str, given: str = "", code: int = 0) -> Any:
        return json.loads(self.said(*words, given=given, code=code))
