"""Opens files until no more can be had, in as many processes as there may be."""

import os
import time

print("TRIED", flush=True)
for _ in range(40):
    if os.fork() == 0:
        break
kept = []
while True:
    try:
        kept.append(os.open("/dev/null", os.O_RDONLY))
    except OSError:
        if len(kept) > 4096:
            print("GOT", len(kept), "files")
        time.sleep(0.05)
