"""Fits what turns readings into verdicts: the regressions of the decision, the thresholds, and the curve of the confidence.

Twice: for questions that name misconceptions, and for those that name none, on the same replies with the misconceptions taken
away. All on replies to questions that the reader was not trained on. Thresholds are chosen by chances that were cross-fitted with
whole questions left out. What is sought is the smallest squared error of the score, with what nobody should see counted on
top: an expert under 4, or a misconception above 2.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold
from sklearn.preprocessing import StandardScaler

from eval.cases import Case
from interviewer.grading.confidence import CLOSE, spread
from interviewer.grading.decision import Decision, Regression, Summary, signs_of_misconception, signs_of_point
from interviewer.grading.judge import Heard, Rules, Thresholds, read_reply, verdict_of, weigh
from interviewer.grading.reader import ORDER, ClaimReader
from interviewer.models import MAX_SCORE, Check, CodeRun, Outcome, Question, Standing

_STRENGTH = 1.0  # inverse regularisation
_STRENGTH_ALONE = 0.1  # where no misconceptions are named: those rules must also serve rubrics that nobody wrote
_FOLDS = 10
_COVERED = (0.35, 0.4, 0.45, 0.5, 0.55, 0.6)
_PARTIAL = (0.25, 0.3, 0.35, 0.4, 0.45)
_CONTRADICTED = (0.3, 0.4, 0.5, 0.6)
_HELD = (0.2, 0.3, 0.4, 0.5, 0.6)
_WRONG = frozenset({"misconception", "verbose-wrong"})
_FAULT = 0.5  # of squared error, for a score on the wrong side of what is promised

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Read:
    """A labelled reply as the reader heard it, with the run that its labels speak of."""

    case: Case
    question: Question
    read: dict[str, Summary]
    run: CodeRun | None

    @property
    def person(self) -> float:
        return MAX_SCORE * self.case.score / self.case.max_score

    def points_alone(self) -> Read:
        """As if its question named no misconceptions."""
        question = self.question.model_copy(update={"misconceptions": ()})
        points = {p.id for p in question.points}
        return replace(self, question=question, read={name: s for name, s in self.read.items() if name in points})


def read_all(cases: Sequence[Case], questions: dict[str, Question], reader: ClaimReader) -> list[Read]:
    """The reader on each case. Nothing is run: the labels say which points a run has proven."""
    found = []
    for case in cases:
        question = questions[case.question_id]
        found.append(Read(case, question, read_reply(reader, question, case.answer), _labelled_run(case, question)))
    return found


def _labelled_run(case: Case, question: Question) -> CodeRun | None:
    if question.task is None:
        return None
    proven = {name for p in question.points if case.points.get(p.id) is Standing.COVERED for name in p.proven_by}
    checks = tuple(Check(name=name, passed=name in proven) for name in question.task.names)
    return CodeRun(outcome=Outcome.PASSED if all(c.passed for c in checks) else Outcome.FAILED, checks=checks)


def fit_rules(read: Sequence[Read]) -> tuple[Rules, Floats]:
    """The rules, and the scores [replies] that rules fitted without a reply's question give it."""
    heard = _cross_fitted(read)
    grid = itertools.product(_COVERED, _PARTIAL, _CONTRADICTED, _HELD)
    tried = dict.fromkeys(Thresholds(covered=c, partial=min(p, c), contradicted=x, held=h) for c, p, x, h in grid)
    best = min(tried, key=lambda thresholds: _cost(read, _scores(read, heard, thresholds)))
    thresholds = _with_confidence(read, heard, best)
    return Rules(decision=fit_decision(read), thresholds=thresholds), _scores(read, heard, thresholds)


def cross_scores(read: Sequence[Read], others: Sequence[Read], thresholds: Thresholds) -> Floats:
    """[others]: the scores of other readings of the same questions, each by a decision that was fitted on ``read`` without its
    question."""
    fitted = {name: fit_decision([r for r in read if r.case.question_id != name]) for name in _names(others)}
    heard = [weigh(o.question, o.read, fitted[o.case.question_id]) for o in others]
    return _scores(others, heard, thresholds)


def _names(read: Sequence[Read]) -> list[str]:
    return sorted({r.case.question_id for r in read})


def scores(read: Sequence[Read], rules: Rules) -> Floats:
    """[replies]"""
    return _scores(read, [weigh(r.question, r.read, rules.decision) for r in read], rules.thresholds)


def _cross_fitted(read: Sequence[Read]) -> list[Heard]:
    names = _names(read)
    groups = [names.index(r.case.question_id) for r in read]
    heard: list[Heard | None] = [None] * len(read)
    for seen, unseen in GroupKFold(n_splits=min(_FOLDS, len(names))).split(groups, groups=groups):
        decision = fit_decision([read[i] for i in seen])
        for i in unseen:
            heard[i] = weigh(read[i].question, read[i].read, decision)
    return [h for h in heard if h is not None]


def fit_decision(read: Sequence[Read]) -> Decision:
    points, standing, wrong, held = [], [], [], []
    for r in (r for r in read if r.read):
        for p in (p for p in r.question.points if p.id in r.read and p.id in r.case.points):
            points.append(signs_of_point(r.question, p.id, r.read))
            standing.append(ORDER.index(r.case.points[p.id]))
        for m in r.question.misconceptions:
            wrong.append(signs_of_misconception(r.question, m, r.read))
            held.append(int(m.id in r.case.misconceptions))
    strength = _STRENGTH if wrong else _STRENGTH_ALONE
    return Decision(
        points=_regression(points, standing, len(ORDER), strength),
        misconceptions=_regression(wrong, held, 2, strength) if wrong else None,
    )


def _regression(signs: Sequence[Floats], classes: Sequence[int], count: int, strength: float) -> Regression:
    scaler = StandardScaler().fit(signs)
    fitted = LogisticRegression(C=strength, max_iter=3000).fit(scaler.transform(signs), classes)
    coefficients = np.zeros((count, len(signs[0])))
    intercepts = np.full(count, -20.0)  # a class that never occurs
    if count == 2:
        coefficients[1], intercepts[:] = fitted.coef_[0], (0.0, fitted.intercept_[0])
    else:
        coefficients[fitted.classes_], intercepts[fitted.classes_] = fitted.coef_, fitted.intercept_
    return Regression(
        mean=_rounded(scaler.mean_),
        scale=_rounded(scaler.scale_),
        coefficients=tuple(map(_rounded, coefficients)),
        intercepts=_rounded(intercepts),
    )


def _rounded(values: Floats) -> tuple[float, ...]:
    return tuple(round(float(v), 5) for v in values)


def _scores(read: Sequence[Read], heard: Sequence[Heard], thresholds: Thresholds) -> Floats:
    pairs = zip(read, heard, strict=True)
    return np.array([verdict_of(r.question, h, r.run, thresholds).score or 0.0 for r, h in pairs])


def _cost(read: Sequence[Read], given: Floats) -> float:
    person = np.array([r.person for r in read])
    expert = np.array([r.case.style == "expert" for r in read])
    wrong = np.array([r.case.style in _WRONG for r in read])
    faults = (expert & (given < 4)) | (wrong & (given > 2))
    return float(np.mean((given - person) ** 2) + _FAULT * np.mean(faults))


def _with_confidence(read: Sequence[Read], heard: Sequence[Heard], thresholds: Thresholds) -> Thresholds:
    spreads = [spread(r.question.points, h.points) for r, h in zip(read, heard, strict=True)]
    close = np.abs(_scores(read, heard, thresholds) - np.array([r.person for r in read])) <= CLOSE
    curve = LogisticRegression(C=100).fit(np.array(spreads)[:, None], close)
    return thresholds.model_copy(
        update={
            "confidence_at_none": round(float(curve.intercept_[0]), 3),
            "confidence_fall": round(float(-curve.coef_[0, 0]), 3),
        }
    )
