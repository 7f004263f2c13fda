"""Code in labelled replies proves exactly the points that its labels say."""

from __future__ import annotations

import pytest

from eval.cases import our_cases
from interviewer.bank.corpus import bundled_corpus, read_corpus
from interviewer.interview.listen import code_of
from interviewer.models import Question, Standing
from interviewer.sandbox import Sandbox

pytestmark = pytest.mark.sandbox

WITH_CODE = [(case, code) for case in our_cases() if (code := code_of(case.answer))]


@pytest.mark.parametrize("question", [q for q in read_corpus(bundled_corpus()) if q.task], ids=lambda q: q.id)
def test_submissions_in_labelled_replies_prove_what_their_labels_say(question: Question, sandbox: Sandbox) -> None:
    assert question.task
    submitted = [(case, code) for case, code in WITH_CODE if case.question_id == question.id]
    assert len(submitted) >= 4
    for case, code in submitted:
        run = sandbox.judge(question.task, code)
        for point in (p for p in question.points if p.proven_by):
            assert run.proves(point.proven_by) is (case.points[point.id] is Standing.COVERED), (case.id, point.id, run)
