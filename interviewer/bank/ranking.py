"""Texts that were found into questions, best first: each cluster of one question once.

A search joins two views. Meaning: the mean cosine of a question's three best texts, since a question that is meant is
near by several of its texts, and one that only shares a phrase by one. Words: BM25, which knows names that an embedding
hardly tells apart. The weights were chosen on searches that are kept apart from those that are reported (see
docs/decisions.md).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from interviewer.bank.index import Found
from interviewer.bank.view import View
from interviewer.models import Hit

_BEST = 3  # texts of a question
_WORDS = 0.4  # weight of BM25 beside the cosine


def rank(view: View, found: Sequence[Found], words: Mapping[str, float], exact: str | None) -> list[Hit]:
    """``found`` by meaning, ``words`` by words (0 to 1); ``exact``, a question with the very words, comes first with 1."""
    floor = min((f.score for f in found), default=0.0)
    texts: dict[str, list[Found]] = {}
    for each in found:
        texts.setdefault(each.question, []).append(each)
    fitting: list[tuple[float, str, str]] = [(1.0, exact, "")] if exact else []
    for name in dict.fromkeys([*texts, *words]):
        near = sorted(texts.get(name, []), key=lambda f: -f.score)[:_BEST]
        cosine = (sum(f.score for f in near) + floor * (_BEST - len(near))) / _BEST
        score = (max(0.0, cosine) + _WORDS * words.get(name, 0.0)) / (1 + _WORDS)
        if name != exact:
            fitting.append((score, name, near[0].text if near else ""))
    fitting.sort(key=lambda each: (each[1] != exact, -each[0], each[1]))
    return _once_a_cluster(view, fitting)


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
