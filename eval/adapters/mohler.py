"""The folder of Mohler's computer science answers (ShortAnswerGrading 2.0, Mohler, Bunescu & Mihalcea, ACL 2011).

    data/raw/questions, data/raw/answers     "1.1 What is …", one a line: the questions and their references
    data/raw/1.1                             "1.1 an answer", one a line
    data/scores/1.1/me, other, ave           a number for each of these lines: two people, and their mean
    data/docs/files                          the questions that were used; others start with #

``score`` is the first person's, ``second`` the other's, both of 5. In the two exams (11 and 12) each gave up to 10 and
only the mean was put on 5; their scores are halved here.
"""

from __future__ import annotations

import re
from pathlib import Path

from eval.adapters.making import make_case, number, refused, text_of
from eval.cases import Case

MAX_SCORE = 5.0
_NUMBERED = re.compile(r"(\d+\.\d+)\s+(.*)")
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)


def find_mohler(folder: Path) -> Path | None:
    """The ``data`` folder of the set in or just below ``folder``; None where this is something else."""
    candidates = (folder, folder / "data", *sorted(folder.glob("*/data")))
    return next((data for data in candidates if (data / "raw" / "questions").is_file()), None)


def read_mohler(data: Path) -> list[Case]:
    """All answers to the questions that were used, question by question."""
    questions, references = _numbered(data / "raw" / "questions"), _numbered(data / "raw" / "answers")
    cases = []
    for name in _used(data, questions):
        path = data / "raw" / name
        if name not in questions or name not in references:
            raise refused(path, f"question {name} has no {'text' if name not in questions else 'reference'}")
        lines = [(n, line) for n, line in enumerate(text_of(path).splitlines(), 1) if line.strip()]
        me, other, mean = (_scores(data / "scores" / name / who, len(lines)) for who in ("me", "other", "ave"))
        for index, (n, line) in enumerate(lines):
            score, second = two_scores(me[index], other[index], mean[index])
            cases.append(
                make_case(
                    f"{path}:{n}",
                    id=f"{name}-{index}",
                    question_id=name,
                    question=questions[name],
                    reference=references[name],
                    answer=_clean(line.removeprefix(name)),
                    score=score,
                    second=second,
                    max_score=MAX_SCORE,
                )
            )
    return cases


def two_scores(me: float, other: float, mean: float) -> tuple[float, float]:
    """Both on the scale of their mean: halved where that fits the mean better."""
    whole = (me + other) / 2
    return (me / 2, other / 2) if abs(whole / 2 - mean) < abs(whole - mean) else (me, other)


def _used(data: Path, questions: dict[str, str]) -> list[str]:
    listed = data / "docs" / "files"
    if not listed.is_file():
        return [name for name in questions if (data / "raw" / name).is_file()]
    names = (line.strip() for line in text_of(listed).splitlines())
    return [name for name in names if name and not name.startswith("#")]


def _numbered(path: Path) -> dict[str, str]:
    found = {}
    for n, line in enumerate(text_of(path).splitlines(), 1):
        if not line.strip():
            continue
        match = _NUMBERED.fullmatch(line.strip())
        if match is None:
            raise refused(f"{path}:{n}", "the line doesn't begin with the number of a question")
        found[match[1]] = _clean(match[2])
    return found


def _scores(path: Path, wanted: int) -> list[float]:
    scores = [number(f"{path}:{n}", "the score", s) for n, s in enumerate(text_of(path).split(), 1)]
    if len(scores) != wanted:
        raise refused(path, f"there are {len(scores)} scores for {wanted} answers")
    return scores


def _clean(text: str) -> str:
    return " ".join(_BREAK.sub(" ", text).split())
