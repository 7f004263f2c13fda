"""Makes children that end at once and never waits for them; some leave grandchildren behind who do the same."""

import os
import time

print("TRIED", flush=True)
while True:
    try:
        if os.fork() == 0:
            os.fork()
            os._exit(0)
    except OSError:
        time.sleep(0.01)
