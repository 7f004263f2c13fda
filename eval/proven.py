"""Which code was proven as it is now, so that only what changed since needs another run.

Promises that a stamp is another one as soon as anything changes on which the proof hangs: the code, what is said of it, the
checks, torch, and for the bank's own code every line of the sandbox. ``.ci/prove`` runs everything and writes the stamps.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from functools import cache
from importlib.metadata import version
from pathlib import Path

import interviewer.sandbox
from eval.cases import OUR_CASES
from eval.labels import Submitted, labels_of_runs
from interviewer.models import Question

PROVEN = OUR_CASES / "proven.json"

Stamps = dict[str, str]  # by the id of the question


def stamp_of_question(question: Question) -> str:
    """Of its blocks of code, experiments and submissions, and all that judges them."""
    code = question.model_dump(mode="json", include={"references", "experiments", "task"})
    return _stamp([_torch(), _sandbox(), code])


def stamp_of_labels(question: Question, submitted: Submitted) -> str:
    """Of the code in replies to it and of what their labels say. The sandbox is left out: it is proven by the questions."""
    assert question.task
    task = question.task.model_dump(mode="json", exclude={"submissions"})
    points = [(p.id, p.proven_by) for p in question.points if p.proven_by]
    return _stamp([_torch(), task, points, labels_of_runs(question, submitted)])


def proven() -> tuple[Stamps, Stamps]:
    """(stamps of questions, stamps of labels) of what was proven."""
    kept = json.loads(PROVEN.read_text(encoding="utf-8"))
    return kept["questions"], kept["labels"]


def keep(questions: Stamps, labels: Stamps) -> None:
    PROVEN.write_text(json.dumps({"questions": questions, "labels": labels}, indent=1) + "\n", encoding="utf-8")


def changed(questions: Iterable[Question], stamps: Stamps, stamp: Callable[[Question], str]) -> list[Question]:
    """Those whose proof isn't on record."""
    return [q for q in questions if stamps.get(q.id) != stamp(q)]


def _stamp(told: object) -> str:
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:16]


def _torch() -> str:
    return version("torch").split("+")[0]


@cache
def _sandbox() -> str:
    room = Path(interviewer.sandbox.__file__).parent
    sources = sorted(path for path in room.rglob("*.py") if "attacks" not in path.parts and "ray" not in path.parts)
    return _stamp([(str(path.relative_to(room)), path.read_text(encoding="utf-8")) for path in sources])
