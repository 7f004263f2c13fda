"""Documents for the readers: the published ones where they are at hand, and any text as a file."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from interviewer.bank.documents import Document, read_document

_SEEDS = Path(__file__).resolve().parents[3] / ".." / "shared" / "seeds"


@pytest.fixture
def read(tmp_path: Path) -> Callable[[str], Document]:
    """Reads a text through a real file."""

    def read_text(text: str) -> Document:
        path = tmp_path / "document.md"
        path.write_bytes(text.encode())
        return read_document(path)

    return read_text


@pytest.fixture(scope="session")
def seeds() -> Path:
    if not (_SEEDS / "manifest.json").is_file():
        pytest.skip("the published documents are not at hand")
    return _SEEDS


@pytest.fixture(scope="session")
def manifest(seeds: Path) -> dict[str, list[dict[str, Any]]]:
    documents: dict[str, list[dict[str, Any]]] = json.loads((seeds / "manifest.json").read_text())["documents"]
    return documents


@pytest.fixture(scope="session")
def imported(seeds: Path, manifest: dict[str, list[dict[str, Any]]]) -> dict[str, Document]:
    return {name: read_document(seeds / name) for name in manifest}
