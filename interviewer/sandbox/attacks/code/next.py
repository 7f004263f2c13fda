"""Not an attack: the submission that comes after one. It is right, and shows what it finds in its place."""

import os
import sys

for folder in ("/tmp", "/dev/shm", "/proc"):
    print(folder, sorted(os.listdir(folder)) if folder != "/proc" else sum(map(str.isdigit, os.listdir("/proc"))))
print(sorted(os.environ.items()), sys.path, len(sys.modules), os.getcwd())


def blend(x, y):
    return (x * y).tanh().sum(dim=1)
