"""The page's server as a process, to be killed and started again."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


class Server:
    """``python app.py`` with a home of its own; the same port after every start."""

    def __init__(self, home: Path):
        self.home = home
        self.address = ""
        self._log = home.with_suffix(".log")
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        port = self.address.rsplit(":", 1)[-1] or "0"
        env = {**os.environ, "INTERVIEWER_HOME": str(self.home), "INTERVIEWER_PORT": port}
        env = {name: value for name, value in env.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
        with self._log.open("a") as log:
            self._process = subprocess.Popen(
                [sys.executable, "app.py"], cwd=ROOT, env=env, stdout=subprocess.PIPE, stderr=log, text=True
            )
        assert self._process.stdout is not None
        said = self._process.stdout.readline()
        found = re.search(r"http://\S+", said)
        assert found, f"{said}\n{self._log.read_text()}"
        self.address = found[0]

    def interrupt(self) -> tuple[int, str]:
        """Ctrl-C; the exit code and all that was logged."""
        assert self._process is not None
        self._process.send_signal(signal.SIGINT)
        return self._process.wait(timeout=60), self._log.read_text()

    def kill(self) -> None:
        if self._process:
            self._process.kill()
            self._process.wait()
