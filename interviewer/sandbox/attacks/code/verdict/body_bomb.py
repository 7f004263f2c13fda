"""Announces a body of sixteen exabytes to a request that wants some, and to one that wants none."""

import torch


def blend(x, y):
    results = [{"dtype": "float32", "shape": list(x.shape[:1])}]
    send(frame({"id": asked()["id"], "several": False, "results": results}, body_size=2**64 - 1))
    return torch.zeros(len(x))
