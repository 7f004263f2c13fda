"""How able a candidate has shown to be, by topic, with its uncertainty.

A Rasch model on the scale of level ranks (0 junior … 3 staff): P(credit) = σ(s·(θ − d)), where d is the
question's rank and s the slope. A graded fraction f enters as the fractional Bernoulli likelihood
p^f (1 − p)^(1 − f) (Papke & Wooldridge, 1996); the posterior is kept on a grid. One answer moves little.

From day to day ability wanders by chance, so that the variance of an estimate grows in proportion to the time without
evidence, up to what it is without any (Glickman, 1999: the rating deviation of Glicko); between days the posterior is taken
for a normal one with its mean and deviation. The mean stays: that something was forgotten, or learned, is for answers to show.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from interviewer.models import MAX_SCORE, Answered, Level, Topic, TopicEstimate

_GRID = np.linspace(-1.5, 4.5, 121)
_SLOPE = 1.7
_PRIOR_SD = 1.0
_HINT_COST = 0.1  # of the fraction, for each hint taken
_HALF_AS_SURE = 0.5  # the deviation after about five answers …
_FORGOTTEN_AFTER = 365  # … and the days after which it is as wide as without any
_VARIANCE_A_DAY = (_PRIOR_SD**2 - _HALF_AS_SURE**2) / _FORGOTTEN_AFTER


def estimate(answered: Sequence[Answered], prior: Level) -> tuple[float, float]:
    """Posterior mean and standard deviation of ability, starting from ``prior`` (in level ranks)."""
    return _posterior(answered, float(prior.rank), _PRIOR_SD)


def estimate_on(day: date, answered: Sequence[tuple[date, Answered]], prior: Level) -> tuple[float, float]:
    """As ``estimate``, for answers given by ``day`` over a longer time, in the order of their days. What is as old as
    ``day`` counts as in one interview; older evidence leaves the estimate less sure."""
    mean, sd, last = float(prior.rank), _PRIOR_SD, day
    for when, group in groupby(answered, key=lambda each: each[0]):
        mean, sd = _posterior([answer for _, answer in group], mean, widened(sd, (when - last).days))
        last = when
    return mean, widened(sd, (day - last).days)


def widened(sd: float, days: int) -> float:
    """The deviation of an estimate when ``days`` more have gone by without evidence."""
    return float(min(_PRIOR_SD, np.sqrt(sd**2 + _VARIANCE_A_DAY * max(0, days))))


def level_of(ability: float) -> Level:
    """The level nearest to an ability."""
    levels = list(Level)
    return levels[min(len(levels) - 1, max(0, round(ability)))]


def credit(answer: Answered) -> float | None:
    """The fraction of a question that was earned, less for hints; None where it was not scored."""
    if answer.verdict.score is None:
        return None
    return min(1.0, max(0.0, answer.verdict.score / MAX_SCORE - _HINT_COST * answer.hints))


def _posterior(answered: Sequence[Answered], mean: float, sd: float) -> tuple[float, float]:
    log_posterior: NDArray[np.float64] = -0.5 * ((_GRID - mean) / sd) ** 2
    for answer in answered:
        fraction = credit(answer)
        if fraction is None:
            continue
        chance = 1 / (1 + np.exp(-_SLOPE * (_GRID - answer.level.rank)))
        log_posterior = log_posterior + fraction * np.log(chance) + (1 - fraction) * np.log(1 - chance)
    weights = np.exp(log_posterior - log_posterior.max())
    weights /= weights.sum()
    centre = float(weights @ _GRID)
    return centre, float(np.sqrt(weights @ (_GRID - centre) ** 2))


def by_topic(answered: Sequence[Answered], prior: Level) -> tuple[TopicEstimate, ...]:
    """One estimate for each topic that was asked, in the order of first asking."""
    estimates = []
    for topic in dict.fromkeys(a.topic for a in answered):
        graded = [a for a in answered if a.topic == topic and a.verdict.score is not None]
        mean, sd = estimate(graded, prior)
        estimates.append(TopicEstimate(topic=Topic(topic), ability=round(mean, 2), sd=round(sd, 2), asked=len(graded)))
    return tuple(estimates)
