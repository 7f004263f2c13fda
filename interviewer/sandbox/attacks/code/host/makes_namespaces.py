"""Makes namespaces, a user namespace above all, in which it would be root again, or enters those of others."""

import ctypes
import os
import signal

KINDS = {"user": 0x10000000, "mount": 0x20000, "pid": 0x20000000, "network": 0x40000000, "ipc": 0x8000000}
KINDS |= {"uts": 0x4000000, "cgroup": 0x2000000, "time": 0x80}


def in_a_child(action):
    """So that a success doesn't change what is tried next."""
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            action()
            os.write(write_end, b"0")
        except OSError as error:
            os.write(write_end, str(error.errno).encode())
        os._exit(0)
    os.waitpid(child, 0)
    code = int(os.read(read_end, 10))
    os.close(read_end), os.close(write_end)
    if code:
        raise OSError(code, "in a child")


def cloned(number, *args):
    child = system_call(number, *args)
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)


def clone3(flags):
    return lambda: cloned(
        "clone3", ctypes.create_string_buffer(struct.pack("=11Q", flags, 0, 0, 0, signal.SIGCHLD, *[0] * 6)), 88
    )


for name, flag in KINDS.items():
    attempt(f"unshare {name}", lambda: in_a_child(lambda: system_call("unshare", flag)))
    attempt(f"unshare user and {name}", lambda: in_a_child(lambda: system_call("unshare", flag | KINDS["user"])))
    if name != "time":
        attempt(f"clone {name}", lambda: cloned("clone", flag | signal.SIGCHLD, 0, 0, 0, 0))
    attempt(f"clone3 {name}", clone3(flag))
for name in ("user", "mnt", "pid", "net", "ipc"):
    for pid in (1, "self"):
        path = f"/proc/{pid}/ns/{name}"
        attempt(f"setns {path}", lambda: in_a_child(lambda: system_call("setns", os.open(path, os.O_RDONLY), 0)))
