"""A sandbox that runs two submissions at a time, and one whose walls have a hole."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from interviewer.sandbox import Sandbox, bubblewrap
from interviewer.settings import Settings
from tests.sandbox.attacks.walls import with_a_hole

SETTINGS = Settings(sandbox_memory_mb=512, sandbox_runs=2)


@pytest.fixture(scope="module")
def sandbox_for_two(sandbox: Sandbox) -> Iterator[Sandbox]:
    made = Sandbox(SETTINGS)
    yield made
    made.close()


@pytest.fixture
def leaky(sandbox: Sandbox, tmp_path: Path) -> Iterator[Sandbox]:
    """Its programs can read the machine's /etc/passwd."""
    binary = bubblewrap.find()
    assert binary
    made = Sandbox(SETTINGS, binary=with_a_hole(binary, tmp_path))
    yield made
    made.close()
