"""The labels of code in labelled replies, proven by running it.

Promises that ``wrong_labels`` runs every submission; and that ``stamp`` is another one as soon as anything changes on which
the result hangs: the code, the labels that speak of it, the task with its checks, or torch. So what was proven once
needs no further run (``PROVEN``, written by ``.ci/labels``).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from importlib.metadata import version

from eval.cases import OUR_CASES, Case, our_cases
from interviewer.interview.listen import code_of
from interviewer.models import Point, Question, Standing
from interviewer.sandbox.door import Door

PROVEN = OUR_CASES / "proven.json"

Submitted = Sequence[tuple[Case, str]]


def submitted_code() -> dict[str, list[tuple[Case, str]]]:
    """Replies that hold code, with it, by the id of their question."""
    found: dict[str, list[tuple[Case, str]]] = {}
    for case in our_cases():
        if code := code_of(case.answer):
            found.setdefault(case.question_id, []).append((case, code))
    return found


def wrong_labels(question: Question, submitted: Submitted, sandbox: Door) -> Iterator[str]:
    """A sentence for each point that a run proves and its label doesn't say, or the reverse. ``question`` has a task."""
    assert question.task
    for case, code in submitted:
        run = sandbox.judge(question.task, code)
        for point in _proven_by_runs(question):
            labelled = case.points[point.id]
            if run.proves(point.proven_by) is not (labelled is Standing.COVERED):
                yield f"{case.id}: {point.id} is labelled {labelled.value}, and the run says: {run}"


def stamp(question: Question, submitted: Submitted) -> str:
    """Of everything on which ``wrong_labels`` hangs but the sandbox itself."""
    assert question.task
    points = _proven_by_runs(question)
    told = [
        version("torch").split("+")[0],
        question.task.model_dump(mode="json", exclude={"submissions"}),
        [(p.id, p.proven_by) for p in points],
        [(case.id, code, [case.points[p.id] for p in points]) for case, code in submitted],
    ]
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:16]


def proven() -> dict[str, str]:
    """The stamps of what was proven, by question; nothing where nothing was."""
    return json.loads(PROVEN.read_text(encoding="utf-8")) if PROVEN.is_file() else {}


def _proven_by_runs(question: Question) -> list[Point]:
    return [p for p in question.points if p.proven_by]
