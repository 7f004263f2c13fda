"""What a fragment of somebody's code takes for granted, supplied so that it can be run.

Each stand-in is the least that makes common fragments run: it shows that code can run, not that it does what its
document says. What was supplied is always told.
"""

from __future__ import annotations

IMPORTS = {
    "torch": "import torch",
    "nn": "import torch.nn as nn",
    "F": "import torch.nn.functional as F",
    "optim": "import torch.optim as optim",
    "dist": "import torch.distributed as dist",
    "np": "import numpy as np",
    "numpy": "import numpy",
    "os": "import os",
    "random": "import random",
    "time": "import time",
    "pd": "import pandas as pd",
    "plt": "import matplotlib.pyplot as plt",
    "Image": "from PIL import Image",
    "torchvision": "import torchvision",
    "transforms": "from torchvision import transforms",
    "models": "from torchvision import models",
    "datasets": "from torchvision import datasets",
    "Dataset": "from torch.utils.data import Dataset",
    "DataLoader": "from torch.utils.data import DataLoader",
    "Variable": "from torch.autograd import Variable",
    "onnx": "import onnx",
}

_MODEL = """class _StandIn(nn.Module):
    def __init__(self, *sizes):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 4, 3)
        self.fc1, self.fc2, self.fc, self.layer1 = (nn.Linear(10, 10) for _ in range(4))

    def forward(self, x):
        if x.dim() == 4:
            self.conv1(x)
        rows = x.float().reshape(x.shape[0], -1).mean(dim=1, keepdim=True).expand(-1, 10)
        return self.fc2(torch.relu(self.fc1(rows)))
"""

# name → the lines that make it; names in them are supplied in turn
VALUES = {
    "_StandIn": _MODEL,
    **{name: f"{name} = _StandIn()" for name in ("model", "net", "generator", "discriminator", "teacher", "student")},
    **{
        name: f"{name} = _StandIn"
        for name in (
            "MyModel",
            "Model",
            "Net",
            "SimpleNet",
            "NeuralNetwork",
            "Generator",
            "Discriminator",
            "MyNet",
            "TheModelClass",
        )
    },
    **{
        name: f"{name} = torch.randn(4, 10)"
        for name in (
            "x",
            "input",
            "inputs",
            "input_tensor",
            "data",
            "batch",
            "features",
            "X",
            "X_train",
            "outputs",
            "tensor",
            "input_data",
        )
    },
    **{
        name: f"{name} = torch.randn(4, 3, 8, 8)" for name in ("image", "images", "img", "dummy_input", "example_input")
    },
    **{
        name: f"{name} = torch.randint(0, 10, (4,))"
        for name in ("label", "labels", "target", "targets", "y", "y_train")
    },
    **{name: f"{name} = model(inputs)" for name in ("output", "logits", "predictions", "preds")},
    **{name: f"{name} = nn.CrossEntropyLoss()" for name in ("criterion", "loss_fn", "loss_function")},
    "loss": "loss = criterion(model(inputs), labels)",
    "optimizer": "optimizer = torch.optim.SGD(model.parameters(), lr=0.01)",
    "scheduler": "scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1)",
    "dataset": "dataset = torch.utils.data.TensorDataset(torch.randn(8, 10), torch.randint(0, 10, (8,)))",
    **{name: f"{name} = dataset" for name in ("train_dataset", "val_dataset", "test_dataset", "custom_dataset")},
    **{
        name: f"{name} = torch.utils.data.DataLoader(dataset, batch_size=4)"
        for name in ("dataloader", "loader", "train_loader", "val_loader", "test_loader", "data_loader", "valid_loader")
    },
    **{name: f"{name} = 2" for name in ("num_epochs", "epochs", "n_epochs", "EPOCHS")},
    **{name: f"{name} = 1" for name in ("epoch", "batch_size", "world_size")},
    "num_classes": "num_classes = 10",
    "device": 'device = torch.device("cpu")',
    "rank": "rank = 0",
    **{name: f"{name} = 0.5" for name in ("val_loss", "train_loss", "best_loss", "loss_value", "accuracy", "lr")},
    "train": "def train(*args, **kwargs): return 0.5",
    "validate": "def validate(*args, **kwargs): return 0.5",
    "train_one_epoch": "def train_one_epoch(*args, **kwargs): return 0.5",
    "sequences": "sequences = [torch.randn(n, 10) for n in (5, 3)]",
    "lengths": "lengths = torch.tensor([5, 3])",
    "layer": "layer = model.fc1",
}


def supply(name: str) -> str | None:
    """The lines that give ``name`` a meaning, or None where none is known."""
    return IMPORTS.get(name) or VALUES.get(name)


def is_import(name: str) -> bool:
    return name in IMPORTS
