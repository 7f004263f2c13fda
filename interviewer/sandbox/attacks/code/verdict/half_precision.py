"""Calculates in float16 and returns it as float32."""


def blend(x, y):
    return (x.half() * y.half()).tanh().sum(dim=1).float()
