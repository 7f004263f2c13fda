"""How able a candidate has shown to be, by topic, with its uncertainty.

A Rasch model on the scale of level ranks (0 junior … 3 staff): P(credit) = σ(s·(θ − d)), where d is the
question's rank and s the slope. A graded fraction f enters as the fractional Bernoulli likelihood
p^f (1 − p)^(1 − f) (Papke & Wooldridge, 1996); the posterior is kept on a grid. One answer moves little.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from interviewer.models import MAX_SCORE, Answered, Level, Topic, TopicEstimate

_GRID = np.linspace(-1.5, 4.5, 121)
_SLOPE = 1.7
_PRIOR_SD = 1.0
_HINT_COST = 0.1  # of the fraction, for each hint taken


def estimate(answered: Sequence[Answered], prior: Level) -> tuple[float, float]:
    """Posterior mean and standard deviation of ability, starting from ``prior`` (in level ranks)."""
    log_posterior: NDArray[np.float64] = -0.5 * ((_GRID - prior.rank) / _PRIOR_SD) ** 2
    for answer in answered:
        if answer.verdict.score is None:
            continue
        fraction = min(1.0, max(0.0, answer.verdict.score / MAX_SCORE - _HINT_COST * answer.hints))
        chance = 1 / (1 + np.exp(-_SLOPE * (_GRID - answer.level.rank)))
        log_posterior = log_posterior + fraction * np.log(chance) + (1 - fraction) * np.log(1 - chance)
    weights = np.exp(log_posterior - log_posterior.max())
    weights /= weights.sum()
    mean = float(weights @ _GRID)
    return mean, float(np.sqrt(weights @ (_GRID - mean) ** 2))


def by_topic(answered: Sequence[Answered], prior: Level) -> tuple[TopicEstimate, ...]:
    """One estimate for each topic that was asked, in the order of first asking."""
    estimates = []
    for topic in dict.fromkeys(a.topic for a in answered):
        graded = [a for a in answered if a.topic == topic and a.verdict.score is not None]
        mean, sd = estimate(graded, prior)
        estimates.append(TopicEstimate(topic=Topic(topic), ability=round(mean, 2), sd=round(sd, 2), asked=len(graded)))
    return tuple(estimates)
