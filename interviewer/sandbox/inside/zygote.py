"""The zygote: our own process inside the walls, with the libraries loaded, from which every cell is forked.

It never reads a byte of a candidate's: requests come from the supervisor over a socket that no cell inherits, and
a cell gives up every right before its first byte arrives. Stays single-threaded, since only then is forking safe.
Ends when its socket closes, and takes every cell with it, as all live in its process namespace.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import signal
import socket
import sys
import threading
from pathlib import Path

from . import cell

FILES_OF_A_CELL = 4
MESSAGE_LIMIT = 1 << 16


def main() -> None:
    """Called with one argument: a JSON object of ``site`` (folders to import from) and ``modules`` (to load)."""
    config = json.loads(sys.argv[1])
    sys.path.extend(config["site"])
    supervisor = socket.socket(fileno=os.dup(0))
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    try:
        for name in config["modules"]:
            importlib.import_module(name)
    except Exception as error:
        supervisor.send(_answer(f"{type(error).__name__}: {error}"))
        return
    if threading.active_count() > 1 or len(list(Path("/proc/self/task").iterdir())) > 1:
        supervisor.send(_answer("loading the libraries started threads, so nothing can be forked safely"))
        return
    gc.collect()
    gc.freeze()  # what is loaded stays shared between the cells as long as nobody writes to it
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the forked processes
    own = os.pidfd_open(os.getpid())
    socket.send_fds(supervisor, [_answer("")], [own])
    os.close(own)  # or every cell would have it
    _serve(supervisor)


def _serve(supervisor: socket.socket) -> None:
    while True:
        request, files, _, _ = socket.recv_fds(supervisor, MESSAGE_LIMIT, FILES_OF_A_CELL)
        if not request:
            return
        if os.fork() == 0:
            supervisor.close()
            cell.enter(json.loads(request), files)
        for file in files:
            os.close(file)


def _answer(failure: str) -> bytes:
    return json.dumps({"failure": failure[:1000]}).encode()
