"""From readings to chances: every claim of a question weighed in the light of the others.

The reader sees one claim at a time. Whether a point is contradicted shows best beside the misconceptions that deny it, and
whether a misconception is held beside the points that it denies: which of the two is the reply nearer to? And a sentence that
speaks for one claim rarely speaks for its neighbour as well, so claims compete for sentences. Two logistic
regressions over such signs, one for points and one for misconceptions, give the chances. They are fitted on replies to
questions that the reader was not trained on, by ``python -m eval train``, and stand in ``card.json``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from interviewer.grading.reader import ORDER, Reading
from interviewer.grading.text import Unit
from interviewer.models import Misconception, Question, Standing, Value

Floats = NDArray[np.float64]

_FAR = -0.3  # contrast where there is nothing to contrast with
_SILENT = -4.0  # log-odds, likewise
_APART = -5.0  # difference of log-odds where no other claim looked at the same sentence
_AGAINST = ORDER.index(Standing.MISSING)
_KINDS = tuple(ORDER.index(s) for s in (Standing.COVERED, Standing.CONTRADICTED, Standing.PARTIAL))


class Regression(Value):
    """Standardised logistic regression: ``coefficients`` [classes][signs], ``intercepts`` [classes]."""

    mean: tuple[float, ...]
    scale: tuple[float, ...]
    coefficients: tuple[tuple[float, ...], ...]
    intercepts: tuple[float, ...]

    def chances(self, signs: Floats) -> Floats:
        """[classes], of one row of signs."""
        x = (signs - np.array(self.mean)) / np.array(self.scale)
        logits = np.array(self.coefficients) @ x + np.array(self.intercepts)
        exp = np.exp(logits - logits.max())
        found: Floats = exp / exp.sum()
        return found


class Decision(Value):
    """``points`` gives chances in the reader's ORDER; ``misconceptions`` that one is not held, and that it is: None where it
    was fitted for questions that name none."""

    points: Regression
    misconceptions: Regression | None


@dataclass(frozen=True)
class Summary:
    """A claim in all its wordings. Log-odds against "missing" of covered, contradicted and partial: ``first`` [3] of its
    first wording, ``mean`` [3] of all, ``most`` of covered in the wording that finds it most; ``near`` [sentences]: the
    highest cosine of a wording with each sentence of the reply; ``unit``: the sentence that the surest wording looked at."""

    first: Floats
    mean: Floats
    most: float
    near: Floats
    unit: Unit


def summary(wordings: Sequence[Reading]) -> Summary:
    odds = np.array([[r.logits[kind] - r.logits[_AGAINST] for kind in _KINDS] for r in wordings])
    surest = int(odds.max(axis=1).argmax())
    near = np.array([r.near for r in wordings]).max(axis=0)
    return Summary(odds[0], odds.mean(axis=0), float(odds[:, 0].max()), near, wordings[surest].unit)


def signs_of_point(question: Question, point_id: str, read: Mapping[str, Summary]) -> Floats:
    """``read``: by the id of every point that words earn and of every misconception."""
    own = read[point_id]
    denying = [read[m.id] for m in question.misconceptions if point_id in m.contradicts]
    other_wrong = [read[m.id] for m in question.misconceptions if point_id not in m.contradicts]
    others = [read[p.id] for p in question.points if p.id in read and p.id != point_id]
    wrong = [*denying, *other_wrong]
    return np.array(
        [
            *own.first,
            *own.mean,
            own.most,
            own.near.max(),
            max((w.mean[0] for w in denying), default=_SILENT),
            max((w.mean[0] for w in other_wrong), default=_SILENT),
            max((w.near.max() - own.near.max() for w in denying), default=_FAR),
            _nearer(own, denying),
            max((_margin_at_its_best(w, own) for w in denying), default=_FAR),
            max((w.near.max() for w in denying), default=-_FAR),
            _mean([o.mean[0] for o in others]),
            _mean([o.mean[1] for o in others]),
            max((o.mean[1] for o in others), default=0.0),
            max((o.near.max() for o in others), default=0.0) - own.near.max(),
            float(bool(denying)),
            max((w.mean[0] for w in wrong), default=_SILENT),
            _nearer(own, others),
            _nearer(own, wrong),
            _better_heard(own, others),
            _better_heard(own, wrong),
        ]
    )


def signs_of_misconception(question: Question, misconception: Misconception, read: Mapping[str, Summary]) -> Floats:
    own = read[misconception.id]
    denied = [read[name] for name in misconception.contradicts if name in read]
    others = [read[m.id] for m in question.misconceptions if m.id != misconception.id]
    points = [read[p.id] for p in question.points if p.id in read]
    here = int(own.near.argmax())
    return np.array(
        [
            *own.first,
            *own.mean,
            own.most,
            own.near.max(),
            max((p.mean[0] for p in denied), default=0.0),
            min((p.mean[0] for p in denied), default=0.0),
            max((p.mean[1] for p in denied), default=0.0),
            max((p.near.max() for p in denied), default=0.0) - own.near.max(),
            max((p.near[here] for p in denied), default=0.0) - own.near[here],
            max((o.mean[0] for o in others), default=_SILENT),
            _mean([p.mean[0] for p in points]),
            _mean([p.mean[1] for p in points]),
            max((p.mean[1] for p in points), default=0.0),
            float(bool(denied)),
            _nearer(own, points),
            _nearer(own, others),
            _better_heard(own, points),
            _better_heard(own, others),
        ]
    )


def _margin_at_its_best(wrong: Summary, right: Summary) -> float:
    """By how much the sentence that is nearest to the wrong claim is nearer to it than to the right one."""
    at = int(wrong.near.argmax())
    return float(wrong.near[at] - right.near[at])


def _nearer(own: Summary, others: Sequence[Summary]) -> float:
    """By how much another claim is nearer to the sentence that is nearest to this one."""
    here = int(own.near.argmax())
    return float(max((other.near[here] - own.near[here] for other in others), default=_FAR))


def _better_heard(own: Summary, others: Sequence[Summary]) -> float:
    """By how much another claim is heard better in the sentence that this one was heard in."""
    return float(max((o.mean[0] - own.mean[0] for o in others if o.unit == own.unit), default=_APART))


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values)) if values else 0.0
