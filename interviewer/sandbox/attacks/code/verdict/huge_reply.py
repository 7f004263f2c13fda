"""Sends 64 MiB under the number of another request."""

import torch


def blend(x, y):
    send(frame({"id": asked()["id"] + 7}, bytes(64 << 20)))
    return torch.zeros(len(x))
