"""Looks for the processes, files, shared memory and sockets of a submission that runs at the same time."""

import ctypes
import glob
import os
import re
import socket

WANTED = re.compile(TARGET["prefix"].encode() + rb"[0-9a-f]{32}")


def processes():
    own = {os.getpid(), 1}
    return [pid for pid in map(int, filter(str.isdigit, os.listdir("/proc"))) if pid not in own]


def connect():
    with socket.socket(socket.AF_UNIX) as sender:
        sender.connect(b"\0neighbour")
        return sender.recv(100)


def shared_memory():
    shmid = ctypes.CDLL(None, use_errno=True).shmget(0x4E454947, 0, 0)
    if shmid < 0:
        raise OSError(ctypes.get_errno(), "shmget")
    return shmid


attempt("processes", processes)
for folder in ("/tmp", "/dev/shm", "/var/tmp", "/run", "/dev/mqueue"):
    attempt(folder, lambda folder=folder: [f for f in os.listdir(folder) if "neighbour" in f])
attempt("files by number", lambda: [WANTED.findall(read(f)) for f in glob.glob("/proc/[0-9]*/root/tmp/*neighbour*")])
attempt("own memory, shared with the zygote", lambda: search_memory("self", WANTED))
attempt("shared memory", lambda: [line.split()[:2] for line in open("/proc/sysvipc/shm").readlines()[1:]])
attempt("by its key", shared_memory)
attempt("abstract socket", connect)
