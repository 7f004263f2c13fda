"""Fills files that have no name and no file system of their own (memfd)."""

import os

print("TRIED", flush=True)
while True:
    file = os.memfd_create("bomb")
    for _ in range(4):
        os.write(file, bytes(8 << 20))
