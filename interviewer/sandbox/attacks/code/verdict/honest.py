"""Solves the task: the list is worth something only if this one passes."""


def blend(x, y):
    return (x * y).tanh().sum(dim=1)
