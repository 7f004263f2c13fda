from __future__ import annotations

from pathlib import Path

import pytest

from interviewer.errors import UsageError
from interviewer.models import Answered, Evidence, Filing, Judgement, Level, ReviewKind, Role, Topic, Turn
from interviewer.store import Store
from tests.interview.reviewing import question, verdict


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "db.sqlite3")


def evidence(name: str, reply: str = "They add up.") -> Evidence:
    answered = Answered(
        question=name, text="?", topic=Topic.DATA, level=Level.MID, verdict=verdict({}), replies=(reply,)
    )
    return Evidence(question=question(name), answered=answered)


def answer(store: Store, session: str, seq: int, *filed: Filing, closed: Evidence | None = None) -> None:
    store.answer(session, Turn(seq=seq, role=Role.INTERVIEWER, text="noted"), filed=filed, closed=closed)


def filing(kind: ReviewKind, reason: str = "too harsh", name: str = "q1") -> Filing:
    return Filing(kind=kind, question=name, reason=reason)


def uphold(store: Store, review: int) -> None:
    store.decide(review, Judgement.UPHELD, comment="no such words", reviewer="bob", verdict=verdict({}))


def test_there_is_one_review_of_a_kind_for_a_question_of_a_session(store: Store) -> None:
    session, other = store.begin("ann", None), store.begin("ann", None)
    answer(store, session, 2, filing(ReviewKind.DISPUTE, "first"), filing(ReviewKind.UNSURE))
    answer(store, session, 4, filing(ReviewKind.DISPUTE, "second"), filing(ReviewKind.DISPUTE, name="q2"))
    answer(store, other, 2, filing(ReviewKind.DISPUTE))
    found = [(r.session, r.question, r.kind.value) for r in store.reviews()]
    assert found == [
        (session, "q1", "dispute"),
        (session, "q1", "unsure"),
        (session, "q2", "dispute"),
        (other, "q1", "dispute"),
    ]
    assert store.review(1).reason == "first\nsecond"


def test_evidence_comes_with_the_closing_and_stays(store: Store) -> None:
    session = store.begin("ann", None)
    answer(store, session, 2, filing(ReviewKind.DISPUTE))
    assert store.review(1).evidence is None
    answer(store, session, 4, closed=evidence("q1"))
    answer(store, session, 6, closed=evidence("q1", "something else"))
    assert store.review(1).evidence == evidence("q1")


def test_evidence_of_another_session_is_not_taken(store: Store) -> None:
    session, other = store.begin("ann", None), store.begin("ann", None)
    answer(store, session, 2, filing(ReviewKind.DISPUTE))
    answer(store, other, 2, closed=evidence("q1"))
    assert store.review(1).evidence is None


def test_a_review_is_decided_once(store: Store) -> None:
    answer(store, store.begin("ann", None), 2, filing(ReviewKind.DISPUTE))
    uphold(store, 1)
    with pytest.raises(UsageError, match="decided already"):
        store.decide(1, Judgement.CHANGED, comment="", reviewer="", verdict=verdict({}, confidence=0.1))
    assert store.reviews(open_only=True) == []
    assert (store.review(1).comment, store.review(1).verdict) == ("no such words", verdict({}))


def test_what_was_decided_is_not_changed_by_another_dispute(store: Store) -> None:
    session = store.begin("ann", None)
    answer(store, session, 2, filing(ReviewKind.DISPUTE))
    uphold(store, 1)
    answer(store, session, 4, filing(ReviewKind.DISPUTE, "again"))
    [review] = store.reviews()
    assert review.reason == "too harsh" and review.judgement is Judgement.UPHELD


def test_reviews_are_listed_by_session(store: Store) -> None:
    session, other = store.begin("ann", None), store.begin("bob", None)
    answer(store, session, 2, filing(ReviewKind.DISPUTE))
    answer(store, other, 2, filing(ReviewKind.DISPUTE))
    assert [r.session for r in store.reviews(session=other)] == [other]


def test_an_unknown_review_is_said_to_be_unknown(store: Store) -> None:
    with pytest.raises(UsageError, match="no review 7"):
        store.review(7)
