"""What the next answer needs of the judge is there before the answer is."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from interviewer.grading.judge import EmbeddedJudge
from interviewer.grading.reader import ClaimReader
from interviewer.interview.session import Interviews
from interviewer.models import Plan
from interviewer.sandbox import Sandbox
from interviewer.settings import Settings
from tests.interview.reviewing import FIRST, SmallBank, question

pytestmark = pytest.mark.models


def test_the_claims_of_a_question_are_encoded_when_it_is_asked_and_those_of_a_probe_when_it_is_probed(
    tmp_path: Path,
) -> None:
    reader = ClaimReader()
    reader.warm()
    settings = Settings(home=tmp_path)
    interviews = Interviews(settings, bank=SmallBank(), judge=EmbeddedJudge(reader), sandbox=Sandbox(settings))
    session = interviews.begin(Plan(only=(FIRST,)))
    [adds, *_] = question(FIRST).points
    assert _is_encoded(reader, adds.claim)
    session.reply("The weather was fine on that day, and we had a picnic.")
    assert _is_encoded(reader, f"{adds.follow_up} {adds.claim}")


def _is_encoded(reader: ClaimReader, claim: str) -> bool:
    """Waits for it, for a while."""
    deadline = time.monotonic() + 20
    while claim not in reader._claims and time.monotonic() < deadline:
        time.sleep(0.01)
    return claim in reader._claims
