from __future__ import annotations

from collections.abc import Callable

import pytest

from eval.cases import Case, our_cases
from interviewer.models import Part, PartKind, Turn
from tests.llm.conftest import smollm, smollm_file

__all__ = ["smollm", "smollm_file"]  # fixtures of the tests of the language model, wanted here too


@pytest.fixture(scope="session")
def cases() -> Callable[[str, str], list[Case]]:
    """The labelled replies to a question in a style: ``cases("view-vs-reshape", "expert")``."""
    found: dict[tuple[str, str], list[Case]] = {}
    for case in our_cases():
        found.setdefault((case.question_id, case.style), []).append(case)
    return lambda question, style: found[question, style]


@pytest.fixture(scope="session")
def said(cases: Callable[[str, str], list[Case]]) -> Callable[[str, str], str]:
    """The first of them, in words."""
    return lambda question, style: cases(question, style)[0].answer


@pytest.fixture(scope="session")
def parts_of() -> Callable[[Turn, PartKind], list[Part]]:
    return lambda turn, kind: [p for p in turn.parts if p.kind is kind]
