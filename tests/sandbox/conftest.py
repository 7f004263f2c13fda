"""The real sandbox of this machine. Skipped only where bubblewrap itself can build no walls at all here."""

from __future__ import annotations

import subprocess

import pytest

from interviewer.sandbox import Sandbox, bubblewrap
from interviewer.settings import Settings


@pytest.fixture(scope="session")
def sandbox() -> Sandbox:
    binary = bubblewrap.find()
    if binary is None:
        pytest.skip("bubblewrap is not installed")
    plain = [str(binary), "--unshare-all", "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "true"]
    tried = subprocess.run(plain, capture_output=True, text=True)
    if tried.returncode:
        pytest.skip(f"bubblewrap does not work here: {tried.stderr}")
    found = Sandbox(Settings(sandbox_memory_mb=512))
    assert found.isolation().available, found.isolation().reason
    return found
