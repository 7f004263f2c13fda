"""The question files: mistakes are named, and what the bundled ones claim by code is so."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
import yaml
from markdown_it import MarkdownIt

from eval.cases import PARTS, our_cases
from interviewer.bank.corpus import bundled_corpus, own_questions, read_corpus
from interviewer.bank.rules import broken_rules
from interviewer.bank.schema import question_schema
from interviewer.embedding import Embedder
from interviewer.errors import BankError
from interviewer.models import CheckKind, Kind, Level, Misconception, Question, Topic

QUESTIONS = own_questions()
TASKS = [q for q in QUESTIONS if q.task]
CASES = our_cases()
DOCS = Path(__file__).parents[2] / "docs"
SEEDS = Path(__file__).resolve().parents[3] / "shared" / "seeds"

GOOD = (DOCS / "bank.md").read_text().split("`````markdown\n")[1].split("\n`````")[0]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "grad-accumulation.md").write_text(GOOD)
    return tmp_path


def mistakes(folder: Path) -> list[str]:
    with pytest.raises(BankError) as caught:
        read_corpus(folder)
    return [str(m).removeprefix(f"{folder}/") for m in caught.value.mistakes]


def line_of(text: str) -> int:
    return next(n for n, line in enumerate(GOOD.splitlines(), 1) if text in line)


def test_the_example_in_the_documentation_is_a_question(folder: Path) -> None:
    [question] = read_corpus(folder)
    assert question.id == "grad-accumulation"


@pytest.mark.parametrize(
    ("old", "new", "where", "what"),
    [
        ("topic: autograd ", "topic: cooking ", "topic: autograd", "topic: Input should be"),
        ("weight: 3 ", "weight: 9 ", "weight: 3", "points.0.weight"),
        ("contradicts: [accumulates]", "contradicts: [nothing]", "id: grad-accumulation", "unknown points: nothing"),
        ("minutes: 4", "minutes: 4\nminutes: 5", "points:", "minutes stands twice"),
        ("minutes: 4", "minute: 4", "minutes: 4", "minute: Extra inputs"),
        ("## Answer", "## Anwser", "## Answer", "unknown section"),
        ("id: grad-accumulation ", "id: other ", "id: grad-accumulation", "must be named so"),
        ("prerequisites: []", "prerequisites: [nope]", "---", "no question 'nope'"),
        ("## In depth", "## Judge", "## In depth", "one fenced python block"),
    ],
)
def test_a_mistake_is_reported_with_file_and_line(folder: Path, old: str, new: str, where: str, what: str) -> None:
    assert old in GOOD
    (folder / "grad-accumulation.md").write_text(GOOD.replace(old, new, 1))
    found = mistakes(folder)
    assert any(m.startswith(f"grad-accumulation.md:{line_of(where)}:") and what in m for m in found), found


def test_all_mistakes_of_all_files_are_reported_at_once(folder: Path) -> None:
    (folder / "a.md").write_text("no front matter")
    (folder / "b.md").write_text("---\nid: [\n---\n")
    (folder / "c.md").write_bytes(b"---\n\xff\xfe\n---\n")
    (folder / "d.md").write_text(
        GOOD.replace("level: junior ", "level: boss ").replace("kind: explain ", "kind: sing ")
    )
    names = [m.split(":")[0] for m in mistakes(folder)]
    assert names.count("d.md") >= 2
    assert {"a.md", "b.md", "c.md", "d.md"} <= set(names)


def test_an_empty_folder_is_no_bank(tmp_path: Path) -> None:
    assert "no question file" in mistakes(tmp_path)[0]


def test_the_documented_schema_is_the_one_in_force() -> None:
    assert json.loads((DOCS / "question.schema.json").read_text()) == question_schema()


def test_the_bank_is_as_large_and_as_wide_as_it_says() -> None:
    assert len(QUESTIONS) >= 150 and len(TASKS) >= 60
    assert {q.topic for q in QUESTIONS} == set(Topic)
    assert {q.level for q in QUESTIONS} == set(Level)
    assert {q.kind for q in QUESTIONS} == set(Kind) - {Kind.CHOICE}
    assert sum(q.kind is Kind.DEBUG for q in TASKS) >= 12
    assert sum(q.kind in (Kind.FASTER, Kind.FIT) for q in TASKS) >= 12


@pytest.mark.models
def test_every_question_keeps_the_rules_of_the_bank(embedder: Embedder) -> None:
    assert list(broken_rules(QUESTIONS, embedder.encode)) == []


def test_most_questions_can_prove_something_by_running() -> None:
    spoken = [q for q in QUESTIONS if not q.task]
    assert sum(bool(q.experiments) for q in spoken) >= 0.8 * len(spoken)


def test_every_question_of_the_documents_is_covered() -> None:
    covered = yaml.safe_load((bundled_corpus() / "coverage.yaml").read_text())
    assert sum(len(rows) for rows in covered.values()) == 147
    named = {name for rows in covered.values() for row in rows for name in row}
    assert named <= {q.id for q in QUESTIONS}
    assert all(row for rows in covered.values() for row in rows)


@pytest.mark.skipif(not SEEDS.is_dir(), reason="the published documents are not here")
def test_coverage_is_in_step_with_the_documents() -> None:
    covered = yaml.safe_load((bundled_corpus() / "coverage.yaml").read_text())
    manifest = json.loads((SEEDS / "manifest.json").read_text())["documents"]
    assert {name: len(rows) for name, rows in covered.items()} == {name: len(rows) for name, rows in manifest.items()}


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: q.id)
def test_what_is_shown_keeps_its_underscores_as_markdown(question: Question) -> None:
    shown = [question.question, *question.hints, *(m.correction for m in question.misconceptions)]
    shown += [text for p in question.points for text in (p.claim, p.follow_up)]
    assert not any("<strong>" in MarkdownIt().render(text) or "<em>" in MarkdownIt().render(text) for text in shown)


def test_the_tasks_have_checks_of_every_kind() -> None:
    kinds = {check.kind for q in TASKS if q.task for check in q.task.checks}
    assert len(TASKS) >= 12 and kinds == set(CheckKind)


def test_every_question_has_replies_in_one_part_alone() -> None:
    places: dict[str, set[str]] = {}
    for part in PARTS:
        for case in our_cases(part):
            places.setdefault(case.question_id, set()).add(part)
    assert set(places) == {q.id for q in QUESTIONS}
    assert all(len(parts) == 1 for parts in places.values())
    counted = Counter(case.question_id for case in CASES)
    assert all(counted[q.id] >= 8 for q in QUESTIONS), counted
    assert len({part for parts in places.values() for part in parts}) == len(PARTS)


def test_labelled_replies_name_real_questions_points_and_misconceptions() -> None:
    by_id = {q.id: q for q in QUESTIONS}
    for case in CASES:
        question = by_id[case.question_id]
        assert case.question == question.question, case.id
        assert set(case.points) == {p.id for p in question.points}, case.id
        assert set(case.misconceptions) <= {m.id for m in question.misconceptions}, case.id
        assert 0 <= case.score <= case.max_score


def test_misconceptions_are_not_claims() -> None:
    wrong: list[Misconception] = [m for q in QUESTIONS for m in q.misconceptions]
    assert not {m.claim for m in wrong} & {p.claim for q in QUESTIONS for p in q.points}
