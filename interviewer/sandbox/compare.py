"""What came back held against what is right, in float64, and told so that a person can follow it."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from interviewer.sandbox.inside.tensors import dtype_name

Argument = torch.Tensor | float | int | str | bool | None
_VALUES_SHOWN = 12


def expected_dtype(reference: torch.Tensor, args: Sequence[Argument]) -> torch.dtype:
    """A floating-point result comes in the dtype of its first floating-point input, float32 where there is none."""
    if not reference.is_floating_point():
        return reference.dtype
    floats = (a.dtype for a in args if isinstance(a, torch.Tensor) and a.is_floating_point())
    return next(floats, torch.float32)


def wrong_form(expected: torch.Tensor, dtype: torch.dtype, got_dtype: str, got_shape: Sequence[int]) -> str:
    """What is wrong with shape or dtype; empty where both are right. Any integer dtype will do for an integer."""
    if list(got_shape) != list(expected.shape):
        return f"expected the shape {_shape(expected.shape)}, got {_shape(got_shape)}"
    integers = {"int64", "int32", "int16", "int8", "uint8"}
    same = got_dtype == dtype_name(dtype) or {got_dtype, dtype_name(dtype)} <= integers
    return "" if same else f"expected the dtype {dtype_name(dtype)}, got {got_dtype}"


def wrong_values(expected: torch.Tensor, got: torch.Tensor, tolerance: float) -> str:
    """Which value is furthest off; empty where all are right. Both have the same shape.

    ``tolerance`` is absolute and relative and holds for float32; for coarser dtypes it is at least twice their epsilon.
    """
    if not expected.is_floating_point():
        off = expected.long() != got.long()
        distance = (expected.long() - got.long()).abs().double()
    else:
        if got.dtype in (torch.float16, torch.bfloat16):
            tolerance = max(tolerance, 2 * torch.finfo(got.dtype).eps)
        off = ~torch.isclose(got.double(), expected.double(), rtol=tolerance, atol=tolerance, equal_nan=True)
        distance = (expected.double() - got.double()).abs().nan_to_num(nan=torch.inf, posinf=torch.inf)
    if not off.any():
        return ""
    place = int(torch.where(off, distance, -1.0).argmax())
    where = [int(i) for i in torch.unravel_index(torch.tensor(place), expected.shape)]
    pair = f"expected {_number(expected.flatten()[place])}, got {_number(got.flatten()[place])}"
    if expected.dim() == 0:
        return pair
    return f"{pair} at {where}; {int(off.sum())} of {expected.numel()} values are off"


def describe(names: Sequence[str], args: Sequence[Argument]) -> str:
    """The arguments of one call, with their values where these are few."""
    return ", ".join(f"{name} = {_argument(arg)}" for name, arg in zip(names, args, strict=True)) or "no arguments"


def _argument(value: Argument) -> str:
    if not isinstance(value, torch.Tensor):
        return repr(value)
    form = f"{dtype_name(value.dtype)} {_shape(value.shape)}"
    return form if value.numel() > _VALUES_SHOWN else f"{form} {_nested(value.tolist())}"


def _nested(values: object) -> str:
    if isinstance(values, list):
        return "[" + ", ".join(_nested(each) for each in values) + "]"
    return _number(values)


def _number(value: object) -> str:
    plain = value.item() if isinstance(value, torch.Tensor) else value
    return f"{plain:.6g}" if isinstance(plain, float) else str(plain)


def _shape(shape: Sequence[int]) -> str:
    return "[" + ", ".join(str(length) for length in shape) + "]"
