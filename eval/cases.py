"""Graded replies from JSONL files: question, answer, score, max_score, with or without a reference.

A case of ours also names the bank's question and says how each point stands. Ours are divided by question: the judge is
fitted on ``train``, choices are made on ``dev``, and ``test`` is for final figures alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from pydantic import ConfigDict, ValidationError

from interviewer.errors import UsageError
from interviewer.models import Standing, Value


class Case(Value):
    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str = ""
    question: str
    answer: str
    score: float
    max_score: float = 1.0
    reference: str = ""
    question_id: str = ""
    style: str = ""
    points: dict[str, Standing] = {}
    misconceptions: tuple[str, ...] = ()


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} can't be read as text: {error}. Nothing was graded.") from error


OUR_CASES = Path(__file__).parent / "cases"
PARTS = ("train", "dev", "test")


def our_cases(*parts: str) -> list[Case]:
    """The labelled replies of the bank that belong to ``parts``; all of them where none is named."""
    return read_cases(OUR_CASES / part for part in parts or PARTS)


def read_cases(paths: Iterable[Path]) -> list[Case]:
    """All cases of all files, and of the ``*.jsonl`` files in all folders. Raises UsageError that names every line which
    is no case."""
    cases, mistakes = [], []
    for path in (file for each in paths for file in (sorted(each.glob("*.jsonl")) if each.is_dir() else [each])):
        for number, line in enumerate(_text(path).splitlines(), 1):
            if not line.strip():
                continue
            try:
                cases.append(Case.model_validate_json(line))
            except ValidationError as error:
                first = error.errors()[0]
                mistakes.append(f"{path}:{number}: {'.'.join(map(str, first['loc']))}: {first['msg']}")
    if mistakes:
        raise UsageError("These lines are not cases; nothing was graded:\n" + "\n".join(mistakes))
    if not cases:
        raise UsageError("There is no case in these files; nothing was graded.")
    return cases
