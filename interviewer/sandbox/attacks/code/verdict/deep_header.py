"""Sends a header of 60,000 nested lists, on which a recursive parser runs out of stack."""

import torch


def blend(x, y):
    send(frame(b"[" * 60_000))
    return torch.zeros(len(x))
