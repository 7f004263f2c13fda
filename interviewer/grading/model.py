"""Features of a point into probabilities of how it stands: a multinomial logistic regression in a JSON file.

The coefficients are fitted by ``python -m eval train`` on labelled replies; ``weights.json`` says on which.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from interviewer.errors import ModelFileError
from interviewer.grading.features import NAMES, Features
from interviewer.models import Standing

CLASSES = (Standing.COVERED, Standing.PARTIAL, Standing.MISSING, Standing.CONTRADICTED)


def expand(features: Features) -> list[float]:
    """The model's input: the features and a few of their products, since a linear model makes none itself."""
    f = features
    return [
        *f.row(),
        f.cosine**2,
        f.cosine * f.overlap,
        f.demoted * f.overlap_reply,
        f.cosine * f.polarity,
        max(0.0, f.contrast),
        max(0.0, f.contrast) * f.wrong,
    ]


@dataclass(frozen=True)
class PointModel:
    """Standardised logistic regression; ``coefficients`` [classes, inputs], ``intercepts`` [classes]."""

    mean: NDArray[np.float64]
    scale: NDArray[np.float64]
    coefficients: NDArray[np.float64]
    intercepts: NDArray[np.float64]

    def probabilities(self, features: Features) -> dict[Standing, float]:
        """P(standing) for each standing; they sum to 1."""
        x = (np.array(expand(features)) - self.mean) / self.scale
        logits = self.coefficients @ x + self.intercepts
        exp = np.exp(logits - logits.max())
        return {standing: float(p) for standing, p in zip(CLASSES, exp / exp.sum(), strict=True)}


@lru_cache(maxsize=1)
def shipped_model() -> PointModel:
    """The model in ``weights.json``. Raises ModelFileError where it doesn't fit this code's features."""
    data = json.loads((files("interviewer.grading") / "weights.json").read_text(encoding="utf-8"))
    if data["features"] != list(NAMES) or data["classes"] != [c.value for c in CLASSES]:
        raise ModelFileError("weights.json was fitted for other features. `python -m eval train` fits it anew.")
    keys = ("mean", "scale", "coefficients", "intercepts")
    return PointModel(*(np.array(data[key], dtype=np.float64) for key in keys))
