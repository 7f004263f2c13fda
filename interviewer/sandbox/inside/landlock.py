"""Landlock: the kernel's own list of files for a process, beneath which it reads or writes, and no others.

Promises what the version in force can hold: rights that the kernel doesn't know are left out, and where it has no
Landlock nothing is done. It does not govern what only names a file: listing attributes, changing modes or folders.
The network is left alone, since the namespace of a cell holds nothing but its own loopback, which gloo needs.
"""

from __future__ import annotations

import ctypes
import errno
import os
import stat
import struct

from .kernel import PR_SET_NO_NEW_PRIVS, prctl

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # the same on every machine
_ASK_VERSION, _BENEATH_A_PATH = 1, 1
_NO_AUDIT_RECORDS = 1  # or a submission could flood the machine's log
_NEWEST = 7  # the last version whose rights were looked at

_EXECUTE, _WRITE, _READ, _LIST = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_MAKE_CHARACTER_DEVICE, _MAKE_BLOCK_DEVICE = 1 << 6, 1 << 11
_OF_THE_FIRST_VERSION = (1 << 13) - 1
_MOVE_BETWEEN_FOLDERS, _TRUNCATE, _DEVICE_IOCTL = 1 << 13, 1 << 14, 1 << 15
_ADDED = {2: _MOVE_BETWEEN_FOLDERS, 3: _TRUNCATE, 5: _DEVICE_IOCTL}
_OF_A_FILE = _EXECUTE | _WRITE | _READ | _TRUNCATE | _DEVICE_IOCTL
_NO_NETWORK_RIGHTS = 0  # none is handled, so none is taken
_ABSTRACT_SOCKETS_AND_SIGNALS = 0b11

_libc = ctypes.CDLL(None, use_errno=True)


def confine(readable: list[str], writable: list[str]) -> int:
    """Confines this thread and what it starts to what lies beneath these paths; gives the version in force, or 0.

    Paths may be files, such as devices; those that don't exist are left out. Below ``writable`` everything but making
    devices is allowed: /proc may be among them, as the kernel guards its files by user, and a thread writes its name
    there. From version 6 it sends no signals out, and reaches no abstract socket outside. Call it while there is one
    thread. Raises OSError where the kernel has Landlock and refuses.
    """
    version = min(_version(), _NEWEST)
    if version == 0:
        return 0
    handled = rights(version)
    scoped = _ABSTRACT_SOCKETS_AND_SIGNALS if version >= 6 else 0
    attributes = struct.pack("=QQQ", handled, _NO_NETWORK_RIGHTS, scoped)
    ruleset = _call(_CREATE_RULESET, attributes, len(attributes), 0)
    try:
        for path in readable:
            _allow(ruleset, path, _EXECUTE | _READ | _LIST)
        for path in writable:
            _allow(ruleset, path, handled & ~(_MAKE_CHARACTER_DEVICE | _MAKE_BLOCK_DEVICE))
        prctl(PR_SET_NO_NEW_PRIVS, 1)
        _call(_RESTRICT_SELF, ruleset, _NO_AUDIT_RECORDS if version >= 7 else 0)
    finally:
        os.close(ruleset)
    return version


def rights(version: int) -> int:
    """What can be done to files, as far as this version of Landlock holds it."""
    return _OF_THE_FIRST_VERSION | sum(right for since, right in _ADDED.items() if since <= version)


def _version() -> int:
    try:
        return _call(_CREATE_RULESET, None, 0, _ASK_VERSION)
    except OSError as error:
        if error.errno in (errno.ENOSYS, errno.EOPNOTSUPP):  # not built in, or switched off
            return 0
        raise


def _allow(ruleset: int, path: str, allowed: int) -> None:
    try:
        file = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        allowed &= -1 if stat.S_ISDIR(os.fstat(file).st_mode) else _OF_A_FILE
        _call(_ADD_RULE, ruleset, _BENEATH_A_PATH, struct.pack("=Qi", allowed, file), 0)
    finally:
        os.close(file)


def _call(number: int, *arguments: int | bytes | None) -> int:
    words = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
    result: int = _libc.syscall(ctypes.c_long(number), *words)
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, f"Landlock: {os.strerror(error)}")
    return result
