"""Which code was proven as it is now, so that only what changed since needs another run.

Promises that a stamp is another one as soon as anything changes on which the proof hangs: the code, what is said of it, the
checks, torch, and for the bank's own code every line of the sandbox (but for its attacks and the part that speaks to a cluster)
and of what compares its runs with the file. ``.ci/prove`` runs everything and writes the stamps. Settings, models and the
other libraries are not in it: whoever changes how they bear on code runs that.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from functools import cache
from importlib.metadata import version
from pathlib import Path

import interviewer.markdown
import interviewer.proof.question
import interviewer.sandbox
from eval.cases import OUR_CASES
from eval.labels import Submitted, points_of_runs
from interviewer.markdown import python_blocks
from interviewer.models import Question, Value

PROVEN = OUR_CASES / "proven.json"

Stamps = dict[str, str]  # by the id of the question
_ELSEWHERE = ("attacks", "ray")


class Proven(Value):
    """The stamps of what was proven: of questions, and of the labels of replies to them."""

    questions: Stamps = {}
    labels: Stamps = {}


def stamp_of_question(question: Question) -> str:
    """Of its blocks of code, experiments and submissions, and all that judges them."""
    code = question.model_dump(mode="json", include={"experiments", "task"})
    blocks = [python_blocks(reference.text) for reference in question.references]
    return _stamp([_torch(), _sources(Path(interviewer.sandbox.__file__).parent), code, blocks])


def stamp_of_labels(question: Question, submitted: Submitted) -> str:
    """Of the code in replies to it and of what their labels say. The sandbox is left out: the questions show what it does."""
    assert question.task
    task = question.task.model_dump(mode="json", exclude={"submissions"})
    points = points_of_runs(question)
    labelled = [(case.id, code, [case.points[p.id] for p in points]) for case, code in submitted]
    return _stamp([_torch(), task, [(p.id, p.proven_by) for p in points], labelled])


def proven() -> Proven:
    """What is on record; nothing where there is no record."""
    return Proven.model_validate_json(PROVEN.read_text(encoding="utf-8")) if PROVEN.is_file() else Proven()


def keep(found: Proven) -> None:
    PROVEN.write_text(found.model_dump_json(indent=1) + "\n", encoding="utf-8")


def changed(questions: Iterable[Question], stamps: Stamps, stamp: Callable[[Question], str]) -> list[Question]:
    """Those whose proof isn't on record."""
    return [q for q in questions if stamps.get(q.id) != stamp(q)]


def _stamp(told: object) -> str:
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:16]


def _torch() -> str:
    return version("torch").split("+")[0]


@cache
def _sources(room: Path) -> str:
    """Of the sandbox's code, which lies in ``room``, and of what compares its runs with a question's file."""
    inside = [path for path in room.rglob("*.py") if path.relative_to(room).parts[0] not in _ELSEWHERE]
    compared = [Path(interviewer.proof.question.__file__), Path(interviewer.markdown.__file__)]
    return _stamp([path.read_text(encoding="utf-8") for path in [*sorted(inside), *compared]])
