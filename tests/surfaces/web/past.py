"""Interviews that people had before a test looks at their pages: real ones, graded by a judge that needs no model."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import unescape

from team import Site

from interviewer.grading.score import score_of
from interviewer.interview.session import Interviews, Session
from interviewer.models import CodeRun, Plan, PointVerdict, Question, Reference, Standing, Verdict

FIRST, SECOND = "training-loop-steps", "activation-choice"
REPLY = "Gradients <b>add up</b>.\n\n```python\nloss = model(x).sum()\n```\n\nSo I call zero_grad."
PLAN = Plan(only=(FIRST, SECOND))


class HalfSure:
    """Takes the first point as half said, by the whole reply's first word; the others as missing. Not sure of it."""

    def grade(
        self,
        question: Question,
        reply: str,
        *,
        probing: str = "",
        run: CodeRun | None = None,
        references: tuple[Reference, ...] = (),
    ) -> Verdict:
        points = [
            PointVerdict(
                point=p.id,
                claim=p.claim,
                verdict=Standing.MISSING if number else Standing.PARTIAL,
                weight=p.weight,
                quote="" if number else reply.split()[0],
                probability=1.0 if number else 0.4,
            )
            for number, p in enumerate(question.points)
        ]
        return Verdict(points=tuple(points), score=score_of(points, ()), confidence=0.4, judge="the test's judge")


def interviews(site: Site) -> Interviews:
    house = site.house
    return Interviews(house.settings, bank=house.bank, judge=HalfSure(), sandbox=house.sandbox)


def interview(site: Site, user: str, said: Sequence[str], plan: Plan = PLAN) -> Session:
    session = interviews(site).begin(plan, user)
    for text in said:
        session.reply(text)
    return session


def words(page: str) -> str:
    """What a page says, without its tags and its look."""
    text = re.sub(r"<[^>]+>", " ", re.sub(r"<style.*?</style>", "", page, flags=re.DOTALL))
    return " ".join(unescape(text).split())
