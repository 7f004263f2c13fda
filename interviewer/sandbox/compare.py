"""What came back held against what is right, in float64, and told so that a person can follow it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch

from interviewer.sandbox.inside.tensors import dtype_name

Argument = torch.Tensor | float | int | str | bool | None
Tolerance = float | Mapping[Any, float]  # by the name of a dtype
_VALUES_SHOWN = 12


def expected_dtype(reference: torch.Tensor, args: Sequence[Argument]) -> torch.dtype:
    """A result in float64 stands for one in the dtype of the first floating-point input, float32 where there is none."""
    if reference.dtype is not torch.float64:
        return reference.dtype
    floats = (a.dtype for a in args if isinstance(a, torch.Tensor) and a.is_floating_point())
    return next(floats, torch.float32)


def wrong_form(shape: Sequence[int], dtype: torch.dtype, got_dtype: str, got_shape: Sequence[int]) -> str:
    """What is wrong with shape or dtype; empty where both are right. Any integer dtype will do for an integer."""
    if list(got_shape) != list(shape):
        return f"expected the shape {_list(shape)}, got {_list(got_shape)}"
    integers = {"int64", "int32", "int16", "int8", "uint8"}
    same = got_dtype == dtype_name(dtype) or {got_dtype, dtype_name(dtype)} <= integers
    return "" if same else f"expected the dtype {dtype_name(dtype)}, got {got_dtype}"


def wrong_strides(shape: Sequence[int], expected: Sequence[int], got: Sequence[int]) -> str:
    """Dimensions of length 1 don't count, and nothing does where there are no elements."""
    counted = [at for at, length in enumerate(shape) if length > 1] if 0 not in shape else []
    same = len(got) == len(shape) and all(expected[at] == got[at] for at in counted)
    return "" if same else f"expected the strides {_list(expected)}, got {_list(got)}"


def wrong_values(expected: torch.Tensor, got: torch.Tensor, tolerance: Tolerance) -> str:
    """Which value is furthest off; empty where all are right. Both have the same shape."""
    if not expected.is_floating_point():
        expected, got = expected.long(), got.long()
        off = expected != got
    else:
        expected, limit = expected.double(), tolerance_for(got.dtype, tolerance)
        got = got.double()
        off = ~torch.isclose(got, expected, rtol=limit, atol=limit, equal_nan=True)
    if not off.any():
        return ""
    distance = (expected - got).abs().double().nan_to_num(nan=torch.inf, posinf=torch.inf)
    place = int(torch.where(off, distance, -1.0).argmax())
    where = [int(i) for i in torch.unravel_index(torch.tensor(place), expected.shape)]
    pair = f"expected {_number(expected.flatten()[place])}, got {_number(got.flatten()[place])}"
    if expected.dim() == 0:
        return pair
    return f"{pair} at {where}; {int(off.sum())} of {expected.numel()} values are off"


def tolerance_for(dtype: torch.dtype, tolerance: Tolerance) -> float:
    """Absolute and relative. One number is meant for float32, and for coarser dtypes at least twice their epsilon."""
    if not isinstance(tolerance, float):
        if dtype_name(dtype) in tolerance:
            return tolerance[dtype_name(dtype)]
        tolerance = tolerance.get("float32", 1e-5)
    coarse = dtype in (torch.float16, torch.bfloat16)
    return max(tolerance, 2 * torch.finfo(dtype).eps) if coarse else tolerance


def describe(names: Sequence[str], args: Sequence[Argument]) -> str:
    """The arguments of one call, with their values where these are few."""
    return ", ".join(f"{name} = {show(arg)}" for name, arg in zip(names, args, strict=True)) or "no arguments"


def show(value: Argument) -> str:
    if not isinstance(value, torch.Tensor):
        return repr(value)
    form = f"{dtype_name(value.dtype)} {_list(value.shape)}"
    return form if value.numel() > _VALUES_SHOWN else f"{form} {_nested(value.tolist())}"


def _nested(values: object) -> str:
    if isinstance(values, list):
        return "[" + ", ".join(_nested(each) for each in values) + "]"
    return _number(values)


def _number(value: object) -> str:
    plain = value.item() if isinstance(value, torch.Tensor) else value
    return f"{plain:.6g}" if isinstance(plain, float) else str(plain)


def _list(shape: Sequence[int]) -> str:
    return "[" + ", ".join(str(length) for length in shape) + "]"
