"""Who works for an answer goes before who works ahead, and no more work at a time than there are places."""

from __future__ import annotations

import threading
import time

import pytest

from interviewer.grading.places import Places


def test_no_more_than_there_are_places_work_at_once() -> None:
    places, at_work, most = Places(2), [0], [0]
    lock = threading.Lock()

    def work() -> None:
        with places.at_once():
            with lock:
                at_work[0] += 1
                most[0] = max(most[0], at_work[0])
            time.sleep(0.02)
            with lock:
                at_work[0] -= 1

    threads = [threading.Thread(target=work) for _ in range(6)]
    for each in threads:
        each.start()
    for each in threads:
        each.join(10)
    assert most[0] == 2 and at_work[0] == 0


def test_who_waits_for_an_answer_goes_first_also_when_they_came_last() -> None:
    places, order = Places(1), list[str]()
    held, waits = threading.Event(), threading.Event()

    def ahead() -> None:
        for _ in range(3):
            with places.when_idle():
                order.append("ahead")
                held.set()
                waits.wait(10)
                time.sleep(0.05)  # the other one is in line by now

    def answer() -> None:
        waits.set()
        with places.at_once():
            order.append("answer")

    first = threading.Thread(target=ahead)
    first.start()
    assert held.wait(10)
    second = threading.Thread(target=answer)
    second.start()
    for each in (first, second):
        each.join(10)
    assert order == ["ahead", "answer", "ahead", "ahead"]


def test_a_place_is_free_again_after_an_error() -> None:
    places, entered = Places(1), 0
    for place in (places.at_once, places.at_once, places.when_idle):
        with pytest.raises(ValueError), place():
            entered += 1
            raise ValueError
    assert entered == 3
