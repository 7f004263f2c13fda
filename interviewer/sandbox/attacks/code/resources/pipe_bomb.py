"""Fills pipes and sockets, whose memory is the kernel's, in as many processes as there may be."""

import fcntl
import os
import socket
import time

print("TRIED", flush=True)
for _ in range(40):
    if os.fork() == 0:
        break
kept = []
while True:
    try:
        read_end, write_end = os.pipe()
        fcntl.fcntl(write_end, fcntl.F_SETPIPE_SZ, 1 << 20)
        pair = socket.socketpair()
        for file in (write_end, pair[0].fileno()):
            os.set_blocking(file, False)
            os.write(file, bytes(1 << 20))
        kept += [read_end, pair]
    except OSError:
        time.sleep(0.05)
