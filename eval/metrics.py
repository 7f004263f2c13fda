"""How well scores agree with a person's, by the field's usual measures."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.stats import pearsonr, spearmanr
from sklearn.metrics import cohen_kappa_score

from interviewer.models import MAX_SCORE


def agreement(given: Sequence[float], person: Sequence[float]) -> dict[str, float]:
    """Both on 0 to 5. Pearson and Spearman; quadratically weighted kappa (Cohen, 1968) and exact and
    within-one shares on whole scores; RMSE in points of 5. A constant row has no correlation: 0."""
    a, b = np.asarray(given, dtype=float), np.asarray(person, dtype=float)
    whole_a, whole_b = np.rint(a).astype(int), np.rint(b).astype(int)
    varied = a.std() > 0 and b.std() > 0
    return {
        "n": float(len(a)),
        "pearson": float(pearsonr(a, b).statistic) if varied else 0.0,
        "spearman": float(spearmanr(a, b).statistic) if varied else 0.0,
        "qwk": float(cohen_kappa_score(whole_a, whole_b, weights="quadratic", labels=range(int(MAX_SCORE) + 1)))
        if varied
        else 0.0,
        "rmse": float(np.sqrt(np.mean((a - b) ** 2))),
        "exact": float(np.mean(whole_a == whole_b)),
        "within_one": float(np.mean(np.abs(whole_a - whole_b) <= 1)),
    }
