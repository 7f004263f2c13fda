"""A few steps of the real training on the real network."""

from __future__ import annotations

import random

import pytest
import torch

from eval.training.examples import Example, Held
from eval.training.fit import fit
from interviewer.grading.network import adapt, learned
from interviewer.grading.reader import ALONE, TOGETHER, base_network
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


def trained(steps: int, way: str) -> tuple[list[float], dict[str, torch.Tensor]]:
    """(losses, weights)"""
    said: list[str] = []
    torch.manual_seed(0)
    tokenizer, network = base_network()
    adapt(network)
    fit(network, tokenizer, [lambda _: [EXAMPLES]] * steps, seed=0, rate=6e-3, way=way, progress=said.append)
    return [float(line.split("loss ")[1].split(",")[0]) for line in said], learned(network)


@pytest.mark.parametrize("way", [ALONE, TOGETHER])
def test_it_learns(way: str) -> None:
    losses, _ = trained(25, way)
    assert losses[-1] < losses[0] / 2


def test_the_same_seed_gives_the_same_weights() -> None:
    losses, weights = trained(3, ALONE)
    again, same = trained(3, ALONE)
    assert losses == again
    assert all(torch.equal(weights[name], same[name]) for name in weights)


def test_only_adapters_and_head_are_learned() -> None:
    _, network = base_network()
    adapt(network)
    random.seed(0)
    assert sum(value.numel() for value in learned(network).values()) < 1_000_000
    assert not network.encoder.embeddings.word_embeddings.weight.requires_grad
