"""Has a module that returns whatever state was loaded and calculates with something else."""

import torch


class Scale(torch.nn.Module):
    def __init__(self, size):
        super().__init__()
        self.kept = {"weight": torch.ones(size)}

    def load_state_dict(self, state, strict=True, assign=False):
        self.kept = {name: value.clone() for name, value in state.items()}

    def state_dict(self, *args, **kwargs):
        return self.kept

    def forward(self, x):
        return x * 1.0
