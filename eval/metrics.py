"""How well scores and classes agree with a person's, by the field's usual measures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import pearsonr, spearmanr
from sklearn.metrics import cohen_kappa_score, confusion_matrix, precision_recall_fscore_support

from interviewer.models import MAX_SCORE

_DUST = 1e-9  # what is left by rounding where all are alike

Array = NDArray[np.float64]


def agreement(given: Sequence[float], person: Sequence[float]) -> dict[str, float]:
    """Both on 0 to 5. Pearson and Spearman; quadratically weighted kappa (Cohen, 1968) and exact and
    within-one shares on whole scores; RMSE and mean absolute error in points of 5. A constant row has no
    correlation and, where both sides always round to the same score, no kappa: 0."""
    a, b = np.asarray(given, dtype=float), np.asarray(person, dtype=float)
    whole_a, whole_b = np.rint(a).astype(int), np.rint(b).astype(int)
    varied = min(np.ptp(a), np.ptp(b)) > _DUST
    several = len({*whole_a.tolist(), *whole_b.tolist()}) > 1
    return {
        "n": float(len(a)),
        "pearson": float(pearsonr(a, b).statistic) if varied else 0.0,
        "spearman": float(spearmanr(a, b).statistic) if varied else 0.0,
        "qwk": float(cohen_kappa_score(whole_a, whole_b, weights="quadratic", labels=range(int(MAX_SCORE) + 1)))
        if varied and several
        else 0.0,
        "rmse": float(np.sqrt(np.mean((a - b) ** 2))),
        "mae": float(np.mean(np.abs(a - b))),
        "exact": float(np.mean(whole_a == whole_b)),
        "within_one": float(np.mean(np.abs(whole_a - whole_b) <= 1)),
    }


def within_questions(given: Sequence[float], person: Sequence[float], questions: Sequence[str]) -> dict[str, float]:
    """Agreement of the deviations from each question's own mean, so that knowing which questions are hard earns nothing.
    Questions with a single reply have no deviation and are left out; ``n`` counts the replies that stay."""
    _, cluster = np.unique(np.asarray(questions), return_inverse=True)
    counts = np.bincount(cluster)
    kept = counts[cluster] > 1

    def deviations(values: Sequence[float]) -> Array:
        array = np.asarray(values, dtype=float)
        means = np.bincount(cluster, weights=array) / counts
        return (array - means[cluster])[kept]

    a, b = deviations(given), deviations(person)
    varied = len(a) > 1 and min(np.ptp(a), np.ptp(b)) > _DUST
    return {
        "n": float(kept.sum()),
        "pearson": float(pearsonr(a, b).statistic) if varied else 0.0,
        "spearman": float(spearmanr(a, b).statistic) if varied else 0.0,
        "rmse": float(np.sqrt(np.mean((a - b) ** 2))) if len(a) else 0.0,
    }


def classification(given: Sequence[str], person: Sequence[str], order: Sequence[str]) -> dict[str, Any]:
    """Precision, recall and F1 of each class of ``order`` that occurs on either side; their mean over the classes that the
    person used (macro), the same weighted by how often (weighted); ``confusion`` [person][given]. Empty without cases."""
    if not given:
        return {}
    names = [name for name in order if name in set(given) | set(person)]
    precision, recall, f1, support = precision_recall_fscore_support(person, given, labels=names, zero_division=0)
    used = support > 0
    return {
        "n": len(given),
        "accuracy": float(np.mean([a == b for a, b in zip(given, person, strict=True)])),
        "macro_f1": float(f1[used].mean()),
        "weighted_f1": float((f1 * support).sum() / support.sum()),
        "classes": {
            name: {"precision": float(p), "recall": float(r), "f1": float(f), "n": int(n)}
            for name, p, r, f, n in zip(names, precision, recall, f1, support, strict=True)
        },
        "confusion": confusion_matrix(person, given, labels=names).tolist(),
    }


def found(given: Sequence[frozenset[str]], person: Sequence[frozenset[str]]) -> dict[str, float]:
    """Precision, recall and F1 of what was found in each reply, over all replies together. Where nothing was claimed there
    is no false claim: precision 1; where there was nothing to find: recall 1."""
    right = sum(len(a & b) for a, b in zip(given, person, strict=True))
    claimed, there = sum(map(len, given)), sum(map(len, person))
    return {
        "n": float(there),
        "claimed": float(claimed),
        "precision": right / claimed if claimed else 1.0,
        "recall": right / there if there else 1.0,
        "f1": 2 * right / (claimed + there) if claimed + there else 1.0,
    }
