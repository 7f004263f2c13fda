"""What the bank's coding questions say about code is so: blocks, experiments, solutions, right and wrong submissions.

One question with each kind of check is run in any case, and all that changed since they were proven; ``.ci/prove`` runs all.
"""

from __future__ import annotations

import pytest

from eval.proven import changed, proven, stamp_of_question
from interviewer.bank.corpus import own_questions
from interviewer.models import CheckKind, Question
from interviewer.proof.question import differences
from interviewer.sandbox import Sandbox

pytestmark = [pytest.mark.sandbox, pytest.mark.long]

TASKS = [q for q in own_questions() if q.task]
CHANGED = changed(TASKS, proven().questions, stamp_of_question)


def with_check(kind: CheckKind) -> Question:
    return next(q for q in TASKS if q.task and any(check.kind is kind for check in q.task.checks))


RUN = {q.id: q for q in [*map(with_check, CheckKind), *CHANGED]}


@pytest.mark.parametrize("question", RUN.values(), ids=RUN)
def test_submissions_become_what_their_file_says(question: Question, sandbox: Sandbox) -> None:
    assert list(differences(question, sandbox)) == []
