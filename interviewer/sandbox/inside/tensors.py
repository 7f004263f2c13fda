"""Tensors as a spec (JSON) and raw bytes, in both directions.

Promises that reading never trusts more than the length of the bytes: no pickle, no strides from the other side's memory.
Covers dense tensors of the dtypes below; does not cover complex, quantised or sparse ones.
"""

from __future__ import annotations

import math
from typing import Any

import torch

DTYPES = {
    str(dtype).removeprefix("torch."): dtype
    for dtype in (
        torch.float64,
        torch.float32,
        torch.float16,
        torch.bfloat16,
        torch.int64,
        torch.int32,
        torch.int16,
        torch.int8,
        torch.uint8,
        torch.bool,
    )
}

Spec = dict[str, Any]


def dtype_name(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")


def spec_of(tensor: torch.Tensor) -> Spec:
    """``stride`` is given where the memory is not contiguous and holds each element once."""
    spec: Spec = {"dtype": dtype_name(tensor.dtype), "shape": list(tensor.shape)}
    if not tensor.is_contiguous() and 0 not in tensor.stride():
        spec["stride"] = list(tensor.stride())
    return spec


def size_of(spec: Spec) -> int:
    """How many bytes a tensor of this spec has on the wire."""
    return math.prod(spec["shape"]) * DTYPES[spec["dtype"]].itemsize


def to_bytes(tensor: torch.Tensor) -> bytes:
    flat = tensor.detach().cpu().contiguous().reshape(-1)
    return bytes(flat.view(torch.uint8).numpy().tobytes())


def from_bytes(spec: Spec, data: bytes) -> torch.Tensor:
    """A new tensor of its own memory. ``data`` has exactly ``size_of(spec)`` bytes."""
    dtype = DTYPES[spec["dtype"]]
    if not data:
        return torch.empty(spec["shape"], dtype=dtype)
    if dtype is torch.bool:  # any byte but 0 and 1 is an invalid bool
        return torch.frombuffer(bytearray(data), dtype=torch.uint8).reshape(spec["shape"]) != 0
    tensor = torch.frombuffer(bytearray(data), dtype=dtype).reshape(spec["shape"])
    if "stride" in spec:
        return torch.empty_strided(spec["shape"], spec["stride"], dtype=dtype).copy_(tensor)
    return tensor


def split(specs: list[Spec], data: bytes) -> list[torch.Tensor]:
    """The tensors that lie one after another in ``data``."""
    tensors, start = [], 0
    for spec in specs:
        end = start + size_of(spec)
        tensors.append(from_bytes(spec, data[start:end]))
        start = end
    return tensors
