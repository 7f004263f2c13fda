"""What every hostile program brings along; this stands before its own text, so it can use all of it.

``TARGET`` is put after it by the list: what of the host is worth reaching (see bait.py).
"""

import ctypes
import errno
import gc
import json
import os
import platform
import stat
import struct
import subprocess
import sys

_LIBC = ctypes.CDLL(None, use_errno=True)
_NUMBERS = {  # of the system calls, on x86_64 and on aarch64
    "acct": (163, 89),
    "add_key": (248, 217),
    "adjtimex": (159, 171),
    "bpf": (321, 280),
    "chroot": (161, 51),
    "clock_settime": (227, 112),
    "clone": (56, 220),
    "clone3": (435, 435),
    "fanotify_init": (300, 262),
    "fsopen": (430, 430),
    "init_module": (175, 105),
    "io_uring_setup": (425, 425),
    "ioprio_set": (251, 30),
    "kcmp": (312, 272),
    "kexec_load": (246, 104),
    "keyctl": (250, 219),
    "mount": (165, 40),
    "mount_setattr": (442, 442),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "open_tree": (428, 428),
    "perf_event_open": (298, 241),
    "personality": (135, 92),
    "pidfd_getfd": (438, 438),
    "pivot_root": (155, 41),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "ptrace": (101, 117),
    "quotactl": (179, 60),
    "reboot": (169, 142),
    "request_key": (249, 218),
    "sethostname": (170, 161),
    "setns": (308, 268),
    "swapon": (167, 224),
    "syslog": (103, 116),
    "umount2": (166, 39),
    "unshare": (272, 97),
    "userfaultfd": (323, 282),
}


def attempt(what, action):
    """Claims what ``action`` got: anything that it does without being refused, unless it comes back empty-handed."""
    try:
        got = action()
        said = "nothing" if got is False or (hasattr(got, "__len__") and len(got) == 0) else ""
    except OSError as error:
        said = errno.errorcode.get(error.errno, str(error))
    except (ValueError, subprocess.SubprocessError) as error:
        said = type(error).__name__
    print(f"TRIED {what}: {said}" if said else f"GOT {what}: {got!r:.200}", flush=True)


def system_call(name, *args):
    """Its result. Raises OSError."""
    number = _NUMBERS[name][platform.machine() == "aarch64"]
    words = [arg if isinstance(arg, bytes | ctypes.Array) or arg is None else ctypes.c_long(arg) for arg in args]
    result = _LIBC.syscall(ctypes.c_long(number), *words)
    if result == -1:
        raise OSError(ctypes.get_errno(), name)
    return result


def read(path, size=4096):
    """From the beginning of a file; raises OSError."""
    with open(path, "rb", buffering=0) as file:
        return file.read(size)


def write(path, data):
    """Into a file that exists, at once; how many bytes were taken. Raises OSError."""
    file = os.open(path, os.O_WRONLY)
    try:
        return os.write(file, data.encode())
    finally:
        os.close(file)


def search_memory(pid, wanted):
    """What of a pattern (bytes) lies in the writable memory of a process. Raises OSError."""
    found = []
    with open(f"/proc/{pid}/maps") as maps, open(f"/proc/{pid}/mem", "rb", buffering=0) as memory:
        for line in maps:
            span, rights, *_ = line.split()
            start, end = (int(each, 16) for each in span.split("-"))
            if rights.startswith("rw") and end - start < 1 << 26:
                try:
                    memory.seek(start)
                    found += wanted.findall(memory.read(end - start))
                except (OSError, ValueError):
                    continue
    return found


def pipes(flags):
    """Open pipes, standard output and error aside, that were opened with ``flags``: the channel is among them."""
    found = []
    for file in range(3, 256):
        try:
            mode, opened = os.fstat(file).st_mode, int(read(f"/proc/self/fdinfo/{file}").split()[3], 8)
        except OSError:
            continue
        if stat.S_ISFIFO(mode) and opened & os.O_ACCMODE == flags:
            found.append(file)
    return found


def frame(header, body=b"", *, header_size=None, body_size=None):
    """An answer as the runner would pack it, or one whose sizes are lies."""
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    sizes = (len(text) if header_size is None else header_size, len(body) if body_size is None else body_size)
    return struct.pack("!IQ", *sizes) + text + body


def send(data):
    """To everything that may be the channel."""
    for file in pipes(os.O_WRONLY):
        view = memoryview(data)
        while view:
            view = view[os.write(file, view) :]


def asked():
    """The request that is being answered, from the frames of the runner."""
    place = sys._getframe()
    while place:
        request = place.f_locals.get("request")
        if isinstance(request, dict) and "id" in request:
            return request
        place = place.f_back
    return {"id": 1, "op": ""}


def runner():
    """The object that answers the judge, and the module that it is from."""
    found = next(each for each in gc.get_objects() if type(each).__name__ == "Runner")
    return found, sys.modules[type(found).__module__]
