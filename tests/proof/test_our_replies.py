"""Code in labelled replies proves exactly the points that its labels say: what changed since that was proven is run."""

from __future__ import annotations

import pytest

from eval.labels import submitted_code, wrong_labels
from eval.proven import changed, proven, stamp_of_labels
from interviewer.bank.corpus import own_questions
from interviewer.models import Question, Standing
from interviewer.sandbox import Sandbox

pytestmark = pytest.mark.sandbox

SUBMITTED = submitted_code()
TASKS = [q for q in own_questions() if q.task]
CHANGED = changed(TASKS, proven().labels, lambda q: stamp_of_labels(q, SUBMITTED[q.id]))
ONE = next(q for q in TASKS if q.id == "stable-cross-entropy")


def test_every_task_has_replies_with_code() -> None:
    assert all(len(SUBMITTED[q.id]) >= 4 for q in TASKS)


@pytest.mark.parametrize("question", [ONE, *(q for q in CHANGED if q is not ONE)], ids=lambda q: q.id)
def test_submissions_in_labelled_replies_prove_what_their_labels_say(question: Question, sandbox: Sandbox) -> None:
    """One that is run in any case, and all that changed; ``.ci/prove`` runs all of them."""
    assert list(wrong_labels(question, SUBMITTED[question.id], sandbox)) == []


def test_a_wrong_label_is_told_with_its_case_and_point(sandbox: Sandbox) -> None:
    point = next(p for p in ONE.points if p.proven_by)
    case, code = next((c, k) for c, k in SUBMITTED[ONE.id] if c.points[point.id] is Standing.COVERED)
    relabelled = case.model_copy(update={"points": {**case.points, point.id: Standing.MISSING}})
    [told] = wrong_labels(ONE, [(relabelled, code)], sandbox)
    assert told.startswith(f"{case.id}: {point.id} is labelled missing")
