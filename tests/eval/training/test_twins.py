from __future__ import annotations

import random

import pytest

from eval.training.twins import twin

SAID = "The call loss.backward() computes the gradients, and optimizer.step() updates the weights."


def _twins(text: str) -> set[str]:
    return {twin(text, random.Random(seed)) for seed in range(80)}


def test_names_lose_their_owners_calls_their_brackets_and_nouns_their_articles() -> None:
    found = "\n".join(_twins(SAID))
    assert "call backward() computes" in found
    assert "loss.backward computes" in found
    assert "computes gradients" in found


@pytest.mark.parametrize("kept", ["backward", "gradients|grads", "step", "weights|parameters|params", ", and"])
def test_what_is_said_stays_and_in_its_order(kept: str) -> None:
    assert all(any(word in text for word in kept.split("|")) for text in _twins(SAID))
    assert all(text.index("backward") < text.index("step") for text in _twins(SAID))


@pytest.mark.parametrize("text", ["torch.compile and nn.compile differ.", "a few are left, the same ones"])
def test_no_twin_where_the_sense_hangs_on_what_would_be_dropped(text: str) -> None:
    assert {t.removesuffix(".") for t in _twins(text)} == {text.removesuffix(".")}


def test_code_keeps_its_words() -> None:
    assert all("weights[0]" in t and "model=" in t for t in _twins("Call f(model=net) and read weights[0]."))


def test_names_in_camel_case_keep_their_capitals() -> None:
    assert all(t.startswith("PyTorch") for t in _twins("PyTorch sums gradients by design."))
