from __future__ import annotations

from pathlib import Path

import pytest

from interviewer.errors import UnknownSession
from interviewer.models import Filing, Level, Part, PartKind, Plan, ReviewKind, Role, Turn
from interviewer.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "new folder" / "db.sqlite3")


def turn(seq: int, text: str) -> Turn:
    return Turn(seq=seq, role=Role.CANDIDATE if seq % 2 else Role.INTERVIEWER, text=text)


def test_a_turn_is_there_for_another_process_as_soon_as_it_was_added(store: Store, tmp_path: Path) -> None:
    session = store.begin("ann", Plan())
    store.add_turn(session, turn(0, "hello"))
    assert [t.text for t in Store(tmp_path / "new folder" / "db.sqlite3").turns(session)] == ["hello"]


def test_adding_a_turn_again_changes_nothing(store: Store) -> None:
    session = store.begin("ann", None)
    assert store.add_turn(session, turn(0, "first"))
    assert not store.add_turn(session, turn(0, "second"))
    assert [t.text for t in store.turns(session)] == ["first"]


def test_a_message_key_is_taken_once(store: Store) -> None:
    session = store.begin("ann", None)
    assert store.add_turn(session, turn(1, "a"), key="k")
    assert not store.add_turn(session, turn(3, "a"), key="k")
    assert store.seq_of(session, "k") == 1
    assert store.seq_of(session, "other") is None


def test_turns_come_back_as_they_were(store: Store) -> None:
    said = Turn(seq=0, role=Role.INTERVIEWER, parts=(Part(kind=PartKind.QUESTION, text="Why?"),), at="2026-01-01")
    session = store.begin("ann", None)
    store.answer(session, said)
    assert store.turns(session) == [said]


def test_a_plan_comes_back_as_it_was(store: Store) -> None:
    plan = Plan(level=Level.STAFF, minutes=10)
    assert store.session(store.begin("ann", plan)).plan == plan


def test_sessions_are_listed_by_user(store: Store) -> None:
    mine = store.begin("ann", None)
    store.begin("bob", None)
    assert [row.id for row in store.sessions("ann")] == [mine]
    assert len(store.sessions()) == 2


def test_an_unknown_session_is_said_to_be_unknown(store: Store) -> None:
    with pytest.raises(UnknownSession, match="no session 'nope'"):
        store.session("nope")


def test_an_answer_and_what_it_files_are_stored_together_and_once(store: Store) -> None:
    session = store.begin("ann", None)
    filing = Filing(kind=ReviewKind.DISPUTE, question="q1", reason="too harsh")
    for _ in range(2):
        store.answer(session, turn(2, "noted"), filed=[filing], ended=True)
    [review] = store.reviews(open_only=True)
    assert (review.question, review.reason) == ("q1", "too harsh")
    assert store.session(session).ended
