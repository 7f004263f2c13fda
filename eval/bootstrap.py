"""Intervals by resampling whole questions, since replies to one question are alike (Efron and Tibshirani, 1993).

Pearson, QWK, RMSE and mean absolute error follow from sums over the replies. So each question is summed up once, and a
thousand draws are one product of matrices: how often each question was drawn, times its sums.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

FIGURES = ("pearson", "qwk", "rmse", "mae")
_DRAWS = 1000
_SEED = 5
_LEAST = 5  # questions; of fewer an interval would say nothing
_TAILS = (2.5, 97.5)
_DUST = 1e-9  # of a sum of squares, what is left by rounding where all are alike

Array = NDArray[np.float64]
Interval = list[float]


def intervals(given: Sequence[float], person: Sequence[float], questions: Sequence[str]) -> dict[str, Interval] | None:
    """95 % percentile intervals of FIGURES; None where there are fewer than five questions."""
    drawn = _draws(questions)
    return None if drawn is None else _tails(figures(drawn @ question_sums(given, person, questions)))


def paired_intervals(
    before: Sequence[float], after: Sequence[float], person: Sequence[float], questions: Sequence[str]
) -> dict[str, Interval] | None:
    """The same of the differences of FIGURES, ``after`` less ``before``, both in the same draws."""
    drawn = _draws(questions)
    if drawn is None:
        return None
    first = figures(drawn @ question_sums(before, person, questions))
    second = figures(drawn @ question_sums(after, person, questions))
    return _tails({name: second[name] - first[name] for name in FIGURES})


def question_sums(given: Sequence[float], person: Sequence[float], questions: Sequence[str]) -> Array:
    """[questions, 12]: what ``figures`` needs, summed over the replies of each question."""
    a, b = np.asarray(given, dtype=float), np.asarray(person, dtype=float)
    whole_a, whole_b = np.rint(a), np.rint(b)
    columns = [np.ones_like(a), a, b, a * a, b * b, a * b, abs(a - b)]
    columns += [whole_a, whole_b, whole_a**2, whole_b**2, whole_a * whole_b]
    names, cluster = np.unique(np.asarray(questions), return_inverse=True)
    return np.stack([np.bincount(cluster, weights=c, minlength=len(names)) for c in columns], axis=1)


def figures(sums: Array) -> dict[str, Array]:
    """FIGURES of each row of ``sums`` [draws, 12]. QWK's disagreements are sums of squares too: what is observed is
    Σ(a-b)², and what chance would give is Σa² + Σb² - 2·Σa·Σb/n. 0 where ``metrics.agreement`` says 0."""
    n, a, b, aa, bb, ab, off, wa, wb, waa, wbb, wab = sums.T
    of_a, of_b = aa - a * a / n, bb - b * b / n
    varied = (of_a > _DUST * np.maximum(aa, 1)) & (of_b > _DUST * np.maximum(bb, 1))
    squares = of_a * of_b
    by_chance = waa + wbb - 2 * wa * wb / n
    several = varied & (by_chance > _DUST * np.maximum(waa, 1))
    return {
        "pearson": np.where(varied, (ab - a * b / n) / np.sqrt(np.where(varied, squares, 1.0)), 0.0),
        "qwk": np.where(several, 1 - (waa + wbb - 2 * wab) / np.where(several, by_chance, 1.0), 0.0),
        "rmse": np.sqrt(np.maximum(aa + bb - 2 * ab, 0) / n),
        "mae": off / n,
    }


def _draws(questions: Sequence[str]) -> Array | None:
    """[draws, questions]: how often each question was drawn. The same for the same number of questions."""
    count = len(set(questions))
    if count < _LEAST:
        return None
    return np.random.default_rng(_SEED).multinomial(count, np.full(count, 1 / count), size=_DRAWS).astype(float)


def _tails(drawn: dict[str, Array]) -> dict[str, Interval]:
    return {name: np.percentile(values, _TAILS).tolist() for name, values in drawn.items()}
