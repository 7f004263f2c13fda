"""Sets as JSON, and what no reader may do whatever it is given."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from eval.adapters import read_public
from eval.cases import Case, read_cases
from interviewer.errors import UsageError

SAF = [
    {
        "id": "a1",
        "question": "Why a checksum?",
        "reference_answer": "To notice changed bits.",
        "provided_answer": "bits flip",
        "answer_feedback": "Fine.",
        "verification_feedback": "Correct",
        "score": 2.0,
    },
    {
        "id": "a2",
        "question": "Why a checksum?",
        "reference_answer": "To notice changed bits.",
        "provided_answer": "speed",
        "answer_feedback": "No.",
        "verification_feedback": "Incorrect",
        "score": 0.0,
    },
]


@pytest.mark.parametrize("name", ["saf.json", "saf.jsonl", "folder/train.jsonl"])
def test_saf_is_read_as_an_array_and_as_lines(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    text = json.dumps(SAF) if name.endswith(".json") else "\n".join(map(json.dumps, SAF))
    path.write_text(text)
    first, second = read_cases([path.parent if "/" in name else path])
    assert (first.answer, first.score, first.max_score, first.label) == ("bits flip", 2.0, 2.0, "correct")
    assert (second.score, second.max_score, second.label, second.reference) == (0, 2.0, "incorrect", first.reference)


def test_a_share_and_the_raw_score_are_told_apart(tmp_path: Path) -> None:
    """``score`` 0.5 of 1 and ``raw_score`` 1 of ``max_score`` 2 are one statement; a score of 0.5 of 2 would be another."""
    path = tmp_path / "exam.jsonl"
    path.write_text(
        '{"question":"q","answer":"a","score":0.5,"raw_score":1,"max_score":2,"label3":"Partially correct"}\n'
    )
    [case] = read_cases([path])
    assert (case.score / case.max_score, case.label) == (0.5, "partially_correct")


def test_a_line_that_is_no_answer_is_named(tmp_path: Path) -> None:
    path = tmp_path / "saf.jsonl"
    path.write_text(json.dumps(SAF[0]) + "\n\n[1]\n")
    with pytest.raises(UsageError, match=r"saf\.jsonl:3: a graded answer is an object"):
        read_cases([path])


def test_a_folder_with_nothing_in_it_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no XML, CSV, TSV or JSON"):
        read_cases([tmp_path])


_KEYS = st.sampled_from([*SAF[0], "answer", "reference", "raw_score", "max_score", "label3", "id"])
_VALUES = st.one_of(
    st.none(), st.text(max_size=5), st.integers(), st.floats(), st.just(10**400), st.lists(st.integers(), max_size=2)
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=st.lists(st.dictionaries(_KEYS, _VALUES), min_size=1, max_size=3))
def test_whatever_the_objects_hold_they_are_cases_or_refused(tmp_path: Path, rows: list[object]) -> None:
    path = tmp_path / "any.json"
    path.write_text(json.dumps(rows))
    try:
        assert all(isinstance(case, Case) for case in read_public(path))
    except UsageError as error:
        assert str(path) in str(error)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    content=st.one_of(st.binary(max_size=200), st.text(alphabet='<>/?!"&;,\n\t[]{}:aé0', max_size=80).map(str.encode)),
    ending=st.sampled_from(["xml", "csv", "tsv", "json", "jsonl"]),
)
def test_whatever_the_bytes_they_are_cases_or_refused(tmp_path: Path, content: bytes, ending: str) -> None:
    path = tmp_path / f"any.{ending}"
    path.write_bytes(content)
    try:
        assert all(isinstance(case, Case) for case in read_public(path))
    except UsageError as error:
        assert str(path) in str(error)
