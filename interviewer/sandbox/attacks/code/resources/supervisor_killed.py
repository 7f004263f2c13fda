"""Runs while the process that watches over it is killed: nothing of the run may outlive that."""

import os
import signal
import time

if os.fork() == 0:
    os.setsid()
signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
print("TRIED", flush=True)
with open("/tmp/kept", "wb") as file:
    file.write(bytes(8 << 20))
while True:
    time.sleep(3600)
