from __future__ import annotations

import pytest

from interviewer.grading.choice import chosen_letter
from interviewer.models import Choice

CHOICE = Choice(
    question="Which one?", options=("`torch.save`", "`torch.load`", "Either", "A tensor on the GPU"), correct="B"
)


@pytest.mark.parametrize(
    ("reply", "letter"),
    [
        ("B", "B"),
        ("b", "B"),
        ("(B)", "B"),
        ("B.", "B"),
        ("B) because it reads", "B"),
        ("I think B", "B"),
        ("the answer is c", "C"),
        ("Option D, I guess", "D"),
        ("torch.load", "B"),
        ("I would use torch.load here", "B"),
        ("either", "C"),
        ("A tensor on the GPU", "D"),
        ("A tensor is a matrix", ""),
        ("torch.save or torch.load", ""),
        ("Z", ""),
        ("", ""),
        ("no idea", ""),
    ],
)
def test_the_option_meant_is_found_or_none_is(reply: str, letter: str) -> None:
    assert chosen_letter(reply, CHOICE) == letter
