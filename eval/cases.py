"""Graded replies from JSONL files: question, answer, score, max_score, with or without a reference.

A case of ours also names the bank's question and says how each point stands. Ours are divided by question: the judge is
fitted on ``train``, choices are made on ``dev``, and ``test`` is for final figures alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Self

from pydantic import ConfigDict, Field, ValidationError, model_validator

from interviewer.errors import UsageError
from interviewer.models import Standing, Value


class Case(Value):
    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str = Field("", coerce_numbers_to_str=True)
    question: str
    answer: str
    score: float = Field(ge=0, allow_inf_nan=False)
    max_score: float = Field(1.0, gt=0, allow_inf_nan=False)
    reference: str = ""
    question_id: str = ""
    style: str = ""
    points: dict[str, Standing] = {}
    misconceptions: tuple[str, ...] = ()
    label: str = ""  # the class that a person gave, where a set has classes: correct, incorrect, contradictory, …
    second: float | None = Field(None, ge=0, allow_inf_nan=False)  # another person's score, of the same max_score

    @model_validator(mode="before")
    @classmethod
    def _null_is_nothing(cls, data: Any) -> Any:
        return {k: v for k, v in data.items() if v is not None} if isinstance(data, dict) else data

    @model_validator(mode="after")
    def _scores_lie_in_their_range(self) -> Self:
        if max(self.score, self.second or 0.0) > self.max_score:
            raise ValueError(f"a score is over the max_score {self.max_score:g}")
        return self


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
    """All cases of all files, and of the ``*.jsonl`` files in all folders; public sets are read by ``adapters``. Raises
    UsageError that names every line which is no case."""
    from eval.adapters import is_public, read_public  # which are made of cases

    cases, mistakes = [], []
    for path in (file for each in paths for file in (each.is_dir() and sorted(each.glob("*.jsonl"))) or [each]):
        if is_public(path):
            cases += read_public(path)
            continue
        for number, line in enumerate(_text(path).splitlines(), 1):
            if not line.strip():
                continue
            try:
                cases.append(Case.model_validate_json(line))
            except ValidationError as error:
                first = error.errors()[0]
                mistakes.append(f"{path}:{number}: {'.'.join(map(str, first['loc'])) or 'case'}: {first['msg']}")
    if mistakes:
        raise UsageError("These lines are not cases; nothing was graded:\n" + "\n".join(mistakes))
    if not cases:
        raise UsageError("There is no case in these files; nothing was graded.")
    return cases
