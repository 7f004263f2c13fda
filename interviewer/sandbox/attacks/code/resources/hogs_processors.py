"""Keeps every processor busy from every process and thread that it may have."""

import os
import threading

print("TRIED", flush=True)
for _ in range(20):
    if os.fork() == 0:
        break
for _ in range(2):
    threading.Thread(target=sum, args=(iter(int, 1),), daemon=True).start()
while True:
    pass
