"""A bubblewrap that lets one file of this machine through, to see whether the list finds it."""

from __future__ import annotations

from pathlib import Path


def with_a_hole(binary: Path, folder: Path) -> Path:
    """The program that is started in the place of ``binary``."""
    wrapped = folder / "bwrap"
    wrapped.write_text(f'#!/bin/sh\nexec "{binary}" --perms 0755 --dir /etc --ro-bind /etc/passwd /etc/passwd "$@"\n')
    wrapped.chmod(0o755)
    return wrapped
