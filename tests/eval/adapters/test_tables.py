"""Mohler's answers and the neural-networks exam, as tables and as the folder they were published as."""

from __future__ import annotations

from pathlib import Path

import pytest

from eval.adapters import read_public
from eval.cases import read_cases
from interviewer.errors import UsageError

MOHLER = """,id,question,desired_answer,student_answer,score_me,score_other,score_avg
0,1.1,What is a queue?,"First in, first out.","a list, where
the first goes first",4,5,4.5
1,12.3,What is a tree?,Nodes without a cycle.,#NAME?,9,7,4
"""


def test_two_raters_stand_beside_each_other_on_the_scale_of_their_mean(tmp_path: Path) -> None:
    path = tmp_path / "mohler.csv"
    path.write_text(MOHLER)
    first, second = read_cases([path])
    assert (first.score, first.second, first.max_score, first.question_id) == (4.0, 5.0, 5.0, "1.1")
    assert first.answer == "a list, where\nthe first goes first" and first.reference == "First in, first out."
    assert (second.score, second.second) == (4.5, 3.5)


def test_the_mean_alone_will_do(tmp_path: Path) -> None:
    path = tmp_path / "mohler.tsv"
    path.write_text("question\tdesired_answer\tstudent_answer\tscore_avg\nWhat?\tThis.\tthat\t2.5\n")
    [case] = read_public(path)
    assert (case.score, case.second, case.max_score) == (2.5, None, 5.0)


def test_the_exam_is_of_two_and_its_features_are_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "asag_dataset.csv"
    features = '"[' + "0.1 " * 50_000 + ']"'
    path.write_text(
        "question,student_answer,grades_round,ref_answer,embed_ref,question_id\n"
        f"What is a neuron?,it adds,1,It adds and squashes.,{features},4\n"
    )
    [case] = read_public(path)
    assert (case.score, case.max_score, case.question_id, case.reference) == (1.0, 2.0, "4", "It adds and squashes.")


def test_old_tables_in_latin_1_are_read(tmp_path: Path) -> None:
    path = tmp_path / "mohler.csv"
    path.write_bytes(MOHLER.replace("#NAME?", "na\xefve").encode("latin-1"))
    assert read_public(path)[1].answer == "na\xefve"


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ("desired_answer", "wanted", r"mohler\.csv:1: its columns"),
        (",4,5,4.5", ",4,five,4.5", r"mohler\.csv:3: score_other is no number: 'five'"),
        (",9,7,4", ",9", r"mohler\.csv:4: the row ends"),
        (",4,5,4.5", ",8,5,6.5", r"mohler\.csv:3: .*over the max_score"),
        (",4,5,4.5", ",nan,5,4.5", r"mohler\.csv:3: score"),
    ],
)
def test_a_bad_table_is_refused_whole_with_its_place(tmp_path: Path, old: str, new: str, place: str) -> None:
    path = tmp_path / "mohler.csv"
    path.write_text(MOHLER.replace(old, new))
    with pytest.raises(UsageError, match=place):
        read_public(path)


@pytest.fixture
def mohler(tmp_path: Path) -> Path:
    """The published folder, with one question that wasn't used and one of the exam."""
    files = {
        "raw/questions": "1.1 What is a queue?\n1.2 Sort these.\n12.1 What is a tree?\n",
        "raw/answers": "1.1 First in,<br>first out.\n1.2 x\n12.1 Nodes without a cycle.\n",
        "raw/1.1": "1.1 a list<br/>in order\n1.1 a stack\n",
        "raw/1.2": "1.2 b a\n",
        "raw/12.1": "12.1 nodes \n",
        "scores/1.1/me": "4\n0\n",
        "scores/1.1/other": "5\n1\n",
        "scores/1.1/ave": "4.5\n0.5\n",
        "scores/12.1/me": "10\n",
        "scores/12.1/other": "8\n",
        "scores/12.1/ave": "4.5\n",
        "docs/files": "1.1\n#1.2\n12.1\n",
    }
    for name, text in files.items():
        path = tmp_path / "ShortAnswerGrading_v2.0" / "data" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def test_the_folder_is_read_line_by_line_without_what_was_not_used(mohler: Path) -> None:
    cases = read_cases([mohler])
    assert [(c.question_id, c.answer, c.score, c.second) for c in cases] == [
        ("1.1", "a list in order", 4.0, 5.0),
        ("1.1", "a stack", 0.0, 1.0),
        ("12.1", "nodes", 5.0, 4.0),
    ]
    assert cases[0].reference == "First in, first out."
    for inside in ("ShortAnswerGrading_v2.0", "ShortAnswerGrading_v2.0/data"):
        assert read_public(mohler / inside) == cases


def test_scores_that_are_not_one_for_each_answer_are_refused(mohler: Path) -> None:
    (mohler / "ShortAnswerGrading_v2.0/data/scores/1.1/other").write_text("5\n")
    with pytest.raises(UsageError, match=r"other: there are 1 scores for 2 answers"):
        read_public(mohler)
