from __future__ import annotations

import threading
from pathlib import Path

import pytest

from interviewer.store import Inbox, Store


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "db.sqlite3")


def inbox(store: Store, tmp_path: Path, now: float = 0.0) -> Inbox:
    return Inbox(store._engine, tmp_path / "locks", lambda: now)


def test_a_name_is_taken_once_over_all_processes(store: Store, tmp_path: Path) -> None:
    processes = [inbox(store, tmp_path) for _ in range(8)]
    taken: list[bool] = []
    threads = [threading.Thread(target=lambda p=p: taken.append(p.take("e1", {}))) for p in processes]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert sorted(taken) == [False] * 7 + [True]


def test_what_was_handled_stays_taken_and_its_body_goes(store: Store, tmp_path: Path) -> None:
    first = inbox(store, tmp_path)
    first.take("e1", {"text": "a trombone"}, "ann")
    first.finish("e1")
    first.close()
    other = inbox(store, tmp_path)
    assert not other.take("e1", {}) and not other.unfinished()
    assert b"trombone" not in (tmp_path / "db.sqlite3").read_bytes()


def test_what_a_process_left_goes_to_one_other_in_the_order_of_arrival(store: Store, tmp_path: Path) -> None:
    dying = inbox(store, tmp_path, 1.0)
    dying.take("e1", {"n": 1})
    dying._now = lambda: 0.5
    dying.take("e0", {"n": 0})
    living = inbox(store, tmp_path)
    assert living.unfinished() == []
    dying.close()
    assert living.unfinished() == [{"n": 0}, {"n": 1}]
    assert inbox(store, tmp_path).unfinished() == []
    living.close()
    assert len(inbox(store, tmp_path).unfinished()) == 2


def test_ids_are_kept_for_three_days(store: Store, tmp_path: Path) -> None:
    day = 24 * 3600.0
    inbox(store, tmp_path, 0.0).take("e1", {})
    assert not inbox(store, tmp_path, 2.9 * day).take("e1", {})
    assert inbox(store, tmp_path, 3.1 * day).take("e1", {})
