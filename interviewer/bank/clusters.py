"""The same question in several places: which questions are one, proposed by similarity and decided by people.

Promises: deterministic; questions whose words are the same are always one; two questions of one document, or two of
the bank, are one only then or when a person says so; a person's decision outweighs similarity, and the latest
decision an earlier one. Average linkage keeps a chain of likenesses from joining what differs at its ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from interviewer.bank.corpus import BANK_SOURCE
from interviewer.bank.terms import can_be_same, normalised, without_framework
from interviewer.embedding import Matrix
from interviewer.models import Value

THRESHOLD = 0.65  # the middle of the range in which precision and recall hardly change, see tests/bank
_AUTHORED_MARGIN = 0.05  # a question of the bank asks for more than its likes, so these must be nearer to be one
_QUESTION_WEIGHT = 0.65  # the rest: question and answer embedded together
_ANSWER_WORDS = 60
_NEVER = 1e9  # a distance that no average under the threshold can hold

Decided = Literal["merge", "split"]


@dataclass(frozen=True)
class Entry:
    """A question that may stand elsewhere too. ``place`` is the document it is from."""

    id: str
    question: str
    answer: str
    place: str


@dataclass(frozen=True)
class Decision:
    """A person's word: ``left`` and ``right`` are one (merge), or each of ``left`` is none of ``right`` (split)."""

    kind: Decided
    left: tuple[str, ...]
    right: tuple[str, ...]


class Member(Value):
    """``similarity`` to the cluster's representative, 1 for the representative itself."""

    id: str
    similarity: float


class Cluster(Value):
    """Questions that are one. ``id`` is its representative's: the bank's question, or the first imported."""

    id: str
    members: tuple[Member, ...]


def propose(
    entries: Sequence[Entry], encode: Callable[[Sequence[str]], Matrix], decisions: Sequence[Decision] = ()
) -> tuple[Cluster, ...]:
    """Every entry in exactly one cluster. The first entry of a cluster is its representative."""
    if not entries:
        return ()
    similarity = similarities(entries, encode)
    decided = _decided(decisions)
    groups = _link(_joined(entries, decided), _distances(entries, similarity, decided))
    return tuple(
        Cluster(
            id=entries[group[0]].id,
            members=tuple(Member(id=entries[i].id, similarity=round(float(similarity[group[0], i]), 4)) for i in group),
        )
        for group in sorted(groups)
    )


def similarities(entries: Sequence[Entry], encode: Callable[[Sequence[str]], Matrix]) -> NDArray[np.float32]:
    """How alike each two entries are, 1 for the same words."""
    asked, answered = encode([_asked(e) for e in entries]), encode([_with_answer(e) for e in entries])
    found: NDArray[np.float32] = _QUESTION_WEIGHT * (asked @ asked.T) + (1 - _QUESTION_WEIGHT) * (answered @ answered.T)
    for i, j in _same_words(entries):
        found[i, j] = found[j, i] = 1.0
    np.fill_diagonal(found, 1.0)
    return np.clip(found, 0.0, 1.0)


def compared_texts(entries: Sequence[Entry]) -> list[str]:
    """All that is embedded of ``entries``."""
    return [text for e in entries for text in (_asked(e), _with_answer(e))]


def _asked(entry: Entry) -> str:
    return without_framework(entry.question)


def _with_answer(entry: Entry) -> str:
    return " ".join([_asked(entry), *entry.answer.split()[:_ANSWER_WORDS]])


def _same_words(entries: Sequence[Entry]) -> Iterable[tuple[int, int]]:
    by_words: dict[str, list[int]] = {}
    for i, entry in enumerate(entries):
        by_words.setdefault(normalised(entry.question), []).append(i)
    return [pair for same in by_words.values() for pair in combinations(same, 2)]


def _decided(decisions: Sequence[Decision]) -> dict[frozenset[str], Decided]:
    """What holds for each pair that anything was decided on: the latest word, and the latest pairs last."""
    found: dict[frozenset[str], Decided] = {}
    for decision in decisions:
        pairs: Iterable[tuple[str, str]] = (
            combinations((*decision.left, *decision.right), 2)
            if decision.kind == "merge"
            else product(decision.left, decision.right)
        )
        for pair in map(frozenset, pairs):
            found.pop(pair, None)
            found[pair] = decision.kind
    return found


def _joined(entries: Sequence[Entry], decided: Mapping[frozenset[str], Decided]) -> list[list[int]]:
    """The entries in groups of those that are surely one: by a person's word, or by the same words."""
    index = {entry.id: i for i, entry in enumerate(entries)}
    merged = [
        sorted(index[name] for name in pair)
        for pair, kind in reversed(list(decided.items()))
        if kind == "merge" and all(name in index for name in pair)
    ]
    group_of = {i: [i] for i in range(len(entries))}
    for i, j in [*merged, *_same_words(entries)]:
        one, other = group_of[i], group_of[j]
        if one is other or any(
            decided.get(frozenset((entries[a].id, entries[b].id))) == "split" for a in one for b in other
        ):
            continue
        one.extend(other)
        group_of.update(dict.fromkeys(other, one))
    return [sorted(group) for i, group in group_of.items() if i == min(group)]


def _distances(
    entries: Sequence[Entry], similarity: NDArray[np.float32], decided: Mapping[frozenset[str], Decided]
) -> NDArray[np.float64]:
    """1 - similarity, and ``_NEVER`` for two that must not be one."""
    found = 1.0 - similarity.astype(np.float64)
    for i, j in combinations(range(len(entries)), 2):
        one, other = entries[i], entries[j]
        apart = (
            one.place == other.place
            or decided.get(frozenset((one.id, other.id))) == "split"
            or not can_be_same(one.question, other.question)
        )
        if apart:
            found[i, j] = found[j, i] = _NEVER
        elif BANK_SOURCE in (one.place, other.place):
            found[i, j] = found[j, i] = found[i, j] + _AUTHORED_MARGIN
    return found


def _link(groups: list[list[int]], distances: NDArray[np.float64]) -> list[list[int]]:
    """Average linkage over ``groups``, cut at the threshold."""
    if len(groups) < 2:
        return groups
    from scipy.cluster.hierarchy import average, fcluster
    from scipy.spatial.distance import squareform

    shares = np.zeros((len(groups), len(distances)))
    for row, group in enumerate(groups):
        shares[row, group] = 1 / len(group)
    between = shares @ distances @ shares.T  # the mean over all pairs of two groups
    between = (between + between.T) / 2
    np.fill_diagonal(between, 0.0)
    labels = fcluster(average(squareform(between, checks=False)), 1 - THRESHOLD, criterion="distance")
    linked: dict[int, list[int]] = {}
    for group, label in zip(groups, labels, strict=True):
        linked.setdefault(int(label), []).extend(group)
    return [sorted(group) for group in linked.values()]
