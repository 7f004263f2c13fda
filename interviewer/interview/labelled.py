"""What people decided on grades, as labelled cases for the harness and for training."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from interviewer.models import MAX_SCORE, Evidence, Verdict
from interviewer.store import Review


def labelled_cases(reviews: Sequence[Review]) -> list[dict[str, Any]]:
    """A labelled case, as ``python -m eval`` reads them, for each question that a person decided on; nothing of it says
    who the candidate or the reviewer was. What has no score, since none of its points could be graded, is no case."""
    last = {(r.session, r.question): r for r in sorted(reviews, key=lambda r: r.decided) if r.judgement}
    return [
        _labelled_case(r, r.evidence, r.verdict)
        for r in last.values()
        if r.evidence and r.verdict and r.verdict.score is not None
    ]


def _labelled_case(review: Review, evidence: Evidence, verdict: Verdict) -> dict[str, Any]:
    return {
        "id": f"{review.question}/reviewed-{review.session}",
        "question_id": review.question,
        "style": "reviewed",
        "question": evidence.question.question,
        "answer": "\n\n".join(evidence.answered.replies),
        "score": verdict.score,
        "max_score": MAX_SCORE,
        "points": {p.point: p.verdict.value for p in verdict.points},
        "misconceptions": [m.id for m in verdict.misconceptions],
        "reference": evidence.question.references[0].text,
    }
