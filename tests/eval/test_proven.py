from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import eval.proven
import interviewer.sandbox
from eval.labels import submitted_code
from eval.proven import Proven, changed, keep, proven, stamp_of_labels, stamp_of_question
from interviewer.bank.corpus import own_questions
from interviewer.models import Question, Standing

SUBMITTED = submitted_code()
ONE = next(q for q in own_questions() if q.id == "stable-cross-entropy")


def with_task(question: Question, **changes: object) -> Question:
    assert question.task
    return question.model_copy(update={"task": question.task.model_copy(update=changes)})


@pytest.mark.parametrize("what", ["code", "label", "checks"])
def test_labels_of_what_changed_have_another_stamp(what: str) -> None:
    assert ONE.task
    case, code = SUBMITTED[ONE.id][0]
    point = next(p for p in ONE.points if p.proven_by)
    other = Standing.MISSING if case.points[point.id] is Standing.COVERED else Standing.COVERED
    relabelled = case.model_copy(update={"points": {**case.points, point.id: other}})
    retold = with_task(ONE, judge=ONE.task.judge + "\n")
    question, submitted = {
        "code": (ONE, [(case, code + "\n")]),
        "label": (ONE, [(relabelled, code)]),
        "checks": (retold, [(case, code)]),
    }[what]
    assert stamp_of_labels(question, submitted) != stamp_of_labels(ONE, [(case, code)])


@pytest.mark.parametrize("what", ["judge", "solution", "submissions", "starter"])
def test_a_question_whose_code_changed_has_another_stamp(what: str) -> None:
    assert ONE.task
    submissions = ONE.task.submissions[1:]
    other = with_task(ONE, **{what: submissions if what == "submissions" else getattr(ONE.task, what) + "\n"})
    assert stamp_of_question(other) != stamp_of_question(ONE)
    assert changed([ONE, other], {ONE.id: stamp_of_question(ONE)}, stamp_of_question) == [other]


@pytest.mark.parametrize("file", ["judge.py", "inside/runner.py"])
def test_another_sandbox_leaves_no_question_proven(file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = stamp_of_question(ONE)
    # a folder above that is called like one that is left out
    same, other = (tmp_path / "ray" / name for name in ("same", "other"))
    for room in (same, other):
        shutil.copytree(Path(interviewer.sandbox.__file__).parent, room)
    (other / file).write_text("")
    monkeypatch.setattr(interviewer.sandbox, "__file__", str(same / "__init__.py"))
    assert stamp_of_question(ONE) == before
    monkeypatch.setattr(interviewer.sandbox, "__file__", str(other / "__init__.py"))
    assert stamp_of_question(ONE) != before


def test_what_is_kept_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(eval.proven, "PROVEN", tmp_path / "proven.json")
    assert proven() == Proven()
    keep(Proven(questions={"a": "1"}, labels={"b": "2"}))
    assert proven() == Proven(questions={"a": "1"}, labels={"b": "2"})
