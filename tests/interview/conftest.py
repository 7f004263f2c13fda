from __future__ import annotations

from collections.abc import Callable

import pytest

from eval.cases import OUR_CASES, Case, read_cases
from interviewer.models import Part, PartKind, Turn


@pytest.fixture(scope="session")
def said() -> Callable[[str, str], str]:
    """A labelled reply of the bank by question and style: ``said("view-vs-reshape", "expert")``."""
    cases: dict[tuple[str, str], Case] = {}
    for case in read_cases(sorted(OUR_CASES.glob("*.jsonl"))):
        cases.setdefault((case.question_id, case.style), case)
    return lambda question, style: cases[question, style].answer


@pytest.fixture(scope="session")
def parts_of() -> Callable[[Turn, PartKind], list[Part]]:
    return lambda turn, kind: [p for p in turn.parts if p.kind is kind]
