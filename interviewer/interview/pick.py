"""Which question comes next: harder after success, topics spread, time kept.

Deterministic for a session: the same answers lead to the same questions.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from interviewer.interview.ability import estimate
from interviewer.models import Answered, Plan, Question

_CODE_EVERY = 3  # with code in the plan, every third question wants some
_OPENERS_RANK_BELOW = 0.5  # the first question is a little easier than the level asked for


def pick(
    questions: Sequence[Question],
    *,
    session: str,
    plan: Plan,
    asked: Sequence[str],
    answered: Sequence[Answered],
    minutes_left: float,
) -> Question | None:
    """The best next question, or None when the plan is fulfilled, the time is up or nothing is left."""
    if plan.questions is not None and len(asked) >= plan.questions:
        return None
    if plan.only:
        left = [q for name in plan.only for q in questions if q.id == name and name not in asked]
        return left[0] if left else None
    if minutes_left <= 0:
        return None
    gone = {*asked, *plan.leave_out}
    pool = [q for q in questions if q.id not in gone and (plan.code or not q.wants_code)]
    pool = [q for q in pool if not plan.topics or q.topic in plan.topics]
    fitting = [q for q in pool if q.minutes <= minutes_left] or ([] if asked else pool)
    if not fitting:
        return None
    target = _target(plan, answered)
    wants_code = plan.code and (len(asked) + 1) % _CODE_EVERY == 0
    topics = [a.topic for a in answered] + [q.topic for q in questions if q.id in asked[len(answered) :]]

    def rank(question: Question) -> tuple[float, ...]:
        return (
            abs(question.level.rank - target)
            + 1.0 * topics.count(question.topic)
            + 2.0 * (question.wants_code != wants_code)
            + 1.5 * question.derived,  # an authored rubric makes a better question
            _shuffle(session, question.id),
        )

    return min(fitting, key=rank)


def _target(plan: Plan, answered: Sequence[Answered]) -> float:
    if not answered:
        return max(0.0, plan.level.rank - _OPENERS_RANK_BELOW)
    return estimate(answered, plan.level)[0]


def _shuffle(session: str, question: str) -> float:
    """A number in [0, 1) that is fixed for a session and a question."""
    return int.from_bytes(hashlib.sha256(f"{session}/{question}".encode()).digest()[:6], "big") / 2**48
