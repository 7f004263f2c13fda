"""Frames between the judge and the runner: a prefix of two lengths, a JSON header, raw bytes.

Both sides use this file. It promises that a header is a JSON object of at most 64 KiB and that nothing is read
before its length is known and allowed. It does not say what a header may hold: see ``interviewer.sandbox.reply``.
"""

from __future__ import annotations

import json
import os
import struct
from collections.abc import Sequence
from typing import Any

HEADER_LIMIT = 64 * 1024
_JOINED = 64 * 1024  # up to here one write is quicker than several
PREFIX = struct.Struct("!IQ")  # length of the header, length of the body

Header = dict[str, Any]


class FrameError(ValueError):
    """The bytes are not a frame."""


def pack(header: Header, body: bytes = b"") -> bytes:
    return _head(header, len(body)) + body


def unpack_prefix(data: bytes) -> tuple[int, int]:
    """The lengths of the header and of the body that follow."""
    header, body = PREFIX.unpack(data)
    if header > HEADER_LIMIT:
        raise FrameError(f"the header claims {header} bytes; {HEADER_LIMIT} are allowed")
    return header, body


def unpack_header(data: bytes) -> Header:
    try:
        header = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise FrameError("the header is not JSON") from error
    if not isinstance(header, dict):
        raise FrameError("the header is not a JSON object")
    return header


def read_frame(file: int) -> tuple[Header, bytes]:
    """One frame from a blocking file descriptor. Raises EOFError where the other side has gone."""
    header, body = unpack_prefix(_read(file, PREFIX.size))
    return unpack_header(_read(file, header)), _read(file, body)


def write_frame(file: int, header: Header, body: Sequence[memoryview] = ()) -> None:
    """``body`` in parts, which are written one after another: a large one is never copied."""
    size = sum(part.nbytes for part in body)
    parts = [memoryview(_head(header, size)), *body]
    if size <= _JOINED:
        parts = [memoryview(b"".join(parts))]
    for part in parts:
        while part:
            part = part[os.write(file, part) :]


def _head(header: Header, body: int) -> bytes:
    text = json.dumps(header).encode()
    if len(text) > HEADER_LIMIT:
        raise FrameError(f"the header has {len(text)} bytes; {HEADER_LIMIT} are allowed")
    return PREFIX.pack(len(text), body) + text


def _read(file: int, size: int) -> bytes:
    data = bytearray()
    while len(data) < size:
        chunk = os.read(file, min(size - len(data), 1 << 20))
        if not chunk:
            raise EOFError
        data += chunk
    return bytes(data)
