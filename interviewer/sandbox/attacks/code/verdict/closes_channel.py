"""Closes both ends of the channel and goes on living."""

import os
import time

for flags in (os.O_RDONLY, os.O_WRONLY):
    for file in pipes(flags):
        os.close(file)
time.sleep(3600)
