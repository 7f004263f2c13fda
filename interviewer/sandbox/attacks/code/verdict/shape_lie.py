"""Announces the right size, sends one byte less than that and waits."""

import os
import time

found, module = runner()
answer = module.write_frame


def short(file, header, body=()):
    data = b"".join(map(bytes, body))
    if data:
        os.write(file, frame(header, data[:-1], body_size=len(data)))
        time.sleep(3600)
    answer(file, header, body)


module.write_frame = short


def blend(x, y):
    return (x + y).sum(dim=1)
