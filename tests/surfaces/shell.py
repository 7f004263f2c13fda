"""The commands as processes of their own, with a home of their own and nothing else of the environment.

They are forks (see ``tests.forks``). Where the start itself is what a test is about, it starts the interpreter with ``ENTRY``.
"""

from __future__ import annotations

import atexit
import io
import json
import os
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.forks import ended

ENTRY = "import sys; from interviewer.surfaces.cli import main; sys.argv[0] = 'interviewer'; main()"
_LONGEST = 200  # seconds


@dataclass(frozen=True)
class Done:
    returncode: int
    stdout: str
    stderr: str


class Shell:
    def __init__(self, home: Path):
        self.home = home

    def __call__(self, *words: str, given: str = "") -> Done:
        env = {"INTERVIEWER_HOME": str(self.home), "PATH": "/usr/bin:/bin", "HOME": str(self.home)}
        with tempfile.TemporaryDirectory() as folder:
            streams = [Path(folder, name) for name in ("in", "out", "err")]
            streams[0].write_text(given)
            status = ended(_command, words, env, streams, within=_LONGEST)
            return Done(status, streams[1].read_text(), streams[2].read_text())

    def said(self, *words: str, given: str = "", code: int = 0) -> str:
        """Its standard output, after it ended with ``code``."""
        done = self(*words, given=given)
        assert done.returncode == code, (done.stdout, done.stderr)
        return done.stdout

    def json(self, *words: str, given: str = "", code: int = 0) -> Any:
        return json.loads(self.said(*words, given=given, code=code))


def _command(words: tuple[str, ...], env: dict[str, str], streams: list[Path]) -> None:
    """In the fork: what the interpreter would do with ``ENTRY``, its last deeds included."""
    from interviewer.surfaces.cli import main

    os.environ.clear()
    os.environ.update(env)
    for number, (path, mode) in enumerate(zip(streams, "rww", strict=True)):
        with path.open(mode) as stream:
            os.dup2(stream.fileno(), number)
    sys.stdin = io.TextIOWrapper(io.FileIO(0, closefd=False))
    sys.argv = ["interviewer", *words]
    try:
        main()
    finally:
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
