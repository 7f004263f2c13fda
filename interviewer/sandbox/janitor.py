"""What is left to remove after this process was killed: control groups, and folders where there are no walls.

A shell of a megabyte waits for the end of its input, which comes when this process ends in whatever way. The kernel has
ended the sandbox's processes by then.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from types import TracebackType
from typing import Self

from interviewer.sandbox import cgroup

_SCRIPT = """
trap '' HUP INT TERM
read -r _
prefix=$1; scratch=$2; shift 2
tries=100
while [ $tries -gt 0 ]; do
  tries=$((tries - 1))
  left=
  for parent in "$@"; do
    for group in "$parent/$prefix"*; do
      [ -d "$group" ] || continue
      while read -r pid; do kill -9 "$pid"; done <"$group/cgroup.procs"
      rmdir "$group" || left=yes
    done
  done
  [ -z "$left" ] && break
  sleep 0.1
done
[ -n "$scratch" ] && rm -rf "$scratch"
"""


class Janitor:
    """Works from ``__enter__`` on. ``scratch``: a folder that is this process's own."""

    def __init__(self, scratch: Path | None):
        self._scratch = scratch

    def __enter__(self) -> Self:
        folders = map(str, cgroup.folders())
        self._process = subprocess.Popen(
            ["/bin/sh", "-c", _SCRIPT, "sh", cgroup.name_of(os.getpid()), str(self._scratch or ""), *folders],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            cwd="/",
        )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Nothing is left for it to do: it goes at once, before it touches what another pool of this process has."""
        self._process.kill()
        self._process.wait()
        if self._process.stdin:
            self._process.stdin.close()
