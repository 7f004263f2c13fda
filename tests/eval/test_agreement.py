from __future__ import annotations

import pytest

from eval.agreement import agreement_over_time
from interviewer.models import Answered, Evidence, Judgement, Level, ReviewKind, Standing, Topic, Verdict
from interviewer.store import Review
from tests.interview.reviewing import Told, question, verdict

COVERED, PARTIAL, MISSING, CONTRADICTED = Standing
ALL: Told = {"adds": (COVERED, 0.9), "clears": (COVERED, 0.9), "when": (COVERED, 0.9)}
ONE: Told = {"adds": (COVERED, 0.9)}


def review(
    number: int, grader: Verdict, person: Verdict | None, decided: str, kind: ReviewKind = ReviewKind.DISPUTE
) -> Review:
    answered = Answered(question="q", text="?", topic=Topic.DATA, level=Level.MID, verdict=grader)
    judgement = None if person is None else Judgement.UPHELD if person == grader else Judgement.CHANGED
    return Review(
        id=number,
        session="s",
        question="q",
        kind=kind,
        reason="why",
        opened="2026-01-01",
        evidence=Evidence(question=question("q"), answered=answered),
        judgement=judgement,
        decided=decided if person else "",
        verdict=person,
    )


REVIEWS = [
    review(1, verdict(ALL), verdict(ALL), "2026-10-02T10:00:00+00:00"),
    review(2, verdict(ALL), verdict(ONE), "2026-10-03T10:00:00+00:00", ReviewKind.UNSURE),
    review(3, verdict({}, judge="later"), verdict({}, judge="later"), "2026-11-01T10:00:00+00:00"),
    review(4, verdict(ALL), None, ""),
]


def test_figures_are_of_decided_reviews_and_the_others_are_counted_as_waiting() -> None:
    figures = agreement_over_time(REVIEWS)
    assert figures["waiting"] == 1
    overall = figures["overall"]
    assert (overall["reviews"], overall["upheld"]) == (3, pytest.approx(2 / 3, abs=1e-3))
    assert overall["points"] == pytest.approx(7 / 9, abs=1e-3)  # two of the nine points were corrected
    assert overall["mean_absolute_difference"] == pytest.approx(2.5 / 3, abs=1e-3)  # 5 became 2.5
    assert 0 < overall["qwk"] < 1


def test_months_are_those_of_the_decision_each_with_its_kinds_and_judges() -> None:
    months = agreement_over_time(REVIEWS)["by_month"]
    assert list(months) == ["2026-10", "2026-11"]
    assert {k: v["upheld"] for k, v in months["2026-10"]["by_kind"].items()} == {"dispute": 1.0, "unsure": 0.0}
    assert {k: v["reviews"] for k, v in months["2026-11"]["by_judge"].items()} == {"later": 1}


def test_what_cannot_be_said_is_none() -> None:
    empty = agreement_over_time([])
    assert empty["by_month"] == {} and empty["overall"]["reviews"] == 0
    assert empty["overall"]["upheld"] is empty["overall"]["points"] is empty["overall"]["qwk"] is None
    assert agreement_over_time(REVIEWS[:1])["overall"]["qwk"] is None
