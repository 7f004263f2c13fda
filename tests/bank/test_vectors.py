from __future__ import annotations

import logging
from pathlib import Path

import numpy as np
import pytest

from interviewer.bank.corpus import bundled_corpus, own_questions
from interviewer.bank.library import own_texts
from interviewer.bank.vectors import SHIPPED, Vectors
from interviewer.embedding import Embedder

pytestmark = pytest.mark.models

TEXTS = ["What is a tensor?", "What is a module?", "What is a tensor?"]


def test_kept_vectors_are_the_embedder_s(tmp_path: Path, embedder: Embedder) -> None:
    path = tmp_path / "vectors.sqlite3"
    fresh = Vectors(path, embedder).encode(TEXTS)
    np.testing.assert_array_equal(fresh, embedder.encode(TEXTS))
    np.testing.assert_array_equal(Vectors(path, embedder).encode(TEXTS), fresh)


def test_a_text_that_was_embedded_once_needs_no_model_again(tmp_path: Path, embedder: Embedder) -> None:
    path = tmp_path / "vectors.sqlite3"
    Vectors(path, embedder).encode(TEXTS)
    cold = Embedder()
    Vectors(path, cold).encode(TEXTS)
    assert not cold.loaded


def test_a_damaged_file_costs_time_and_nothing_else(
    tmp_path: Path, embedder: Embedder, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "vectors.sqlite3"
    path.write_bytes(b"not a database" * 200)
    with caplog.at_level(logging.WARNING):
        found = Vectors(path, embedder).encode(TEXTS)
    np.testing.assert_array_equal(found, embedder.encode(TEXTS))
    assert "made anew" in caplog.text
    cold = Embedder()
    Vectors(path, cold).encode(TEXTS)
    assert not cold.loaded


def test_shipped_vectors_are_used_and_never_written(tmp_path: Path, embedder: Embedder) -> None:
    shipped = tmp_path / "shipped.sqlite3"
    Vectors(shipped, embedder).encode(TEXTS)
    before, cold = shipped.read_bytes(), Embedder()
    found = Vectors(tmp_path / "kept.sqlite3", cold, shipped).encode(TEXTS)
    np.testing.assert_array_equal(found, embedder.encode(TEXTS))
    assert not cold.loaded
    Vectors(tmp_path / "kept.sqlite3", embedder, shipped).encode(["Something else."])
    assert shipped.read_bytes() == before


def test_the_bank_s_own_texts_are_shipped(tmp_path: Path) -> None:
    cold = Embedder()
    Vectors(tmp_path / "kept.sqlite3", cold, bundled_corpus() / SHIPPED).encode(own_texts(own_questions()))
    assert not cold.loaded, "run .ci/vectors: questions or answers have changed since it was run last"
