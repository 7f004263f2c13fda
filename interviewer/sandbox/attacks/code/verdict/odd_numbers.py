"""Sends shapes that are negative, infinite, NaN, fractions, of 4,000 digits, or true."""

import torch

ODD = (b"-1", b"1e999", b"NaN", b"2.5", b"9" * 4000, b"true", b"null", b'"3"', b"18446744073709551616")
calls = iter(range(1000))


def blend(x, y):
    odd = ODD[next(calls) % len(ODD)]
    number = str(asked()["id"]).encode()
    send(frame(b'{"id":%b,"several":false,"results":[{"dtype":"float32","shape":[%b]}]}' % (number, odd)))
    return torch.zeros(len(x))
