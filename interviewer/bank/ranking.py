"""Texts that were found into questions, best first: each cluster of one question once.

A search joins four signs. The mean cosine of a question's three best texts, since a question that is meant is near by
several of its texts, and one that only shares a phrase by one. The cosine of the question itself, in the nearest of the
ways to ask it. BM25 over everything that its file says, which knows names that an embedding hardly tells apart. And
whether the search asks for code or for talk, since many a subject has a question of either sort. How the weights were
chosen stands in docs/decisions.md.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from interviewer.bank.index import Found
from interviewer.bank.view import View
from interviewer.models import Hit

_BEST = 3  # texts of a question
_ITSELF, _WORDS, _SORT = 0.6, 0.8, 0.1  # weights beside that of the best texts, 1

_ASKS_FOR_CODE = re.compile(
    r"\b(?:implement\w*|writ(?:e|ing)|cod(?:e|ing)|build\w*|vectori[sz]e\w*|debug\w*|fix\w*|repair|mend|function|class|"
    r"without (?:a )?loops?)\b",
    re.IGNORECASE,
)
_ASKS_FOR_TALK = re.compile(
    r"\b(?:explain\w*|why|compare|difference|versus|vs|overview|describe|when|what (?:is|are|does|happens))\b",
    re.IGNORECASE,
)


def rank(view: View, text: str, found: Sequence[Found], words: Mapping[str, float], exact: str | None) -> list[Hit]:
    """Questions for the search ``text``: ``found`` by meaning, ``words`` by words (0 to 1); ``exact``, a question with the
    very words, comes first with 1."""
    wanted = sort_asked_for(text)
    floor = min((f.score for f in found), default=0.0)
    texts: dict[str, list[Found]] = {}
    for each in found:
        texts.setdefault(each.question, []).append(each)
    fitting: list[tuple[float, str, str]] = []
    for name in {*texts, *words} - {exact}:
        near = sorted(texts.get(name, []), key=lambda f: -f.score)
        question = view.own(name)
        sort = wanted * (1 if question and question.wants_code else -1)
        signs = _meaning(near, floor) + _WORDS * words.get(name, 0.0) + _SORT * sort
        score = max(0.0, signs) / (1 + _ITSELF + _WORDS + _SORT)
        fitting.append((score, name, near[0].text if near else ""))
    fitting.sort(key=lambda each: (-each[0], each[1]))
    return _once_a_cluster(view, [(1.0, exact, ""), *fitting] if exact else fitting)


def _meaning(near: Sequence[Found], floor: float) -> float:
    """Of a question's texts, nearest first; ``floor`` stands for those that were not found."""
    best = [f.score for f in near[:_BEST]] + [floor] * (_BEST - len(near))
    itself = next((f.score for f in near if not f.text), floor)
    return sum(best) / _BEST + _ITSELF * itself


def sort_asked_for(text: str) -> float:
    """1 where a search asks for code, -0.5 where it asks for talk (which code is asked about too), 0 where it shows neither."""
    return 1.0 if _ASKS_FOR_CODE.search(text) else -0.5 if _ASKS_FOR_TALK.search(text) else 0.0


def nearest(view: View, found: Sequence[Found]) -> list[Hit]:
    """By the best cosine alone."""
    ordered = sorted(found, key=lambda f: (-f.score, f.question))
    return _once_a_cluster(view, [(f.score, f.question, f.text) for f in ordered])


def _once_a_cluster(view: View, ordered: Sequence[tuple[float, str, str]]) -> list[Hit]:
    hits: dict[str, Hit] = {}
    for score, name, passage in ordered:
        question = view.own(name)
        if question is None:
            continue
        cluster = view.cluster_of[name].id
        if cluster not in hits:
            hits[cluster] = Hit(
                id=name,
                question=question.question,
                score=round(score, 4),
                source=question.references[0].source,
                cluster=cluster,
                passage=passage,
            )
    return list(hits.values())
