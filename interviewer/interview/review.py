"""A person's decision on a grade: points are confirmed or corrected, and the score follows from the points.

Promises: a decision is taken whole or refused whole; no score is ever typed in; a quote stands in a reply; the grader's
own verdict stays as it was. Does not ask who the person is: whoever may open the store may decide.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from interviewer.errors import UsageError
from interviewer.grading.score import score_of
from interviewer.interview.state import Reviewed
from interviewer.models import (
    Answered,
    Evidence,
    Judgement,
    Point,
    PointVerdict,
    Ruling,
    Standing,
    Value,
    Verdict,
)
from interviewer.store import Review, Store

REVIEWER = "reviewer"  # the judge of a corrected verdict
_EARNED = (Standing.COVERED, Standing.PARTIAL)


class Correction(Value):
    """How a point stands in the eyes of the reviewer, and the words of the reply that show it, if they named any."""

    point: str
    verdict: Standing
    quote: str = ""


def decide_review(
    store: Store,
    review_id: int,
    judgement: Judgement,
    *,
    comment: str,
    reviewer: str,
    corrections: Sequence[Correction] = (),
) -> Review:
    """Records the decision. Raises UsageError, and records nothing, where the question is still open in its interview,
    the review was decided already, why or who is missing, or the corrections don't fit (see ``corrected``)."""
    review = store.review(review_id)
    standing = verdict_under_review(review, store.reviews(session=review.session))
    if review.evidence is None or standing is None:
        raise UsageError(
            f"The question of review {review_id} is still open in its interview, and what is said next may change its grade. "
            "Nothing was recorded; decide once that question is closed."
        )
    if not comment.strip() or not reviewer.strip():
        raise UsageError("A decision says why, and whose it is. Nothing was recorded.")
    if judgement is Judgement.UPHELD and corrections:
        raise UsageError("A grade that is upheld has no corrected points. Nothing was recorded; say `changed`.")
    if judgement is Judgement.CHANGED and not corrections:
        raise UsageError(
            "A grade is changed by its points. Nothing was recorded; say which, with --point POINT=VERDICT. "
            f"The points are {_names(review.evidence)}."
        )
    verdict = corrected(review.evidence, standing, corrections) if corrections else standing
    return store.decide(review_id, judgement, comment=comment.strip(), reviewer=reviewer.strip(), verdict=verdict)


def verdict_under_review(review: Review, of_the_session: Sequence[Review]) -> Verdict | None:
    """The verdict that a reviewer now decides on: the grader's own, or the one that a person decided on last where the
    same question waited for two reasons. None while the question is open."""
    decided = [r for r in of_the_session if r.question == review.question and r.verdict and r.id != review.id]
    if decided:
        return max(decided, key=lambda r: r.decided).verdict
    return review.evidence.answered.verdict if review.evidence else None


def corrected(evidence: Evidence, standing: Verdict, corrections: Sequence[Correction]) -> Verdict:
    """``standing`` with the corrections, its score computed anew. A point that was left out of the grading may be put in.

    A misconception is no longer held once a point that it denies was corrected and none of them is contradicted. Raises UsageError that names the points where
    one is unknown or named twice, where a quote doesn't stand in a reply, or where nothing is changed.
    """
    given = {p.point: p for p in standing.points}
    wanted = {c.point: c for c in corrections}
    known = [p.id for p in evidence.question.points]
    if unknown := [name for name in wanted if name not in known]:
        raise UsageError(
            f"There is no point {', '.join(unknown)} in this question. Nothing was recorded; "
            f"its points are {_names(evidence)}."
        )
    if len(wanted) < len(corrections):
        raise UsageError("A point is corrected twice. Nothing was recorded; name each once.")
    points = []
    for point in evidence.question.points:
        if point.id in wanted:
            points.append(_as_corrected(point, wanted[point.id], given.get(point.id), evidence.answered.replies))
        elif point.id in given:
            points.append(given[point.id])
    if _standings(points) == _standings(standing.points):
        raise UsageError("These points stand so already. Nothing was recorded; to confirm the grade say `upheld`.")
    contradicted = {p.point for p in points if p.verdict is Standing.CONTRADICTED}
    denied = {m.id: set(m.contradicts) for m in evidence.question.misconceptions}
    held = tuple(m for m in standing.misconceptions if denied[m.id] & contradicted or not denied[m.id] & set(wanted))
    return standing.model_copy(
        update={
            "points": tuple(points),
            "misconceptions": held,
            "score": score_of(points, held),
            "confidence": 1.0,
            "judge": REVIEWER,
        }
    )


def _as_corrected(
    point: Point, wanted: Correction, before: PointVerdict | None, replies: Sequence[str]
) -> PointVerdict:
    """Words that showed a point still show it where it is earned before and after."""
    quote = _in_a_reply(wanted.quote, replies) if wanted.quote else ""
    same = before is not None and before.verdict is wanted.verdict
    if before and not quote and (same or {before.verdict, wanted.verdict} <= set(_EARNED)):
        quote = before.quote
    if wanted.quote and wanted.verdict is Standing.MISSING:
        raise UsageError(f"Point {point.id} can't be missing and be shown by words. Nothing was recorded.")
    return PointVerdict(
        point=point.id,
        claim=point.claim,
        verdict=wanted.verdict,
        weight=point.weight,
        quote=quote,
        probability=1.0,
        misconception=before.misconception if before and same else "",
        proven_by_run=bool(before and same and before.proven_by_run),
    )


def _in_a_reply(words: str, replies: Sequence[str]) -> str:
    """``words`` as they stand in a reply; white space may differ."""
    pattern = re.compile(r"\s+".join(map(re.escape, words.split())))
    found = next((match for reply in replies if (match := pattern.search(reply))), None)
    if found is None or not words.strip():
        raise UsageError(
            f"“{words}” doesn't stand in any reply. Nothing was recorded; quote the candidate's own words."
        )
    return found[0]


def _standings(points: Sequence[PointVerdict]) -> dict[str, tuple[Standing, str]]:
    return {p.point: (p.verdict, p.quote) for p in points}


def _names(evidence: Evidence) -> str:
    return ", ".join(p.id for p in evidence.question.points)


# --- what becomes of a decision -------------------------------------------------------------------


def reviewed(reviews: Sequence[Review]) -> list[Reviewed]:
    """The decided ones among ``reviews``, in the order of deciding."""
    decided = sorted((r for r in reviews if r.judgement), key=lambda r: (r.decided, r.id))
    return [
        Reviewed(
            question=r.question,
            ruling=Ruling(kind=r.kind, judgement=r.judgement, comment=r.comment, at=r.decided),
            verdict=r.verdict,
        )
        for r in decided
        if r.judgement and r.verdict
    ]


def with_rulings(answered: Answered, decided: Sequence[Reviewed]) -> Answered:
    """``answered`` as it stands after what people decided on it, the grader's own verdict kept beside theirs."""
    about_it = [each for each in decided if each.question == answered.question]
    if not about_it:
        return answered
    counts = about_it[-1].verdict
    own = answered.verdict if counts != answered.verdict else None
    rulings = tuple(each.ruling for each in about_it)
    return answered.model_copy(update={"rulings": rulings, "verdict": counts, "graded": own})
