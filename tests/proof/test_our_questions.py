"""What the bank's questions without a task say about code is so."""

from __future__ import annotations

import pytest

from interviewer.bank.corpus import own_questions
from interviewer.models import Question
from interviewer.proof.question import differences
from interviewer.sandbox import Sandbox

pytestmark = pytest.mark.sandbox


@pytest.mark.parametrize("question", [q for q in own_questions() if not q.task], ids=lambda q: q.id)
def test_blocks_and_experiments_become_what_their_file_says(question: Question, sandbox: Sandbox) -> None:
    assert list(differences(question, sandbox)) == []
