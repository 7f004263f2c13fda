"""Names in texts: told apart into those that PyTorch has, those that it hasn't, and those that can't be known."""

from __future__ import annotations

import pytest

from interviewer.bank.names import deprecation, unknown_names


@pytest.mark.parametrize(
    "text",
    [
        "torch.nn.Linear and nn.Linear are one, F.relu too",
        "from torch.utils.data import Dataset, DataLoader as Loader",
        "torch.utils.tensorboard.SummaryWriter needs a package that isn't installed",
        "torch.distributed.fsdp.fully_shard is in a module that torch itself doesn't import",
        "torch.save(model, 'torch.pth') and self.optim.step() and a.torch.thing",
        "the page glued torch.nn.Moduleand to the next word, and torch.utils.data.DatasetandDataLoader too",
        "PyTorch.It is glued as well",
    ],
)
def test_what_is_there_or_cannot_be_known_is_left_alone(text: str) -> None:
    assert unknown_names(text) == ()


@pytest.mark.parametrize(
    ("text", "name", "missing", "near"),
    [
        ("torch.utils.data.nested.map(f, x)", "torch.utils.data.nested.map", "nested", ""),
        ("use torch.nested_map here", "torch.nested_map", "nested_map", ""),
        ("nn.Lineer(3, 4)", "nn.Lineer", "Lineer", "Linear"),
        ("from torch.optim import Adagrat", "torch.optim.Adagrat", "Adagrat", "Adagrad"),
    ],
)
def test_a_name_that_is_nowhere_is_told_with_what_is_near(text: str, name: str, missing: str, near: str) -> None:
    [unknown] = unknown_names(text)
    assert (unknown.name, unknown.missing, unknown.near) == (name, missing, near)


def test_a_name_and_its_parents_are_one_finding() -> None:
    assert len(unknown_names("torch.utils.data.nested, and in it torch.utils.data.nested.map")) == 1


def test_what_pytorch_itself_calls_deprecated_is_known() -> None:
    assert "torch.amp.autocast" in deprecation("torch.cuda.amp.autocast")
    assert deprecation("torch.amp.autocast") == ""
