"""The published documents: every question, every sentence of every answer, nothing of the page around them."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from interviewer.bank.documents import Document, DocumentQuestion, read_document

Manifest = dict[str, list[dict[str, Any]]]
Imported = dict[str, Document]

_sentence_end = re.compile(r"(?<=[.!?:])\s+|\n")
_answer_label = re.compile(r"-\s*Answer:")
_next_number = re.compile(r"(?:#+\s*Question\s*)?\d+[.:]\s*(?:\*\*)?$")
_around_quick_checks = re.compile(r"^(?:### Quick Check|</?details>|<summary>.*|\*\*Type:.*)$", re.MULTILINE)


def letters(text: str) -> str:
    return "".join(c for c in text.lower() if c.isalnum())


def all_of(question: DocumentQuestion) -> str:
    choice = question.choice
    quick = [choice.question, *choice.options, choice.explanation] if choice else []
    return "\n".join([question.question, question.answer, *quick])


def page_end(name: str, text: str) -> int:
    """Where the last answer is over: at a closing title, or at the last but one horizontal rule."""
    if name.startswith("003"):
        return text.index("\nConclusion\n")
    if name.startswith("004"):
        return text[: text.rindex("\n---\n")].rindex("\n---\n")
    return len(text)


def regions(name: str, text: str, questions: list[dict[str, Any]]) -> list[str]:
    """The source of each question with its answer, found by the letters of the questions alone."""
    places = [i for i, c in enumerate(text) if c.isalnum()]
    flat = letters(text)
    starts: list[int] = []
    at = 0
    for question in questions:
        at = flat.index(letters(question["question"]), at)
        starts.append(places[at])
        at += 1
    return [_next_number.sub("", text[a:b].rstrip()) for a, b in pairwise([*starts, page_end(name, text)])]


def sentences(text: str) -> list[str]:
    return [s for part in _answer_label.split(text) for s in _sentence_end.split(part) if letters(s)]


def test_every_question_of_the_manifest_comes_out_in_its_order(imported: Imported, manifest: Manifest) -> None:
    for name, expected in manifest.items():
        found = imported[name].questions
        assert [letters(q.question) for q in found] == [letters(q["question"]) for q in expected], name
        assert [q.section for q in found] == [q["section"] for q in expected], name
        assert [q.number for q in found] == [q.get("number") for q in expected], name
        assert [q.label for q in found] == [q.get("type") for q in expected], name


def test_every_quick_check_has_its_question_options_and_right_letter(imported: Imported, manifest: Manifest) -> None:
    checked = 0
    for name, expected in manifest.items():
        for question, given in zip(imported[name].questions, expected, strict=True):
            quick = given.get("quick_check")
            assert (question.choice is None) == (quick is None), question.question
            if question.choice and quick:
                assert letters(question.choice.question) == letters(quick["question"])
                assert len(question.choice.options) == quick["options"]
                assert question.choice.correct == quick["correct"]
                assert len(question.choice.explanation.split()) > 10
                checked += 1
    assert checked == sum("quick_check" in q for questions in manifest.values() for q in questions) > 0


def test_every_sentence_and_code_line_of_an_answer_is_kept_with_its_question(
    imported: Imported, manifest: Manifest, seeds: Path
) -> None:
    lost: list[str] = []
    sections = {letters(q["section"]) for questions in manifest.values() for q in questions if q["section"]}
    for name, expected in manifest.items():
        text = (seeds / name).read_text(encoding="utf-8")
        for question, region in zip(imported[name].questions, regions(name, text, expected), strict=True):
            kept = letters(all_of(question))
            region = _around_quick_checks.sub("", region)
            lost += [s for s in sentences(region) if letters(s) not in kept and letters(s) not in sections]
    assert lost == []


def test_nothing_of_the_page_around_the_questions_is_in_an_answer(
    imported: Imported, manifest: Manifest, seeds: Path
) -> None:
    checked = 0
    for name, expected in manifest.items():
        text = (seeds / name).read_text(encoding="utf-8")
        begin = text.index(regions(name, text, expected)[0][:20])
        page = text[:begin] + text[page_end(name, text) :]
        answers = letters(" ".join(q.answer + str(q.choice or "") for q in imported[name].questions))
        around = [s for s in sentences(page) if len(s.split()) > 5 and "|" not in s]
        checked += len(around)
        assert [s for s in around if letters(s) in answers] == [], name
    assert checked > 20


def test_lost_indentation_is_told_where_the_page_dropped_it_and_nowhere_else(imported: Imported) -> None:
    lost = {name: [q.number for q in document.questions if q.indentation_lost] for name, document in imported.items()}
    assert [numbers for numbers in lost.values() if numbers] == [[8, 9, 11, 18, 20, 25, 33, 35, 39, 43, 47, 49]]


def test_no_answer_mixes_prose_into_its_code(imported: Imported) -> None:
    for document in imported.values():
        for question in document.questions:
            for code in re.findall(r"^```python\n(.*?)^```", question.answer, re.MULTILINE | re.DOTALL):
                for line in code.splitlines():
                    words = line.split("#")[0].split('"')[0].split()
                    assert sum(word.strip(",.").isalpha() for word in words) < 8, line


@pytest.mark.parametrize(
    ("glued", "repaired"),
    [
        ("torch.Tensorcan", "torch.Tensor` can"),
        ("autogradin", "autograd in"),
        ("model.train()and", "model.train()` and"),
        ("NaNvalues", "NaN` values"),
        ("forward()method", "forward()` method"),
    ],
)
def test_words_glued_by_the_scraper_are_taken_apart(imported: Imported, seeds: Path, glued: str, repaired: str) -> None:
    name = next(name for name in imported if glued in (seeds / name).read_text(encoding="utf-8"))
    shown = "\n".join(all_of(question) for question in imported[name].questions)
    assert repaired in shown


def test_the_same_bytes_with_other_line_ends_and_a_byte_order_mark_read_the_same(
    imported: Imported, seeds: Path, tmp_path: Path
) -> None:
    for name, document in imported.items():
        copy = tmp_path / name
        copy.write_bytes(b"\xef\xbb\xbf" + (seeds / name).read_bytes().replace(b"\n", b"\r\n"))
        assert read_document(copy).questions == document.questions
