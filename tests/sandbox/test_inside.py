"""The parts that both sides share: frames and tensors."""

from __future__ import annotations

import os

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from interviewer.sandbox.inside.tensors import DTYPES, size_of, spec_of, split, to_bytes
from interviewer.sandbox.inside.wire import HEADER_LIMIT, PREFIX, FrameError, pack, read_frame, unpack_prefix

json_values = st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=20), st.lists, max_leaves=5)


@given(header=st.dictionaries(st.text(max_size=10), json_values, max_size=5), body=st.binary(max_size=4000))
def test_a_frame_comes_out_as_it_went_in(header: dict[str, object], body: bytes) -> None:
    reader, writer = os.pipe()
    try:
        os.write(writer, pack(header, body))
        assert read_frame(reader) == (header, body)
    finally:
        os.close(reader)
        os.close(writer)


def test_a_header_that_is_too_long_is_refused_on_both_sides() -> None:
    with pytest.raises(FrameError, match="65536 are allowed"):
        pack({"x": "x" * HEADER_LIMIT})
    with pytest.raises(FrameError, match="65536 are allowed"):
        unpack_prefix(PREFIX.pack(HEADER_LIMIT + 1, 0))


@pytest.mark.parametrize("dtype", DTYPES.values(), ids=DTYPES)
@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 0, 3), (2, 3, 4)], ids=str)
def test_tensors_come_out_as_they_went_in(dtype: torch.dtype, shape: tuple[int, ...]) -> None:
    tensor = (torch.randn(shape) * 3).to(dtype)
    (back,) = split([spec_of(tensor)], to_bytes(tensor))
    assert back.dtype is dtype and torch.equal(back, tensor)


def test_several_tensors_keep_their_order_and_their_strides() -> None:
    lone = torch.randn(1, 3)[:, 0]  # one element, whose stride is 3
    tensors = [torch.randn(3, 4).t(), torch.arange(10)[::2], torch.randn(2, 1).expand(2, 5), torch.randn(()), lone]
    specs = [spec_of(tensor) for tensor in tensors]
    data = b"".join(to_bytes(tensor) for tensor in tensors)
    back = split(specs, data)
    assert len(data) == sum(size_of(spec) for spec in specs)
    assert all(torch.equal(a, b) for a, b in zip(tensors, back, strict=True))
    assert [t.stride() for t in back] == [(1, 4), (2,), (5, 1), (), (1,)]


def test_bytes_that_are_no_bool_become_one() -> None:
    (back,) = split([{"dtype": "bool", "shape": [3]}], b"\x00\x02\xff")
    assert back.tolist() == [False, True, True]
