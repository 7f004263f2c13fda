"""What simulated interviews show: whether follow-ups hit, how soon the level is found, whether hints leak, how it feels.

All shares come with what they are a share of; None where there was nothing to count.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from eval.conversation import Asked, FollowUp, Hint, Played
from eval.voices import Source
from interviewer.models import Plan, Standing

AFTER = (2, 4, 6, 8)
CLOSE = 0.5  # of a level
LEAKS_OVER = 0.6  # of the content words of a claim, beyond those of its question
_SHOWN = 10


def figures(played: Sequence[Played], plan: Plan) -> dict[str, Any]:
    """As JSON. ``ability``: beside the estimate from the grader's verdicts the one from right verdicts, which shows what is
    left to the grader and what to the small number of questions; ``after 0`` is the level that was asked for."""
    return {
        "interviews": len(played),
        "ended": sum(each.ended for each in played),
        "questions": sum(len(each.asked) for each in played),
        "follow_ups": _follow_ups([f for each in played for f in each.follow_ups]),
        "won_back": _won_back([asked for each in played for asked in each.asked]),
        "misconceptions": _misconceptions([asked for each in played for asked in each.asked]),
        "points": _points([asked for each in played for asked in each.asked]),
        "ability": {
            "estimated": _ability(played, [each.estimates for each in played], plan),
            "with right grades": _ability(played, [each.true_estimates for each in played], plan),
        },
        "leaks": _leaks(played),
        "feel": _feel(played),
        "said_from": _sources(played),
        "by_manner": {
            manner: _in_short([each for each in played if each.manner == manner])
            for manner in sorted({each.manner.value for each in played})
        },
    }


def _follow_ups(asked: Sequence[FollowUp]) -> dict[str, Any]:
    """How the point of each follow-up really stood. ``asked_again``: it had been said; ``of_these_taken_as``: what the grader
    had made of it, where covered means that it asked to make sure."""
    stood = Counter(f.stood for f in asked)
    again = [f for f in asked if f.stood is Standing.COVERED]
    return {
        "n": len(asked),
        "hit": _share(len(asked) - len(again), len(asked)),
        "missing": _share(stood[Standing.MISSING], len(asked)),
        "contradicted": _share(stood[Standing.CONTRADICTED], len(asked)),
        "asked_again": _share(len(again), len(asked)),
        "of_these_taken_as": dict(sorted(Counter(f.graded.value for f in again if f.graded).items())),
        "known_to_the_candidate": _share(sum(f.knew for f in asked), len(asked)),
    }


def _won_back(questions: Sequence[Asked]) -> dict[str, Any]:
    """Of what candidates knew and left out at first: how much a follow-up asked for, and how much was credited in the end."""
    unsaid = [(name in asked.asked_for, asked.points.get(name)) for asked in questions for name in asked.unsaid]
    credited = sum(was_asked and pair is not None and pair[1] is Standing.COVERED for was_asked, pair in unsaid)
    return {
        "n": len(unsaid),
        "asked_for": _share(sum(was_asked for was_asked, _ in unsaid), len(unsaid)),
        "credited": _share(credited, len(unsaid)),
    }


def _misconceptions(questions: Sequence[Asked]) -> dict[str, Any]:
    right = sum(len(set(q.held) & set(q.found)) for q in questions)
    held, found = sum(len(q.held) for q in questions), sum(len(q.found) for q in questions)
    return {"held": held, "found": _share(right, held), "claimed": found, "of_these_right": _share(right, found)}


def _points(questions: Sequence[Asked]) -> dict[str, Any]:
    """The grader's standings at the end of each question against the true ones."""
    pairs = [pair for q in questions for pair in q.points.values()]
    scores = [(q.score, q.true_score) for q in questions if q.score is not None and q.true_score is not None]
    return {
        "n": len(pairs),
        "right": _share(sum(truth is given for truth, given in pairs), len(pairs)),
        "score_error": _mean([abs(given - truth) for given, truth in scores]),
        "score_correlation": _correlation([given for given, _ in scores], [truth for _, truth in scores]),
    }


def _ability(played: Sequence[Played], estimates: Sequence[Sequence[float]], plan: Plan) -> dict[str, Any]:
    """``error``: mean absolute, in levels. ``questions_until_close``: the median over candidates of the number of questions
    from which on the estimate stays within half a level; None where half of them never get there."""
    ends = [_close_from(row, each.ability) for row, each in zip(estimates, played, strict=True)]
    until = statistics.median(end if end is not None else np.inf for end in ends) if ends else np.inf
    after: dict[str, Any] = {"0": {"error": _mean([abs(plan.level.rank - each.ability) for each in played])}}
    for n in AFTER:
        there = [(row[n - 1], each.ability) for row, each in zip(estimates, played, strict=True) if len(row) >= n]
        after[str(n)] = {
            "n": len(there),
            "error": _mean([abs(a - b) for a, b in there]),
            "bias": _mean([a - b for a, b in there]),
            "correlation": _correlation([a for a, _ in there], [b for _, b in there]),
            "close": _share(sum(abs(a - b) <= CLOSE for a, b in there), len(there)),
        }
    return {
        "after": after,
        "questions_until_close": until if np.isfinite(until) else None,
        "stay_close": _share(sum(end is not None for end in ends), len(ends)),
    }


def _close_from(estimates: Sequence[float], ability: float) -> int | None:
    """The number of questions from which on all estimates are close; None where the last is not."""
    close = [abs(estimate - ability) <= CLOSE for estimate in estimates]
    if not close or not close[-1]:
        return None
    return next((n + 1 for n in range(len(close), 0, -1) if not close[n - 1]), 1)


def _leaks(played: Sequence[Played]) -> dict[str, Any]:
    """Each text is counted once, however often it was said."""
    kinds: dict[str, list[FollowUp] | list[Hint]] = {
        "follow_ups": [f for each in played for f in each.follow_ups],
        "hints": [h for each in played for h in each.hints],
    }
    found: dict[str, Any] = {}
    for kind, told in kinds.items():
        overlap = {(t.question, t.text): t.overlap for t in told}
        over = sorted(((o, q, text) for (q, text), o in overlap.items() if o > LEAKS_OVER), reverse=True)
        found[kind] = {
            "n": len(overlap),
            "mean_overlap": _mean(list(overlap.values())),
            "share_over": _share(len(over), len(overlap)),
            "over": [{"question": q, "overlap": round(o, 2), "text": text} for o, q, text in over],
        }
    return found


def _feel(played: Sequence[Played]) -> dict[str, Any]:
    words = [count for each in played for count in each.words]
    times = [ms for each in played for ms in each.milliseconds[1:]]  # the greeting loads what is loaded once
    repeats = Counter(sentence for each in played for sentence in each.repeats)
    return {
        "turns": _mean([each.turns for each in played]),
        "words_a_turn": _mean(words),
        "repeats": _mean([len(each.repeats) for each in played]),
        "most_repeated": dict(repeats.most_common(_SHOWN)),
        "misheard": sum(each.misheard for each in played),
        "hints": sum(len(each.hints) for each in played),
        "disputes": sum(each.disputes for each in played),
        "milliseconds": {
            "median": float(np.median(times)) if times else None,
            "p95": float(np.percentile(times, 95)) if times else None,
        },
    }


def _sources(played: Sequence[Played]) -> dict[str, float | None]:
    counted: Counter[str] = Counter()
    for each in played:
        counted.update(each.sources)
    return {source.value: _share(counted[source.value], counted.total()) for source in Source}


def _in_short(played: Sequence[Played]) -> dict[str, Any]:
    follow_ups = [f for each in played for f in each.follow_ups]
    return {
        "interviews": len(played),
        "hit": _share(sum(f.stood is not Standing.COVERED for f in follow_ups), len(follow_ups)),
        "error": _mean([abs(each.estimates[-1] - each.ability) for each in played if each.estimates]),
        "turns": _mean([each.turns for each in played]),
    }


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _mean(values: Iterable[float]) -> float | None:
    collected = list(values)
    return sum(collected) / len(collected) if collected else None


def _correlation(a: Sequence[float], b: Sequence[float]) -> float | None:
    """Pearson's; None where one side doesn't vary."""
    if len(a) < 2 or np.std(a) == 0 or np.std(b) == 0:
        return None
    return float(np.corrcoef(a, b)[0, 1])
