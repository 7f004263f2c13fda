"""A few steps of the real training on the real network."""

from __future__ import annotations

import random

import pytest
import torch

from eval.training.examples import Example, Held
from eval.training.fit import fit
from interviewer.grading.network import adapt, learned
from interviewer.grading.reader import base_network
from interviewer.models import Standing

pytestmark = pytest.mark.models

EXAMPLES = [
    Example(
        "Gradients add up.", (Held("Gradients accumulate.", frozenset({Standing.COVERED}), 1.0, "Gradients add up."),)
    ),
    Example(
        "Gradients are replaced. So it goes.", (Held("Gradients accumulate.", frozenset({Standing.CONTRADICTED})),)
    ),
    Example("...", (Held("Gradients accumulate.", frozenset({Standing.MISSING})),)),
]


def trained(seed: int) -> tuple[list[str], dict[str, torch.Tensor]]:
    said: list[str] = []
    torch.manual_seed(seed)
    tokenizer, network = base_network()
    adapt(network)
    fit(network, tokenizer, [lambda _: [EXAMPLES]] * 12, seed=seed, rate=2e-3, progress=said.append)
    return said, learned(network)


def test_it_learns_and_does_so_the_same_way_under_the_same_seed() -> None:
    said, weights = trained(0)
    again, same = trained(0)
    losses = [float(line.split("loss ")[1].split(",")[0]) for line in said]
    assert losses[-1] < losses[0] / 2
    assert all(torch.equal(weights[name], same[name]) for name in weights)
    assert [line.split(",")[-2] for line in said] == [line.split(",")[-2] for line in again]


def test_only_adapters_and_head_are_learned() -> None:
    _, network = base_network()
    adapt(network)
    random.seed(0)
    assert sum(value.numel() for value in learned(network).values()) < 1_000_000
    assert not network.encoder.embeddings.word_embeddings.weight.requires_grad
