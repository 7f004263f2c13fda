"""The index over a real Chroma; texts are embedded by counting letters, which is enough to tell these apart."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from interviewer.bank.index import Index, Text
from interviewer.embedding import Matrix

TEXTS = [Text(f"t{i}", text, f"q{i}") for i, text in enumerate(["aaaa", "bbbb", "cccc", "aabb"])]


def by_letters(texts: Sequence[str]) -> Matrix:
    rows = np.array([[text.count(letter) + 0.01 for letter in "abcde"] for text in texts], dtype=np.float32)
    unit: Matrix = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return unit


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Index]:
    made = _index(tmp_path)
    yield made
    made.close()


def _index(folder: Path) -> Index:
    return Index(folder / "index", folder / "lock", "letters", by_letters)


def _files(folder: Path) -> list[Path]:
    return [f for f in (folder / "index").rglob("*") if f.is_file() and f.suffix in (".sqlite3", ".bin")]


def test_nearest_text_comes_first_with_its_cosine(index: Index) -> None:
    first, second, *_ = index.search("aaaaaaaa", 3, TEXTS)
    assert (first.question, second.question) == ("q0", "q3")
    assert first.score == pytest.approx(1.0, abs=1e-4)
    assert second.score == pytest.approx(0.707, abs=1e-2)


def test_no_texts_give_no_hits_and_no_files(index: Index, tmp_path: Path) -> None:
    assert index.search("a", 3, []) == []
    assert not (tmp_path / "index").exists()


def test_a_text_that_is_gone_is_not_found_and_a_new_one_is(index: Index) -> None:
    index.search("a", 1, TEXTS)
    changed = [*TEXTS[1:], Text("t9", "dddd", "q9")]
    assert {f.question for f in index.search("a", 9, changed)} == {"q1", "q2", "q3", "q9"}
    assert index.search("dd", 1, changed)[0].question == "q9"


def test_two_openers_of_one_folder_each_see_their_own_state(index: Index, tmp_path: Path) -> None:
    other = _index(tmp_path)
    index.search("a", 1, TEXTS)
    assert other.search("d", 1, [*TEXTS, Text("t9", "dddd", "q9")])[0].question == "q9"
    assert index.search("d", 9, TEXTS)[0].question != "q9"
    assert index.search("d", 1, [*TEXTS, Text("t9", "dddd", "q9")])[0].question == "q9"
    other.close()


@pytest.mark.parametrize("spoil", [lambda f: f.write_bytes(b"spoilt" * 100), Path.unlink])
def test_a_spoilt_index_is_built_anew_and_that_is_said(
    tmp_path: Path, spoil: object, caplog: pytest.LogCaptureFixture
) -> None:
    first = _index(tmp_path)
    first.search("a", 1, TEXTS)
    first.close()
    for file in _files(tmp_path):
        spoil(file)  # type: ignore[operator]
    later = _index(tmp_path)
    with caplog.at_level(logging.WARNING):
        assert later.search("bb", 1, TEXTS)[0].question == "q1"
    assert "built anew" in caplog.text
    later.close()


def test_a_half_built_index_is_not_used(tmp_path: Path) -> None:
    first = _index(tmp_path)
    first.search("a", 1, TEXTS)
    first.close()
    for mark in (tmp_path / "index").rglob("complete"):
        mark.unlink()
    later = _index(tmp_path)
    assert later.search("cc", 1, TEXTS)[0].question == "q2"
    later.close()


def test_folders_of_old_states_are_cleared_away(index: Index, tmp_path: Path) -> None:
    for count in range(1, 5):
        index.search("a", 1, TEXTS[:count])
    assert len(list((tmp_path / "index").glob("letters-*"))) == 2
