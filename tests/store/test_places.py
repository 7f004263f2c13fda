from __future__ import annotations

from pathlib import Path

import pytest

from interviewer.models import Plan
from interviewer.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "db.sqlite3")


def test_a_place_remembers_how_far_its_session_was_shown(store: Store) -> None:
    session = store.begin("ann", Plan())
    assert store.places.bind("here", session, "ann").shown == -1
    store.places.begin_answer("here", "m1")
    store.places.hear("here", "1.5")
    place = store.places.bind("here", session, "ann")
    assert (place.pending, place.heard) == ("m1", "1.5")
    store.places.show("here", 4)
    place = store.places.at("here")
    assert place is not None and (place.shown, place.pending, place.heard) == (4, "", "1.5")


def test_a_place_changes_over_to_another_session_of_its_user_and_to_nobody_elses(store: Store) -> None:
    first, second, his = store.begin("ann", None), store.begin("ann", None), store.begin("bob", None)
    store.places.bind("here", first, "ann")
    store.places.show("here", 6)
    changed = store.places.bind("here", second, "ann")
    assert (changed.session, changed.shown) == (second, -1)
    assert store.places.bind("here", his, "bob") == changed


def test_places_are_found_by_user_and_by_session(store: Store) -> None:
    mine, his = store.begin("ann", None), store.begin("bob", None)
    for place, session, user in (("a", mine, "ann"), ("b", his, "bob"), ("c", mine, "ann")):
        store.places.bind(place, session, user)
    assert [p.place for p in store.places.of("ann")] == ["a", "c"] == [p.place for p in store.places.of_session(mine)]
    assert store.places.at("d") is None
