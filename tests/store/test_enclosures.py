from __future__ import annotations

from pathlib import Path

from interviewer.models import Plan
from interviewer.store import Enclosure, Store


def test_what_was_brought_is_remembered_until_it_is_settled_and_forgotten_with_its_person(tmp_path: Path) -> None:
    store = Store(tmp_path / "db.sqlite3")
    session = store.begin("ann", Plan())
    assert store.enclosures.at(session) is None
    store.enclosures.bring(session, ("F1", "F2"))
    assert Store(tmp_path / "db.sqlite3").enclosures.at(session) == Enclosure(("F1", "F2"), settled=False)
    store.enclosures.settle(session)
    assert store.enclosures.at(session) == Enclosure((), settled=True)
    store.forget("ann")
    assert store.enclosures.at(session) is None
