"""Not an attack: another submission that runs at the same time, and keeps a secret everywhere where one can be kept."""

import ctypes
import os
import socket
import time

for path in ("/tmp/neighbour", "/dev/shm/neighbour"):
    with open(path, "w") as file:
        file.write(TARGET["secret"])
os.environ["NEIGHBOUR"] = TARGET["secret"]
libc = ctypes.CDLL(None)
libc.shmat.restype = ctypes.c_void_p
segment = libc.shmget(0x4E454947, ctypes.c_size_t(4096), 0o1666)
if segment >= 0:  # where the walls allow such memory at all
    ctypes.memmove(libc.shmat(segment, None, 0), TARGET["secret"].encode(), len(TARGET["secret"]))
listener = socket.socket(socket.AF_UNIX)
listener.bind(b"\0neighbour")
listener.listen()
time.sleep(2.5)
print(
    "unharmed"
    if all(open(path).read() == TARGET["secret"] for path in ("/tmp/neighbour", "/dev/shm/neighbour"))
    else ""
)
