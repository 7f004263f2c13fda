"""Opens the program that it runs in for writing, by the paths that once led out of containers."""

import os

for pid in ("self", 1, os.getppid()):
    attempt(f"the program of {pid}", lambda: os.open(f"/proc/{pid}/exe", os.O_WRONLY))
    attempt(f"the program of {pid} to append", lambda: os.open(f"/proc/{pid}/exe", os.O_RDWR | os.O_APPEND))
for line in open("/proc/self/maps"):
    path = line.split()[-1]
    if path.startswith("/") and ".so" in path and " 00000000 " in line:
        attempt(path, lambda: os.open(path, os.O_RDWR))
