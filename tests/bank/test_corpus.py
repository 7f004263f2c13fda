"""The question files: mistakes are named, and what the bundled ones claim by code is so."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from eval.cases import our_cases
from interviewer.bank.corpus import bundled_corpus, read_corpus
from interviewer.bank.schema import question_schema
from interviewer.errors import BankError
from interviewer.interview.listen import code_of
from interviewer.models import CheckKind, Level, Misconception, Outcome, Question, Standing, Topic
from interviewer.sandbox import Sandbox
from interviewer.settings import Settings

QUESTIONS = read_corpus(bundled_corpus())
TASKS = [q for q in QUESTIONS if q.task]
CASES = our_cases()
DOCS = Path(__file__).parents[2] / "docs"

GOOD = (DOCS / "bank.md").read_text().split("```markdown\n")[1].split("\n```")[0]


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


def test_the_bank_covers_every_topic_and_level() -> None:
    assert len(QUESTIONS) >= 24
    assert {q.topic for q in QUESTIONS} == set(Topic)
    assert {q.level for q in QUESTIONS} == set(Level)


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: q.id)
def test_a_question_is_complete(question: Question) -> None:
    assert 3 <= len(question.points) <= 7
    assert all(p.also for p in question.points if not p.proven_by)
    assert all(p.follow_up_answer for p in question.points)
    assert len(question.misconceptions) >= 2
    assert len(question.hints) >= 2
    assert question.sources


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: q.id)
def test_follow_ups_and_hints_do_not_recite_a_claim(question: Question) -> None:
    claims = [p.claim for p in question.points]
    for text in [*(p.follow_up for p in question.points), *question.hints]:
        assert not any(_run_of_words(text, claim) >= 7 for claim in claims), text


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: q.id)
def test_what_is_shown_keeps_its_underscores_as_markdown(question: Question) -> None:
    shown = [question.question, *question.hints, *(m.correction for m in question.misconceptions)]
    shown += [text for p in question.points for text in (p.claim, p.follow_up)]
    assert not any("<strong>" in MarkdownIt().render(text) or "<em>" in MarkdownIt().render(text) for text in shown)


def test_every_python_block_of_every_answer_runs() -> None:
    blocks = [
        (f"{q.id}, block {n}", token.content)
        for q in QUESTIONS
        for n, token in enumerate(
            (t for r in q.references for t in MarkdownIt().parse(r.text) if t.type == "fence" and t.info == "python"), 1
        )
    ]
    assert len(blocks) >= len(QUESTIONS) // 2
    script = Path(__file__).with_name("run_blocks.py")
    done = subprocess.run(
        [sys.executable, str(script)], input=json.dumps(blocks), capture_output=True, text=True, timeout=280
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def sandbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sandbox]:
    with closing(Sandbox(Settings(home=tmp_path_factory.mktemp("home")))) as found:
        yield found


@pytest.mark.sandbox
@pytest.mark.parametrize("question", TASKS, ids=lambda q: q.id)
def test_a_task_has_another_right_submission_and_three_wrong_ones(question: Question) -> None:
    assert question.task
    right = [each for each in question.task.submissions if each.right]
    wrong = [each for each in question.task.submissions if not each.right]
    assert len(right) >= 1 and len(wrong) >= 3
    assert all(each.says for each in wrong)


def test_the_tasks_have_checks_of_every_kind() -> None:
    kinds = {check.kind for q in TASKS if q.task for check in q.task.checks}
    assert len(TASKS) >= 12 and kinds == set(CheckKind)


@pytest.mark.parametrize("question", TASKS, ids=lambda q: q.id)
def test_the_solution_passes_and_the_starter_does_not(question: Question, sandbox: Sandbox) -> None:
    assert question.task
    right = sandbox.judge(question.task, question.task.solution)
    assert right.outcome is Outcome.PASSED, right
    assert sandbox.judge(question.task, question.task.starter).outcome is Outcome.FAILED


@pytest.mark.sandbox
@pytest.mark.parametrize("question", TASKS, ids=lambda q: q.id)
def test_submissions_become_what_their_file_says(question: Question, sandbox: Sandbox) -> None:
    task = question.task
    assert task
    for submission in task.submissions:
        run = sandbox.judge(task, submission.code)
        failed = tuple(check.name for check in run.checks if not check.passed)
        if submission.ends:
            assert run.outcome is submission.ends, (submission.name, run)
        else:
            assert set(failed) == set(submission.fails), (submission.name, run)
            assert run.outcome is (Outcome.PASSED if submission.right else Outcome.FAILED), (submission.name, run)


@pytest.mark.sandbox
@pytest.mark.parametrize("question", TASKS, ids=lambda q: q.id)
def test_submissions_in_labelled_replies_prove_exactly_what_their_labels_say(
    question: Question, sandbox: Sandbox
) -> None:
    assert question.task
    submitted = [(c, code_of(c.answer)) for c in CASES if c.question_id == question.id and code_of(c.answer)]
    assert len(submitted) >= 4
    for case, code in submitted:
        run = sandbox.judge(question.task, code)
        for point in (p for p in question.points if p.proven_by):
            assert run.proves(point.proven_by) is (case.points[point.id] is Standing.COVERED), (case.id, point.id, run)


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


def _run_of_words(one: str, other: str) -> int:
    """The longest run of words that two texts share."""
    a, b = one.lower().split(), other.lower().split()
    best = 0
    for i in range(len(a)):
        while any(b[j : j + best + 1] == a[i : i + best + 1] for j in range(len(b) - best)) and i + best < len(a):
            best += 1
    return best
