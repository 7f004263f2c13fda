"""The few system calls that Python has no function for. Linux only; every failure is an OSError that names the call."""

from __future__ import annotations

import ctypes
import fcntl
import os
import socket
import struct
from pathlib import Path

CLONE_NEWNS = 0x00020000
CLONE_NEWCGROUP = 0x02000000
CLONE_NEWUTS = 0x04000000
CLONE_NEWIPC = 0x08000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000

MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_BIND, MS_REC, MS_PRIVATE = 2, 4, 8, 1 << 12, 1 << 14, 1 << 18

PR_SET_DUMPABLE, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS, PR_CAP_AMBIENT = 4, 24, 38, 47
_PR_CAP_AMBIENT_CLEAR_ALL = 4
_CAPABILITY_VERSION_3 = 0x20080522
_SIOCGIFFLAGS, _SIOCSIFFLAGS, _IFF_UP = 0x8913, 0x8914, 1

_libc = ctypes.CDLL(None, use_errno=True)
_libc.prctl.argtypes = (ctypes.c_int, *[ctypes.c_ulong] * 4)
_libc.mount.argtypes = (ctypes.c_char_p, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_ulong, ctypes.c_char_p)


def unshare(flags: int) -> None:
    _check(_libc.unshare(ctypes.c_int(flags)), "unshare")


def mount(kind: str, target: str, flags: int, options: str = "") -> None:
    """A new file system of ``kind`` on ``target``; with the kind "" only the flags of what is there are changed."""
    source = (kind or "none").encode()
    _check(
        _libc.mount(source, target.encode(), kind.encode() or None, flags, options.encode() or None), f"mount {target}"
    )


def bind(source: str, target: str) -> None:
    """The folder ``source`` on ``target`` as well, as little writable as it is."""
    _check(_libc.mount(source.encode(), target.encode(), None, MS_BIND | MS_REC, None), f"bind {target}")


def prctl(option: int, value: int) -> None:
    _check(_libc.prctl(option, value, 0, 0, 0), f"prctl {option}")


def set_host_name(name: bytes) -> None:
    _check(_libc.sethostname(name, len(name)), "sethostname")


def drop_bounding_set() -> None:
    """So that no program that is started can give a capability back. Needs CAP_SETPCAP."""
    for number in range(int(Path("/proc/sys/kernel/cap_last_cap").read_text()) + 1):
        prctl(PR_CAPBSET_DROP, number)


def drop_capabilities() -> None:
    """All that the process has itself: permitted, effective, inheritable and ambient."""
    _check(_libc.prctl(PR_CAP_AMBIENT, _PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0), "prctl ambient")
    _check(_libc.capset(struct.pack("=Ii", _CAPABILITY_VERSION_3, 0), bytes(24)), "capset")


def bring_loopback_up() -> None:
    """In a new network namespace the loopback interface is there, but down."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        request = struct.pack("16sh14x", b"lo", 0)
        (flags,) = struct.unpack_from("h", fcntl.ioctl(any_socket, _SIOCGIFFLAGS, request), 16)
        fcntl.ioctl(any_socket, _SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", flags | _IFF_UP))


def _check(result: int, call: str) -> None:
    if result:
        number = ctypes.get_errno()
        raise OSError(number, f"{call}: {os.strerror(number)}")
