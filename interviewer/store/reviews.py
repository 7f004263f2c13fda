"""The queue of grades that a person is to look at, with the evidence and what was decided.

Promises: never two reviews of a kind for one question of a session; the evidence is what it was when the question
closed, whatever becomes of the bank; a review is decided once. Does not know what a decision means: see
``interviewer.interview.review``.
"""

from __future__ import annotations

from sqlalchemy import and_, select, update
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.engine import Connection

from interviewer.models import Evidence, Filing, Judgement, ReviewKind, Value, Verdict
from interviewer.store.tables import evidence as evidence_table
from interviewer.store.tables import queue, sessions


class Review(Value):
    """One grade in the queue.

    ``evidence`` is None while the question is still open in its interview. Once it is decided, ``verdict`` is the one
    that the person stands for, and ``comment``, ``reviewer`` and ``decided`` say why, who and when.
    """

    id: int
    session: str
    question: str
    kind: ReviewKind
    reason: str
    opened: str
    evidence: Evidence | None = None
    judgement: Judgement | None = None
    comment: str = ""
    reviewer: str = ""
    decided: str = ""
    verdict: Verdict | None = None


def keep_evidence(db: Connection, session_id: str, evidence: Evidence) -> None:
    """What is kept of a closed question is never changed."""
    row = {"session": session_id, "question": evidence.question.id, "body": evidence.model_dump_json()}
    db.execute(insert(evidence_table).values(row).on_conflict_do_nothing())


def file_review(db: Connection, session_id: str, filing: Filing, now: str) -> None:
    """Puts it in the queue. What is said later about a question that waits already is added to the reason."""
    new = insert(queue).values(session=session_id, opened=now, **filing.model_dump(mode="json"))
    added = queue.c.reason + "\n" + new.excluded.reason
    db.execute(
        new.on_conflict_do_update(
            index_elements=["session", "question", "kind"], set_={"reason": added}, where=queue.c.judgement.is_(None)
        )
    )


def read_reviews(
    db: Connection,
    *,
    open_only: bool = False,
    session: str | None = None,
    user: str | None = None,
    review_id: int | None = None,
) -> list[Review]:
    """In the order of filing."""
    same = and_(evidence_table.c.session == queue.c.session, evidence_table.c.question == queue.c.question)
    query = select(queue, evidence_table.c.body).join_from(queue, evidence_table, same, isouter=True)
    if open_only:
        query = query.where(queue.c.judgement.is_(None))
    if session is not None:
        query = query.where(queue.c.session == session)
    if user is not None:
        query = query.where(queue.c.session.in_(select(sessions.c.id).where(sessions.c.user == user)))
    if review_id is not None:
        query = query.where(queue.c.id == review_id)
    found = []
    for row in db.execute(query.order_by(queue.c.id)):
        values = {name: value for name, value in row._mapping.items() if value is not None}
        if "body" in values:
            values["evidence"] = Evidence.model_validate_json(values.pop("body"))
        if "verdict" in values:
            values["verdict"] = Verdict.model_validate_json(values["verdict"])
        found.append(Review.model_validate(values))
    return found


def record_decision(
    db: Connection, review_id: int, judgement: Judgement, comment: str, reviewer: str, verdict: Verdict, now: str
) -> bool:
    """Whether the review was still waiting; one that was decided stays as it is."""
    waiting = (queue.c.id == review_id) & queue.c.judgement.is_(None)
    values = {"comment": comment, "reviewer": reviewer, "decided": now, "verdict": verdict.model_dump_json()}
    decided = update(queue).where(waiting).values(judgement=judgement.value, **values)
    return db.execute(decided).rowcount == 1
