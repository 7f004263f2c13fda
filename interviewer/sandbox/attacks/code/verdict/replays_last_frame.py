"""Sends the frame that the runner sent last once more, under the number that is due next."""

import torch

found, module = runner()
answer = module.write_frame


def twice(file, header, body=()):
    answer(file, header, body)
    answer(file, header | {"id": header["id"] + 1}, body)


module.write_frame = twice


def blend(x, y):
    return torch.zeros(len(x))
