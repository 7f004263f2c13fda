from __future__ import annotations

import pytest

from interviewer.bank.terms import can_be_same, normalised, subject, without_framework


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("What is the `torch.save()` function?", "What is the `torch.load()` function?"),
        ("What does torch.cat do?", "What does torch.stack do?"),
        ("Explain nn.Module vs nn.Sequential.", "Explain nn.Module vs nn.Parameter."),
        (
            "What is the difference between a Tensor and a Variable?",
            "What is the difference between a Tensor and an ndarray?",
        ),
        ("What is nn.Conv1d used for?", "What is nn.Conv2d used for?"),
        ("How does the Adam optimizer work?", "How does the SGD optimizer work?"),
        ("How do you save a model?", "How do you load a model?"),
        ("What is overfitting?", "What is underfitting?"),
        ("What causes vanishing gradients?", "What causes exploding gradients?"),
        ("What is nn.Sequential?", "What is the difference between nn.Module and nn.Sequential?"),
    ],
)
def test_questions_that_name_different_things_are_told_apart(one: str, other: str) -> None:
    assert not can_be_same(one, other)
    assert not can_be_same(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("What is `torch.nn.Module`?", "Explain the role of nn.Module in PyTorch."),
        ("What is the forward() method?", "Why does an nn.Module have a forward method?"),
        ("How does PyTorch's autograd work?", "What is the Autograd engine?"),
        ("When would you use torch.no_grad()?", "What is the role of `no_grad`?"),
        ("How do you save and load models?", "How do you save and load a trained model?"),
        ("Compare train() with eval().", "What is the difference between model.eval() and model.train()?"),
    ],
)
def test_rewordings_stay_possible(one: str, other: str) -> None:
    assert can_be_same(one, other)
    assert can_be_same(other, one)


def test_the_framework_s_name_is_no_subject_unless_it_is_the_only_one() -> None:
    assert without_framework("What is autograd in PyTorch?") == "What is autograd?"
    assert without_framework("What is PyTorch?") == "What is PyTorch?"
    assert "pytorch" not in subject("How does PyTorch handle hooks?").terms


def test_copies_of_a_question_are_the_same_whatever_their_marks() -> None:
    assert normalised("What is `torch.cat()`?") == normalised("what is torch.cat( ) ?")
