"""SemEval-2013 Task 7 and Short Answer Feedback, one question a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from eval.adapters import read_public
from eval.cases import read_cases
from interviewer.errors import UsageError

SEMEVAL = """<?xml version="1.0" encoding="UTF-8"?>
<question id="LAMP_1" module="Switches" qtype="Q_EXPLAIN" stype="PREDICT">
  <questionText>Why does the lamp stay dark?</questionText>
  <referenceAnswers>
    <referenceAnswer category="GOOD" id="answer2">No current can flow.</referenceAnswer>
    <referenceAnswer category="BEST" id="answer1">The open switch leaves a gap in the path &amp; no current flows.</referenceAnswer>
  </referenceAnswers>
  <studentAnswers>
    <studentAnswer count="1" match="answer1" id="s1" accuracy="correct">there is a gap</studentAnswer>
    <studentAnswer id="s2" accuracy="partially_correct_incomplete">the switch</studentAnswer>
    <studentAnswer id="s3" accuracy="contradictory">the switch is closed</studentAnswer>
    <studentAnswer id="s4" accuracy="non_domain">help me please</studentAnswer>
  </studentAnswers>
</question>
"""

SAF = """<?xml version='1.0' encoding='utf-8'?>
<question id="7.1" module="XY">
  <questionText>Name two reasons for a checksum.</questionText>
  <referenceAnswers><referenceAnswer id="r">Noise on the line, and faults in memory.</referenceAnswer></referenceAnswers>
  <studentAnswers>
    <studentAnswer id="XY.1"><response> Noise
and memory. </response><response_feedback>Good.</response_feedback><score>{score}</score>
      <verification_feedback>Correct</verification_feedback></studentAnswer>
    <studentAnswer><response>Noise.</response><response_feedback>One more.</response_feedback><score>0.5</score>
      <verification_feedback>Partially correct</verification_feedback></studentAnswer>
  </studentAnswers>
</question>
"""

BOMB = """<?xml version="1.0"?>
<!DOCTYPE question [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>
<question id="x"><questionText>&b;</questionText></question>
"""

OUTSIDE = """<?xml version="1.0"?>
<!DOCTYPE question [<!ENTITY secret SYSTEM "file:///etc/passwd">]>
<question id="x"><questionText>&secret;</questionText></question>
"""


def written(folder: Path, text: str, name: str = "question.xml") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_semeval_gives_classes_and_the_best_reference(tmp_path: Path) -> None:
    cases = read_public(written(tmp_path, SEMEVAL))
    assert [(c.id, c.label, c.score) for c in cases] == [
        ("s1", "correct", 1.0),
        ("s2", "partially_correct_incomplete", 0.5),
        ("s3", "contradictory", 0.0),
        ("s4", "non_domain", 0.0),
    ]
    assert {c.reference for c in cases} == {"The open switch leaves a gap in the path & no current flows."}
    assert {(c.question, c.question_id) for c in cases} == {("Why does the lamp stay dark?", "LAMP_1")}
    assert cases[0].answer == "there is a gap"


@pytest.mark.parametrize(("score", "most"), [("1", 1.0), ("3.0", 3.0)])
def test_the_full_score_of_a_saf_question_is_that_of_its_correct_answers(
    tmp_path: Path, score: str, most: float
) -> None:
    first, second = read_public(written(tmp_path, SAF.format(score=score)))
    assert (first.score, first.max_score, first.label, first.answer) == (most, most, "correct", "Noise\nand memory.")
    assert (second.score, second.max_score, second.label, second.id) == (0.5, most, "partially_correct", "")


@pytest.mark.parametrize("text", [BOMB, OUTSIDE])
def test_a_declared_entity_is_refused_before_it_is_expanded(tmp_path: Path, text: str) -> None:
    with pytest.raises(UsageError, match=r"question\.xml:2: it declares an entity"):
        read_public(written(tmp_path, text))


def test_elements_in_elements_without_end_are_no_crash(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="root"):
        read_public(written(tmp_path, "<a>" * 100_000 + "</a>" * 100_000))


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ('accuracy="contradictory"', 'accuracy="maybe"', ":11: accuracy is none of"),
        ("</question>", "", ":15: this is no XML"),
        ("<question ", "<quiz ", "this is no XML"),
        ("Why does the lamp stay dark?", "", ":2: the question has no question text"),
    ],
)
def test_a_bad_file_is_refused_whole_with_its_place(tmp_path: Path, old: str, new: str, place: str) -> None:
    path = written(tmp_path, SEMEVAL.replace(old, new))
    with pytest.raises(UsageError) as caught:
        read_public(path)
    assert f"{path}" in str(caught.value) and place in str(caught.value)


def test_a_saf_score_that_is_no_number_is_named_by_its_line(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"question\.xml:6: score is no number: 'much'"):
        read_public(written(tmp_path, SAF.format(score="much")))


def test_a_folder_of_questions_is_read_in_order_and_through_the_door_of_all_cases(tmp_path: Path) -> None:
    written(tmp_path, SEMEVAL, "Core/b.xml")
    written(tmp_path, SAF.format(score="1"), "Core/a.xml")
    assert [c.question_id for c in read_cases([tmp_path])] == ["7.1", "7.1", *["LAMP_1"] * 4]


def test_the_same_answers_in_two_forms_are_refused(tmp_path: Path) -> None:
    written(tmp_path, SEMEVAL, "3way/a.xml")
    written(tmp_path, SEMEVAL, "5way/a.xml")
    with pytest.raises(UsageError, match=r"s1 stands in .*3way"):
        read_public(tmp_path)
