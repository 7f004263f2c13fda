from __future__ import annotations

from pathlib import Path

import pytest

from eval.cases import read_cases
from interviewer.errors import UsageError


def test_every_line_that_is_no_case_is_named(tmp_path: Path) -> None:
    file = tmp_path / "cases.jsonl"
    file.write_text('{"question":"q","answer":"a","score":1}\n{"question":"q"}\n\nnot json\n')
    with pytest.raises(UsageError) as caught:
        read_cases([file])
    assert ":2:" in str(caught.value) and ":4:" in str(caught.value) and ":1:" not in str(caught.value)


def test_fields_of_others_are_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "cases.jsonl"
    file.write_text('{"question":"q","answer":"a","score":1,"max_score":2,"raw_score":7,"split":"x"}\n')
    [case] = read_cases([file])
    assert (case.score, case.max_score) == (1, 2)


def test_a_folder_stands_for_the_files_in_it(tmp_path: Path) -> None:
    for name in ("b", "a"):
        (tmp_path / f"{name}.jsonl").write_text(f'{{"question":"{name}","answer":"a","score":1}}\n')
    assert [case.question for case in read_cases([tmp_path])] == ["a", "b"]


def test_no_case_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_text("\n")
    with pytest.raises(UsageError, match="no case"):
        read_cases([tmp_path / "empty.jsonl"])
