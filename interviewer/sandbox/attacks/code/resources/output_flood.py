"""Prints without end, as fast as it can."""

import os

while True:
    os.write(1, b"TRIED " * 10_000)
