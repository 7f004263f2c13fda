"""What the bank's coding questions say about code is so: blocks, experiments, solutions, right and wrong submissions."""

from __future__ import annotations

import pytest

from interviewer.bank.corpus import own_questions
from interviewer.models import Question
from interviewer.proof.question import differences
from interviewer.sandbox import Sandbox

pytestmark = [pytest.mark.sandbox, pytest.mark.long]


@pytest.mark.parametrize("question", [q for q in own_questions() if q.task], ids=lambda q: q.id)
def test_submissions_become_what_their_file_says(question: Question, sandbox: Sandbox) -> None:
    assert list(differences(question, sandbox)) == []
