"""Statements about single claims: what somebody might say, and whether that covers, misses or contradicts the claim.

Three kinds of files under ``eval/cases/statements``: ``bank`` holds statements on the points and misconceptions of the bank's
train questions; ``brief`` such of a few words, right ones and wrong ones that often differ in one of them; ``general`` those on claims
of neighbouring fields, which came with the file. Each file is one ClaimSet.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from eval.cases import OUR_CASES
from interviewer.errors import UsageError
from interviewer.models import Question, Standing, Value

STATEMENTS = OUR_CASES / "statements"

_Kind = TypeVar("_Kind", bound=Value)


class Statement(Value):
    """``about`` is the id of a claim, right or wrong; ``verdict`` is how that claim stands in ``text``."""

    about: str
    text: str
    verdict: Standing


@dataclass(frozen=True)
class ClaimSet:
    """The claims of one question, right and wrong, each in several wordings, and statements on them. ``denies``: which
    right claims a wrong one denies."""

    claims: dict[str, tuple[str, ...]]
    wrong: dict[str, tuple[str, ...]]
    denies: dict[str, tuple[str, ...]]
    statements: tuple[Statement, ...]


class _Header(Value):
    question: str
    claims: dict[str, tuple[str, ...]]
    wrong: dict[str, tuple[str, str, str, tuple[str, ...]]]


def of_question(question: Question, statements: Iterable[Statement]) -> ClaimSet:
    """The points that words can earn, the misconceptions, and as further statements what the question's file says of them."""
    points = [p for p in question.points if not p.proven_by]
    own = [
        Statement(about=p.id, text=text, verdict=Standing.COVERED)
        for p in points
        for text in (p.claim, *p.also, p.follow_up_answer)
        if text
    ]
    for m in question.misconceptions:
        own += [Statement(about=m.id, text=text, verdict=Standing.COVERED) for text in (m.claim, *m.also)]
        own.append(Statement(about=m.id, text=m.correction, verdict=Standing.CONTRADICTED))
    return ClaimSet(
        claims={p.id: (p.claim, *p.also) for p in points},
        wrong={m.id: (m.claim, *m.also) for m in question.misconceptions},
        denies={m.id: m.contradicts for m in question.misconceptions},
        statements=(*own, *statements),
    )


def bank_statements(folder: Path = STATEMENTS / "bank") -> dict[str, tuple[Statement, ...]]:
    """By the id of the question; ``folder`` may be that of the brief ones."""
    return {path.stem: tuple(_statements(path, 0)) for path in sorted(folder.glob("*.jsonl"))}


def general_sets(folder: Path = STATEMENTS / "general") -> list[ClaimSet]:
    return [_general(path) for path in sorted(folder.glob("*.jsonl"))]


def _general(path: Path) -> ClaimSet:
    header = _read(path, 1, _lines(path)[0], _Header)
    own = [Statement(about=k, text=t, verdict=Standing.COVERED) for k, texts in header.claims.items() for t in texts]
    for name, (claim, other, correction, _) in header.wrong.items():
        own += [Statement(about=name, text=text, verdict=Standing.COVERED) for text in (claim, other)]
        own.append(Statement(about=name, text=correction, verdict=Standing.CONTRADICTED))
    return ClaimSet(
        claims=header.claims,
        wrong={name: (claim, other) for name, (claim, other, _, _) in header.wrong.items()},
        denies={name: denied for name, (_, _, _, denied) in header.wrong.items()},
        statements=(*own, *_statements(path, 1)),
    )


def _statements(path: Path, skip: int) -> list[Statement]:
    return [_read(path, number, line, Statement) for number, line in enumerate(_lines(path)[skip:], skip + 1)]


def _lines(path: Path) -> list[str]:
    return [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def _read(path: Path, number: int, line: str, kind: type[_Kind]) -> _Kind:
    try:
        return kind.model_validate(json.loads(line))
    except (json.JSONDecodeError, ValidationError) as error:
        raise UsageError(
            f"{path}:{number} is no {kind.__name__.strip('_').lower()}: {error}. Nothing was trained."
        ) from error
