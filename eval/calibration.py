"""Whether a probability can be taken at its word, and what is gained by keeping silent where it is low."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

_BINS = 10
_CURVE = 100  # points of a curve that are kept

Array = NDArray[np.float64]


def reliability(probability: Sequence[float], right: Sequence[bool]) -> dict[str, Any]:
    """Expected calibration error over ten bins that hold about as many cases each (the same probability is never in two
    bins), the Brier score, and the bins: how many, the mean probability, the share that was right. Empty without cases."""
    p, r = np.asarray(probability, dtype=float), np.asarray(right, dtype=float)
    if not len(p):
        return {}
    edges = np.unique(np.quantile(p, np.linspace(0, 1, _BINS + 1)))
    bins = np.clip(np.searchsorted(edges, p, side="right") - 1, 0, max(0, len(edges) - 2))
    members = [bins == b for b in np.unique(bins)]
    table = [{"n": int(m.sum()), "probability": float(p[m].mean()), "right": float(r[m].mean())} for m in members]
    return {
        "n": len(p),
        "ece": sum(row["n"] * abs(row["probability"] - row["right"]) for row in table) / len(p),
        "brier": float(np.mean((p - r) ** 2)),
        "right": float(r.mean()),
        "bins": table,
    }


def risk_coverage(confidence: Sequence[float], error: Sequence[float]) -> dict[str, Any]:
    """The mean error of the most confident share of the cases, over all shares (El-Yaniv and Wiener, 2010), and the area
    below that curve, beside the areas of an order that knows the errors and of no order at all. Cases of the same
    confidence count with their mean error, so that their order says nothing. Empty without cases."""
    c, e = np.asarray(confidence, dtype=float), np.asarray(error, dtype=float)
    if not len(c):
        return {}
    _, group = np.unique(-c, return_inverse=True)
    means = np.bincount(group, weights=e) / np.bincount(group)
    curve, best = _running_mean(means[np.sort(group)]), _running_mean(np.sort(e))
    kept = np.unique(np.linspace(0, len(c) - 1, min(_CURVE, len(c))).round().astype(int))
    coverage = (kept + 1) / len(c)
    return {
        "coverage": coverage.tolist(),
        "risk": curve[kept].tolist(),
        "best_risk": best[kept].tolist(),
        "area": float(curve.mean()),
        "best_area": float(best.mean()),
        "area_of_no_order": float(e.mean()),
    }


def most_confident(confidence: Sequence[float], share: float) -> NDArray[np.bool_]:
    """Which cases stay where about ``share`` of them are to be scored: all from the confidence on that this takes."""
    c = np.asarray(confidence, dtype=float)
    wanted = max(1, int(np.ceil(share * len(c))))
    kept: NDArray[np.bool_] = c >= np.sort(c)[::-1][wanted - 1]
    return kept


def _running_mean(values: Array) -> Array:
    mean: Array = np.cumsum(values) / np.arange(1, len(values) + 1)
    return mean
