"""Needs a GPU: takes all of its memory and ends without giving any of it back."""

import os

import torch


def blend(x, y):
    print("TRIED", flush=True)
    kept = []
    try:
        while True:
            kept.append(torch.ones(64 << 20, device=x.device))
    except torch.OutOfMemoryError:
        os._exit(3)
