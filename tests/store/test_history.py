from __future__ import annotations

from pathlib import Path

import pytest

from interviewer.models import Filing, ReviewKind, Role, Turn
from interviewer.store import Store
from tests.store.test_reviews import evidence


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "db.sqlite3")


def close(store: Store, session: str, name: str) -> None:
    filing = Filing(kind=ReviewKind.DISPUTE, question=name, reason="too harsh")
    seq = len(store.turns(session))
    store.answer(session, Turn(seq=seq, role=Role.INTERVIEWER), closed=evidence(name), filed=[filing])


def test_what_was_closed_is_read_by_user_in_the_order_of_sessions(store: Store) -> None:
    first, second, other = store.begin("ann", None), store.begin("ann", None), store.begin("bob", None)
    for session, name in ((second, "q2"), (other, "q1"), (first, "q1"), (first, "q2")):
        close(store, session, name)
    found = {(each.session, each.answered.question) for each in store.closed("ann")}
    assert found == {(first, "q1"), (first, "q2"), (second, "q2")}
    assert [each.session for each in store.closed("bob")] == [other]
    assert store.closed("carl") == []


def test_reviews_are_listed_by_user(store: Store) -> None:
    mine, other = store.begin("ann", None), store.begin("bob", None)
    close(store, mine, "q1")
    close(store, other, "q1")
    assert [each.session for each in store.reviews(user="ann")] == [mine]
    assert store.reviews(user="carl") == []
