"""Is wrong and does not cheat: the list is worth something only if this one fails."""


def blend(x, y):
    return (x + y).tanh().sum(dim=1)
