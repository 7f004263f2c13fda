"""The labels of code in labelled replies, proven by running it. Promises that ``wrong_labels`` runs every submission."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from eval.cases import Case, our_cases
from interviewer.interview.listen import code_of
from interviewer.models import Point, Question, Standing
from interviewer.sandbox.door import Door

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
        for point in points_of_runs(question):
            labelled = case.points[point.id]
            if run.proves(point.proven_by) is not (labelled is Standing.COVERED):
                yield f"{case.id}: {point.id} is labelled {labelled.value}, and the run says: {run}"


def points_of_runs(question: Question) -> list[Point]:
    """Those that only a run can earn."""
    return [p for p in question.points if p.proven_by]
