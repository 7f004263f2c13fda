"""Returns what is right and leaves the inputs changed, behind the back of autograd."""


def blend(x, y):
    result = (x * y).tanh().sum(dim=1)
    x.data.copy_(x.data * 2)
    return result
