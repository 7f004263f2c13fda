"""Fits the point model of the embedded judge on our labelled replies, and says how well it does on unseen questions.

Deterministic. Cross-validation leaves out whole questions, since replies to one question are alike.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold
from sklearn.preprocessing import StandardScaler

from eval.cases import Case, our_cases
from eval.metrics import agreement
from interviewer.bank.corpus import bundled_corpus, read_corpus
from interviewer.embedding import Embedder
from interviewer.grading import judge as judge_module
from interviewer.grading.features import NAMES, measure
from interviewer.grading.judge import EmbeddedJudge
from interviewer.grading.model import CLASSES, PointModel, expand
from interviewer.models import MAX_SCORE, Question

WEIGHTS = Path(judge_module.__file__).with_name("weights.json")
_FOLDS = 8
_STRENGTH = 0.1  # inverse regularisation

Array = NDArray[np.float64]


def train(out: Path = WEIGHTS) -> dict[str, Any]:
    """Fits on the cases of the part ``train``, writes ``out``, returns the cross-validated figures."""
    cases = our_cases("train")
    named = {case.question_id for case in cases}
    questions = {q.id: q for q in read_corpus(bundled_corpus()) if q.id in named}
    embedder = Embedder()
    x, y, groups = _rows(cases, questions, embedder)
    figures = _cross_validate(cases, questions, embedder, x, y, groups)
    model = fit(x, y)
    card = {
        "fitted_on": f"{len(cases)} replies to {len(questions)} questions of the bank, {len(y)} points",
        "held_out_questions": {k: round(v, 3) for k, v in figures.items()},
        "features": list(NAMES),
        "classes": [c.value for c in CLASSES],
        "mean": model.mean.round(5).tolist(),
        "scale": model.scale.round(5).tolist(),
        "coefficients": model.coefficients.round(5).tolist(),
        "intercepts": model.intercepts.round(5).tolist(),
    }
    out.write_text(json.dumps(card, indent=1) + "\n", encoding="utf-8")
    return figures


def fit(x: Array, y: Array) -> PointModel:
    """``x`` [points, inputs], ``y`` [points] indexes CLASSES."""
    scaler = StandardScaler().fit(x)
    regression = LogisticRegression(C=_STRENGTH, max_iter=2000).fit(scaler.transform(x), y)
    coefficients = np.zeros((len(CLASSES), x.shape[1]))
    intercepts = np.full(len(CLASSES), -20.0)  # a class that never occurs
    for row, label in enumerate(regression.classes_):
        coefficients[int(label)] = regression.coef_[row]
        intercepts[int(label)] = regression.intercept_[row]
    return PointModel(scaler.mean_, scaler.scale_, coefficients, intercepts)


def _rows(cases: list[Case], questions: dict[str, Question], embedder: Embedder) -> tuple[Array, Array, Array]:
    """A row for each point that words may earn, in every reply where something was heard."""
    x, y, groups = [], [], []
    names = sorted(questions)
    for case in cases:
        question = questions[case.question_id]
        for m in measure(question, case.answer, embedder, references=question.references):
            if m.unit is not None and m.point.id in case.points:
                x.append(expand(m.features))
                y.append(CLASSES.index(case.points[m.point.id]))
                groups.append(names.index(case.question_id))
    return np.array(x), np.array(y), np.array(groups)


def _cross_validate(
    cases: list[Case], questions: dict[str, Question], embedder: Embedder, x: Array, y: Array, groups: Array
) -> dict[str, float]:
    names = sorted(questions)
    given, person, lengths, right = [], [], [], []
    folds = min(_FOLDS, len(set(groups.tolist())))
    for seen, unseen in GroupKFold(n_splits=folds).split(x, y, groups):
        model = fit(x[seen], y[seen])
        judge = EmbeddedJudge(embedder, model)
        held_out = {names[int(g)] for g in groups[unseen]}
        for case in (c for c in cases if c.question_id in held_out and not questions[c.question_id].wants_code):
            question = questions[case.question_id]
            verdict = judge.grade(question, case.answer, references=question.references)
            given.append(verdict.score or 0.0)
            person.append(MAX_SCORE * case.score / case.max_score)
            lengths.append(len(case.answer.split()))
            right += [case.points[p.point] is p.verdict for p in verdict.points if p.point in case.points]
    by_length = float(np.corrcoef(lengths, person)[0, 1])
    return {**agreement(given, person), "pearson_of_word_count": by_length, "point_accuracy": float(np.mean(right))}
