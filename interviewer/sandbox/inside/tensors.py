"""Tensors as a spec (JSON) and raw bytes, in both directions.

Promises that reading never trusts more than the length of the bytes: no pickle, no strides from the other side's memory.
Covers dense tensors of the dtypes below; does not cover complex, quantised or sparse ones.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
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
_NAMES = {dtype: name for name, dtype in DTYPES.items()}


def dtype_name(dtype: torch.dtype) -> str:
    return _NAMES.get(dtype) or str(dtype).removeprefix("torch.")


def spec_of(tensor: torch.Tensor) -> Spec:
    """``stride`` is given where the memory is not contiguous and holds each element once."""
    spec: Spec = {"dtype": dtype_name(tensor.dtype), "shape": list(tensor.shape)}
    if not tensor.is_contiguous() and 0 not in tensor.stride():
        spec["stride"] = list(tensor.stride())
    return spec


def size_of(spec: Spec) -> int:
    """How many bytes a tensor of this spec has on the wire."""
    return math.prod(spec["shape"]) * DTYPES[spec["dtype"]].itemsize


def memory_of(tensor: torch.Tensor) -> memoryview:
    """The elements as they go over the wire, without a copy where they lie in their order already."""
    tensor = tensor.detach()
    if not (tensor.is_cpu and tensor.is_contiguous() and not tensor.is_neg()):
        tensor = tensor.cpu().resolve_neg().contiguous()
    # Not view(-1), which keeps the stride of a dimension of length 1, whatever that is.
    flat = tensor.as_strided((tensor.numel(),), (1,))
    return flat.view(torch.uint8).numpy().data


def to_bytes(tensor: torch.Tensor) -> bytes:
    return memory_of(tensor).tobytes()


def split(specs: Sequence[Spec], data: bytes) -> list[torch.Tensor]:
    """New tensors of their own memory from what lies one after another in ``data``: exactly as many bytes as that is."""
    buffer, tensors, start = bytearray(data), [], 0
    for spec in specs:
        tensors.append(_from_buffer(spec, buffer, start))
        start += size_of(spec)
    return tensors


def _from_buffer(spec: Spec, buffer: bytearray, start: int) -> torch.Tensor:
    dtype, shape = DTYPES[spec["dtype"]], spec["shape"]
    count = math.prod(shape)
    if not count:
        return torch.empty(shape, dtype=dtype)
    if dtype is torch.bool:  # any byte but 0 and 1 is an invalid bool
        flat = torch.frombuffer(buffer, dtype=torch.uint8, offset=start, count=count) != 0
    else:
        flat = torch.frombuffer(buffer, dtype=dtype, offset=start, count=count)
    if "stride" in spec:
        return torch.empty_strided(shape, spec["stride"], dtype=dtype).copy_(flat.reshape(shape))
    return flat.reshape(shape).clone()
