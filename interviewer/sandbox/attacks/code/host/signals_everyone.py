"""Sends a deadly signal to everybody that it may reach, by group, by number and to its neighbours."""

import os
import signal

for number in (signal.SIGTERM, signal.SIGKILL):
    attempt(f"{number!r} to its parent's group", lambda: os.killpg(os.getpgid(1) or 1, number))
    for pid in (TARGET["victim"], TARGET["supervisor"]):
        attempt(f"{number!r} to {pid}", lambda: os.kill(pid, number))
os.sched_yield()
print("TRIED everybody at once", flush=True)
for pid in set(range(2, 40_000)) - {os.getpid()}:
    try:
        os.kill(pid, signal.SIGKILL)
    except OSError:
        continue
try:
    os.kill(-1, signal.SIGKILL)
finally:
    os.kill(0, signal.SIGKILL)
