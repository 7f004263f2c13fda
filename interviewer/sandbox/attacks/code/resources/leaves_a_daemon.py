"""Ends well and leaves processes behind that have cut every tie: double forks, new sessions, closed files."""

import os
import signal
import time

for _ in range(8):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for file in range(256):
                try:
                    os.close(file)
                except OSError:
                    continue
            signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
            while True:
                time.sleep(3600)
        os._exit(0)
print("TRIED")
