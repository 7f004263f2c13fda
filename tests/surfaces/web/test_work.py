"""Long work in the background: told, one after another, cancelled."""

from __future__ import annotations

import time
from threading import Event

from interviewer.errors import UsageError
from interviewer.surfaces.web.work import Piece, Say, Stage, Work

PATIENCE = 10.0  # seconds


def ended(work: Work, piece_id: str) -> Piece:
    deadline = time.monotonic() + PATIENCE
    while (piece := work.get(piece_id)) and piece.stage is Stage.GOES_ON and time.monotonic() < deadline:
        time.sleep(0.005)
    assert piece
    return piece


def test_work_tells_how_far_it_is_and_where_it_led() -> None:
    work, told, go_on = Work(), Event(), Event()

    def task(say: Say) -> str:
        say("2 of 3")
        told.set()
        go_on.wait(PATIENCE)
        return "/there"

    piece_id = work.begin("Reading", task)
    assert told.wait(PATIENCE)
    piece = work.get(piece_id)
    assert piece and (piece.stage, piece.step) == (Stage.GOES_ON, "2 of 3")
    go_on.set()
    assert (done := ended(work, piece_id)).stage is Stage.DONE and done.leads_to == "/there"


def test_cancelled_work_stops_at_its_next_step() -> None:
    work, begun, go_on, steps = Work(), Event(), Event(), list[str]()

    def task(say: Say) -> str:
        for step in ("first", "second", "third"):
            say(step)
            steps.append(step)
            begun.set()
            go_on.wait(PATIENCE)
        return "/there"

    piece_id = work.begin("Reading", task, leads_to="/back")
    assert begun.wait(PATIENCE)
    work.cancel(piece_id)
    go_on.set()
    piece = ended(work, piece_id)
    assert (piece.stage, piece.leads_to, steps) == (Stage.CANCELLED, "/back", ["first"])


def test_one_piece_waits_for_another_and_may_be_cancelled_meanwhile() -> None:
    work, go_on, ran = Work(), Event(), list[str]()
    first = work.begin("First", lambda _: "/first" if go_on.wait(PATIENCE) else "")
    second = work.begin("Second", lambda _: ran.append("second") or "/second")
    third = work.begin("Third", lambda _: ran.append("third") or "/third")
    work.cancel(second)
    assert not ran
    go_on.set()
    assert [ended(work, each).stage for each in (first, second, third)] == [Stage.DONE, Stage.CANCELLED, Stage.DONE]
    assert ran == ["third"]


def test_what_is_to_be_done_afterwards_is_done_also_where_the_work_never_began() -> None:
    work, go_on, tidied = Work(), Event(), list[str]()
    first = work.begin("First", lambda _: "/1" if go_on.wait(PATIENCE) else "", afterwards=lambda: tidied.append("1"))
    second = work.begin("Second", lambda _: "/2", afterwards=lambda: tidied.append("2"))
    work.cancel(second)
    go_on.set()
    assert [ended(work, each).stage for each in (first, second)] == [Stage.DONE, Stage.CANCELLED]
    assert tidied == ["1", "2"]


def test_work_is_not_forgotten_before_it_was_done() -> None:
    work, go_on = Work(), Event()
    pieces = [work.begin("Waits", lambda _: "/there" if go_on.wait(PATIENCE) else "") for _ in range(60)]
    go_on.set()
    assert [ended(work, each).leads_to for each in pieces] == ["/there"] * 60


def test_what_went_wrong_is_told_in_a_sentence_and_the_next_piece_is_done() -> None:
    work = Work()

    def refuse(_: Say) -> str:
        raise UsageError("It was not read.")

    def break_(_: Say) -> str:
        raise ZeroDivisionError("a secret")

    assert ended(work, work.begin("One", refuse)).told == "It was not read."
    broken = ended(work, work.begin("Two", break_))
    assert broken.stage is Stage.FAILED and "secret" not in broken.told
    assert ended(work, work.begin("Three", lambda _: "/x")).stage is Stage.DONE
