"""How the verdicts on several messages are joined."""

from __future__ import annotations

from interviewer.interview.grade import merge
from interviewer.models import Standing, Verdict
from tests.interview.reviewing import Told, verdict

COVERED, PARTIAL, MISSING, CONTRADICTED = Standing


def chance_of(joined: Verdict, point: str) -> tuple[Standing, float]:
    return next((p.verdict, p.probability) for p in joined.points if p.point == point)


def test_silence_on_a_point_leaves_it_as_it_was() -> None:
    joined = merge(verdict({"adds": (COVERED, 0.4)}), verdict({"when": (COVERED, 0.9)}))
    assert chance_of(joined, "adds") == (COVERED, 0.4)


def test_nothing_said_on_what_was_asked_settles_that_it_is_missing() -> None:
    before, after = verdict({"adds": (MISSING, 0.5)}), verdict({"adds": (MISSING, 0.95)})
    assert chance_of(merge(before, after), "adds") == (MISSING, 0.5)
    assert chance_of(merge(before, after, probing="adds"), "adds") == (MISSING, 0.95)


def test_saying_it_again_more_clearly_makes_it_surer() -> None:
    joined = merge(verdict({"adds": (COVERED, 0.4)}), verdict({"adds": (COVERED, 0.95)}))
    assert chance_of(joined, "adds") == (COVERED, 0.95)


def test_a_correction_and_a_contradiction_replace_what_stood() -> None:
    right: Told = {"adds": (COVERED, 0.7)}
    wrong: Told = {"adds": (CONTRADICTED, 0.6)}
    held = verdict(wrong, held=["overwrites"])
    assert chance_of(merge(held, verdict(right)), "adds")[0] is COVERED
    assert merge(held, verdict(right)).misconceptions == ()
    assert merge(verdict(right), held).misconceptions == held.misconceptions


def test_confidence_grows_when_a_doubt_is_settled_and_not_by_talk() -> None:
    doubtful = verdict({"adds": (COVERED, 0.3), "clears": (COVERED, 0.9)}, confidence=0.4)
    settled = merge(doubtful, verdict({"adds": (COVERED, 0.95)}, confidence=0.95), probing="adds")
    talked = merge(doubtful, verdict({"clears": (COVERED, 0.8)}, confidence=0.95), probing="adds")
    assert settled.confidence > 0.6
    assert talked.confidence == doubtful.confidence


def test_confidence_falls_when_a_sure_point_becomes_doubtful() -> None:
    sure = verdict({"adds": (COVERED, 0.9)}, confidence=0.9)
    assert merge(sure, verdict({"adds": (CONTRADICTED, 0.5)}, confidence=0.9)).confidence < 0.8


def test_a_doubt_about_a_message_as_a_whole_is_settled_by_the_next() -> None:
    """As with options: no letter was named, then one was."""
    assert merge(verdict({}, confidence=0.4), verdict({}, confidence=1.0)).confidence == 1.0
