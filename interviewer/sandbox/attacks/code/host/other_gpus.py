"""Needs a GPU: counts and opens the device files of GPUs that were not given to it."""

import glob
import os

import torch

opened = [path for path in glob.glob("/dev/nvidia[0-9]*") if os.access(path, os.R_OK | os.W_OK)]
attempt("more than one device file", lambda: len(opened) > 1 and opened)
attempt("more than one device", lambda: torch.cuda.device_count() > 1 and torch.cuda.device_count())
for path in ("/dev/nvidia-caps/nvidia-cap1", "/proc/driver/nvidia/capabilities/mig/config"):
    attempt(f"dividing it anew by {path}", lambda: os.open(path, os.O_RDWR))


def blend(x, y):
    return (x + y).sum(dim=1)
