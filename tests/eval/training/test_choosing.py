"""Rules fitted on a few labelled replies, read by the shipped reader."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from eval.cases import Case, our_cases
from eval.training.choosing import Read, cross_scores, fit_rules, read_all
from interviewer.bank.bank import Bank
from interviewer.grading.reader import ClaimReader
from interviewer.models import Standing

pytestmark = pytest.mark.models

FEW = ("adam-vs-sgd", "autograd-engine", "cat-vs-stack", "dataset-dataloader")


@pytest.fixture(scope="module")
def replies(bank: Bank) -> list[Read]:
    questions = {q.id: q for q in bank.questions()}
    return read_all([c for c in our_cases("train") if c.question_id in FEW], questions, ClaimReader())


def test_rules_for_points_alone_know_no_misconceptions(replies: list[Read]) -> None:
    alone = [r.points_alone() for r in replies]
    assert {name for r in alone for name in r.read} <= {p.id for r in alone for p in r.question.points}
    rules, scores = fit_rules(alone)
    assert rules.decision.misconceptions is None
    assert len(scores) == len(replies)


def test_a_reply_is_scored_by_rules_that_saw_no_label_of_its_question(replies: list[Read]) -> None:
    rules, _ = fit_rules(replies)
    own = [r for r in replies if r.question.id == FEW[0]]
    turned = [replace(r, case=_all_missing(r)) if r in own else r for r in replies]
    before, after = (cross_scores(read, own, rules.thresholds) for read in (replies, turned))
    assert np.array_equal(before, after)


def _all_missing(reply: Read) -> Case:
    return reply.case.model_copy(update={"points": dict.fromkeys(reply.case.points, Standing.MISSING)})
