from __future__ import annotations

import pytest
import torch

from interviewer.sandbox.compare import describe, expected_dtype, wrong_form, wrong_values

TOLERANCE = 1e-5


@pytest.mark.parametrize(
    ("expected", "got"),
    [
        (torch.tensor([1.0, 2.0]), torch.tensor([1.0, 2.00002])),
        (torch.tensor(1000.0), torch.tensor(1000.005)),
        (torch.tensor([-torch.inf, torch.nan]), torch.tensor([-torch.inf, torch.nan])),
        (torch.tensor([1, 2]), torch.tensor([1, 2], dtype=torch.int32)),
        (torch.empty(0, 3), torch.empty(0, 3)),
        (torch.tensor(1.0), torch.tensor(1.001, dtype=torch.float16)),
    ],
)
def test_what_is_within_the_tolerance_of_its_dtype_is_right(expected: torch.Tensor, got: torch.Tensor) -> None:
    assert wrong_values(expected.double() if expected.is_floating_point() else expected, got, TOLERANCE) == ""


@pytest.mark.parametrize(
    ("expected", "got", "words"),
    [
        ([1.0, 2.0], [1.0, 2.1], "expected 2, got 2.1 at [1]; 1 of 2 values are off"),
        ([[1.0, 2.0], [3.0, 4.0]], [[0.0, 2.0], [3.0, 9.0]], "expected 4, got 9 at [1, 1]; 2 of 4 values are off"),
        (1.0, float("nan"), "expected 1, got nan"),
        ([1.0, 5.0], [float("inf"), 4.0], "expected 1, got inf at [0]; 2 of 2 values are off"),
        ([float("inf")], [float("-inf")], "expected inf, got -inf at [0]"),
    ],
)
def test_the_value_that_is_furthest_off_is_named(expected: object, got: object, words: str) -> None:
    assert wrong_values(torch.tensor(expected).double(), torch.tensor(got), TOLERANCE).startswith(words)


def test_an_integer_result_may_have_any_integer_dtype_and_no_other() -> None:
    expected = torch.tensor([1, 2])
    assert wrong_form(expected.shape, torch.int64, "int32", [2]) == ""
    assert wrong_form(expected.shape, torch.int64, "float32", [2]) == "expected the dtype int64, got float32"
    assert wrong_form(expected.shape, torch.bool, "int64", [2]) == "expected the dtype bool, got int64"


def test_a_result_has_the_dtype_of_the_first_floating_point_input() -> None:
    result = torch.zeros(1, dtype=torch.float64)
    args = (torch.tensor([1]), torch.zeros(1, dtype=torch.bfloat16), torch.zeros(1))
    assert expected_dtype(result, args) is torch.bfloat16
    assert expected_dtype(result, (3,)) is torch.float32


def test_inputs_are_described_with_their_values_when_these_are_few() -> None:
    small, large = torch.tensor([[1.5, 2.0]]), torch.zeros(40, 3)
    assert describe(("x", "y", "n", "mode"), (small, large, 3, "mean")) == (
        "x = float32 [1, 2] [[1.5, 2]], y = float32 [40, 3], n = 3, mode = 'mean'"
    )
