"""Clusters over the real embedding model. The labels in labelled_pairs.json are of the published documents."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from itertools import combinations
from pathlib import Path

import pytest

from interviewer.bank.bank import Bank
from interviewer.bank.clusters import Cluster, Decision, Entry, propose
from interviewer.bank.documents import read_document
from interviewer.embedding import Embedder

pytestmark = pytest.mark.models

LABELS = json.loads((Path(__file__).parent / "labelled_pairs.json").read_text(encoding="utf-8"))
AUTOGRAD = LABELS["same"][4]


def _pairs(groups: Iterable[Iterable[str]]) -> set[tuple[str, str]]:
    return {pair for group in groups for pair in combinations(sorted(group), 2)}


def _grouped(clusters: Iterable[Cluster]) -> list[list[str]]:
    return [[member.id for member in cluster.members] for cluster in clusters]


def _together(clusters: Sequence[Cluster], *names: str) -> bool:
    return any(set(names) <= set(group) for group in _grouped(clusters))


@pytest.fixture(scope="module")
def published(seed_paths: list[Path], embedder: Embedder) -> tuple[Cluster, ...]:
    entries = [
        Entry(f"{d}/{i}", question.question, question.answer, place=str(d))
        for d, path in enumerate(seed_paths)
        for i, question in enumerate(read_document(path).questions)
    ]
    return propose(entries, embedder.encode)


def test_most_of_what_is_joined_is_the_same_and_most_of_the_same_is_joined(published: tuple[Cluster, ...]) -> None:
    same = _pairs(LABELS["same"])
    undecided = _pairs(LABELS["open"]) - same
    joined = _pairs(_grouped(published)) - undecided
    precision, recall = len(joined & same) / len(joined), len(joined & same) / len(same)
    print(f"precision {precision:.3f}, recall {recall:.3f} over {len(same)} labelled pairs")
    assert precision >= 0.95
    assert recall >= 0.90


def test_autograd_stands_in_all_five_documents_and_is_one_question(published: tuple[Cluster, ...]) -> None:
    assert len({name.split("/")[0] for name in AUTOGRAD}) == 5
    assert _together(published, *AUTOGRAD)


def _entries(*questions: str) -> list[Entry]:
    return [Entry(f"q{i}", question, "", place=f"document {i}") for i, question in enumerate(questions)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "What is the difference between nn.Module and nn.Sequential?",
            "What are the differences between nn.Module and nn.Parameter?",
        ),
        ("What is the torch.save() function?", "What is the torch.load() function?"),
        ("What is torch.cat()?", "What is torch.stack()?"),
        ("How do you implement batch normalization?", "How do you implement dropout?"),
        ("Explain batch normalization in PyTorch.", "Explain layer normalization in PyTorch."),
        ("What is a Dataset in PyTorch?", "What is a DataLoader in PyTorch?"),
        ("How does L1 regularization work?", "How does L2 regularization work?"),
        ("What is the Adam optimizer?", "What is the RMSprop optimizer?"),
        ("How do you save a model?", "How do you load a model?"),
        ("What is nn.ReLU?", "What is nn.GELU?"),
        ("What is nn.Conv1d?", "What is nn.Conv2d?"),
        ("Explain RNNs in PyTorch.", "Explain CNNs in PyTorch."),
        ("What is gradient clipping?", "What is gradient accumulation?"),
        ("What is a left join in SQL?", "What is an inner join in SQL?"),
    ],
)
def test_questions_about_different_things_stay_apart(embedder: Embedder, one: str, other: str) -> None:
    assert len(propose(_entries(one, other), embedder.encode)) == 2


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("What is gradient clipping?", "Explain gradient clipping in PyTorch."),
        ("How does torch.compile work?", "What does `torch.compile()` do, and how?"),
        ("What is a Kubernetes pod?", "Explain what a pod is in Kubernetes."),
        ("Compare Adam with SGD.", "What is the difference between SGD and Adam?"),
    ],
)
def test_rewordings_become_one(embedder: Embedder, one: str, other: str) -> None:
    assert len(propose(_entries(one, other), embedder.encode)) == 1


def test_the_same_words_are_one_even_within_a_document(embedder: Embedder) -> None:
    entries = [Entry("a", "What is a hook?", "One.", "d"), Entry("b", "what is a `hook`", "Two.", "d")]
    (cluster,) = propose(entries, embedder.encode)
    assert [member.similarity for member in cluster.members] == [1.0, 1.0]


def test_two_questions_of_one_document_stay_two(embedder: Embedder) -> None:
    entries = [Entry("a", "What is a hook?", "", "d"), Entry("b", "What are hooks?", "", "d")]
    assert len(propose(entries, embedder.encode)) == 2


def test_every_question_is_in_one_cluster_and_the_first_represents_it(embedder: Embedder) -> None:
    entries = _entries("What is a hook?", "What is a tensor?", "Explain hooks in PyTorch.", "What are hooks?")
    clusters = propose(entries, embedder.encode)
    assert sorted(name for group in _grouped(clusters) for name in group) == ["q0", "q1", "q2", "q3"]
    assert all(cluster.id == cluster.members[0].id for cluster in clusters)
    assert _together(clusters, "q0", "q2", "q3")


def test_a_person_s_word_outweighs_similarity_and_the_latest_outweighs_the_earlier(embedder: Embedder) -> None:
    entries = _entries("What is a hook?", "Explain hooks in PyTorch.", "What is a tensor?")
    apart = Decision("split", ("q0",), ("q1",))
    together = Decision("merge", ("q0",), ("q2",))
    back = Decision("merge", ("q0", "q2"), ("q1",))
    assert not _together(propose(entries, embedder.encode, [apart]), "q0", "q1")
    decided = propose(entries, embedder.encode, [apart, together])
    assert _together(decided, "q0", "q2") and not _together(decided, "q0", "q1")
    assert _together(propose(entries, embedder.encode, [apart, together, back]), "q0", "q1", "q2")


def test_nothing_gives_no_clusters(embedder: Embedder) -> None:
    assert propose([], embedder.encode) == ()


def test_a_quick_check_does_not_join_the_question_that_it_stands_with(seeded: Bank) -> None:
    for cluster in seeded.clusters():
        names = {member.id for member in cluster.members}
        assert not any(f"{name}-quick-check" in names for name in names)
