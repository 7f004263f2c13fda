from __future__ import annotations

from pathlib import Path

import pytest

from tests.surfaces.shell import Shell


@pytest.fixture
def interviewer(tmp_path: Path) -> Shell:
    return Shell(tmp_path / "home")
