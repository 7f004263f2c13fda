"""Makes empty files and folders until there can be no more."""

import os

print("TRIED", flush=True)
for at in range(200_000):
    try:
        os.mkdir(f"/tmp/{at}")
    except OSError as error:
        print("stopped at", at, error)
        break
else:
    print("GOT no end to the files")
