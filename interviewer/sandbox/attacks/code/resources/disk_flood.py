"""Writes to its scratch space until it is full, in one file, in many and in such with holes."""

import os

print("TRIED", flush=True)
for at in range(1000):
    try:
        with open(f"/tmp/{at}", "wb") as file:
            file.truncate(1 << 25)
            for _ in range(4):
                file.write(os.urandom(8 << 20))
                file.flush()
    except OSError as error:
        print("stopped at file", at, error)
        break
else:
    print("GOT no end to the disk")
