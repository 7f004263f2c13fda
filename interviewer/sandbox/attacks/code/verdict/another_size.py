"""Sends more bytes than the results have, the wanted number of them first."""

import os

found, module = runner()
answer = module.write_frame


def long(file, header, body=()):
    data = b"".join(map(bytes, body))
    if data:
        os.write(file, frame(header, data + bytes(4)))
    else:
        answer(file, header, body)


module.write_frame = long


def blend(x, y):
    return (x + y).sum(dim=1)
