"""Is slow, and keeps every processor busy whenever it is the solution's turn on the clock."""

import os
import time

busy = os.memfd_create("busy")
os.write(busy, b"1")
for _ in range(24):
    if os.fork() == 0:
        while True:
            while os.pread(busy, 1, 0) == b"1":
                sum(range(10_000))
            time.sleep(0.0005)


def blend(x, y):
    os.pwrite(busy, b"0", 0)
    time.sleep(0.01)
    result = (x * y).tanh().sum(dim=1)
    os.pwrite(busy, b"1", 0)
    return result
