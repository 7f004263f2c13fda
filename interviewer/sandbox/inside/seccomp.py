"""A filter over system calls: what PyTorch needs is allowed, the rest fails with "operation not permitted".

Promises that after ``install`` this process and all its children make no namespace, mount nothing, trace nobody, open
no socket but local and internet ones, and type nothing into a terminal, however they call. A call in the manner of
another machine, such as 32-bit code, ends the process. Found out with PyTorch on the CPU; what CUDA is known to need
(ioctl, memfd_create) is let through as well, untried. It does not look behind pointers, so it says nothing about
files or addresses: those belong to Landlock and to the namespaces.

The filter is a program in classic BPF: a binary search over the number of the call, whose leaves are small programs
that each end in a verdict. The kernel (from 5.11) finds out for itself which numbers are allowed whatever the arguments
are, and doesn't run the program for them at all.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct

from . import syscalls
from .kernel import PR_SET_NO_NEW_PRIVS, prctl

Instruction = tuple[int, int, int, int]  # operation, jump if true, jump if false, operand
Code = list[Instruction]

_INSTRUCTION = struct.Struct("=HBBI")

_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_X32 = 0x40000000  # from here on lie the calls of the x32 interface, the same ones once more

_LOAD, _JUMP, _IF_EQUAL, _IF_AT_LEAST, _IF_ANY_BIT, _RETURN = 0x20, 0x05, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE = 0, 4  # where they lie in what the kernel shows the filter

_ALLOW: Code = [(_RETURN, 0, 0, 0x7FFF0000)]
_KILL: Code = [(_RETURN, 0, 0, 0x80000000)]
_REFUSE: Code = [(_RETURN, 0, 0, 0x00050000 | errno.EPERM)]
_UNKNOWN: Code = [(_RETURN, 0, 0, 0x00050000 | errno.ENOSYS)]  # tells a C library to use the older call

_NAMESPACES = 0x7E020000  # every CLONE_NEW flag that clone takes
_AF_UNIX, _AF_INET, _AF_INET6, _AF_NETLINK = 1, 2, 10, 16
_UNSAID, _TCP, _UDP, _NETLINK_ROUTE = 0, 6, 17, 0  # protocols; others would load parts of the kernel that nobody needs
_TERMINALS = (
    *(0x5412, 0x541C),  # TIOCSTI and TIOCLINUX type into a terminal
    *(0x541D, 0x5423),  # TIOCCONS takes the console's output, TIOCSETD loads a line discipline
)
_DEVICE = 0x2000  # the bit of a mode that character and block devices have, and no other kind of file
_NOT_REAL_TIME = (0, 3, 5)  # SCHED_OTHER, SCHED_BATCH, SCHED_IDLE
_PERSONALITIES = (0, 0xFFFFFFFF)  # the usual one, and the question which one it is
_PRCTL = (
    *(1, 2, 3, 4),  # the signal when the parent ends; whether memory may be dumped
    *(15, 16, 29, 30),  # a thread's name and the slack of its timers
    *(21, 23, 38, 39),  # questions about rights, and giving up more of them
    *(36, 37, 41, 42, 0x53564D41),  # adopting orphans, huge pages, names of memory
    *(50, 51, 55, 56, 63, 64),  # aarch64's vector lengths and tagged addresses
)

_SECCOMP = {"x86_64": 317, "aarch64": 277}
_SET_MODE_FILTER = 1
_ALL_THREADS, _SPECULATION_AS_IT_WAS = 1, 4


def install() -> None:
    """From now on and for good, for every thread. Raises OSError where the kernel or the machine has no such filter."""
    machine = os.uname().machine
    if machine not in _SECCOMP:
        raise OSError(errno.ENOSYS, f"there is no list of system calls for {machine}")
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    code = program(machine)
    memory = ctypes.create_string_buffer(code, len(code))
    described = struct.pack("HP", len(code) // _INSTRUCTION.size, ctypes.addressof(memory))
    # Kernels before 5.16 would slow speculation down, to guard secrets within one process. Here there are none.
    flags = _ALL_THREADS | _SPECULATION_AS_IT_WAS
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.syscall(*map(ctypes.c_long, (_SECCOMP[machine], _SET_MODE_FILTER, flags)), described):
        number = ctypes.get_errno()
        raise OSError(number, f"seccomp: {os.strerror(number)}")


def program(machine: str) -> bytes:
    """The filter as the kernel reads it."""
    verdicts: dict[int, Code] = dict.fromkeys(range(syscalls.NEWEST + 1), _REFUSE)
    verdicts |= dict.fromkeys(syscalls.free(machine), _ALLOW)
    rules = _rules()
    verdicts |= {number: rules[name] for name, number in syscalls.by_arguments(machine).items()}
    verdicts |= {syscalls.NEWEST + 1: _UNKNOWN, _X32: _REFUSE}
    own = [*_load(_NUMBER), *_search(_spans(verdicts))]
    code = [*_load(_ARCHITECTURE), (_IF_EQUAL, 1, 0, _ARCHITECTURES[machine]), *_KILL, *own]
    return b"".join(_INSTRUCTION.pack(*each) for each in code)


def _rules() -> dict[str, Code]:
    """What is allowed of the calls that depend on their arguments, which are counted from 0."""
    local = _if_one_of(_low(0), (_AF_UNIX,), _ALLOW, _REFUSE)
    internet = _if_one_of(_low(2), (_UNSAID, _TCP, _UDP), _ALLOW, _REFUSE)
    routes = _if_one_of(_low(2), (_NETLINK_ROUTE,), _ALLOW, _REFUSE)
    routes_or_local = _if_one_of(_low(0), (_AF_NETLINK,), routes, local)
    return {
        "clone": _if_one_of(_high(0), (0,), _if_any_bit(_low(0), _NAMESPACES, _REFUSE, _ALLOW), _REFUSE),
        "clone3": _UNKNOWN,  # its flags lie behind a pointer
        "socket": _if_one_of(_low(0), (_AF_INET, _AF_INET6), internet, routes_or_local),
        "socketpair": local,
        "ioctl": _if_one_of(_low(1), _TERMINALS, _REFUSE, _ALLOW),
        "prctl": _if_one_of(_low(0), _PRCTL, _ALLOW, _REFUSE),
        "personality": _if_one_of(_low(0), _PERSONALITIES, _ALLOW, _REFUSE),
        "prlimit64": _if_one_of(_low(0), (0,), _ALLOW, _REFUSE),  # or it could end process 1, whose user it shares
        "mknod": _if_any_bit(_low(1), _DEVICE, _REFUSE, _ALLOW),
        "mknodat": _if_any_bit(_low(2), _DEVICE, _REFUSE, _ALLOW),
        "sched_setscheduler": _if_one_of(_low(1), _NOT_REAL_TIME, _ALLOW, _REFUSE),
    }


def _spans(verdicts: dict[int, Code]) -> list[tuple[int, Code]]:
    """Neighbours with the same verdict as one, by their first number."""
    spans: list[tuple[int, Code]] = []
    for number in sorted(verdicts):
        if not spans or spans[-1][1] is not verdicts[number]:
            spans.append((number, verdicts[number]))
    return spans


def _search(spans: list[tuple[int, Code]]) -> Code:
    """A conditional jump reaches 255 instructions, an unconditional one all of them: so the latter skips the lower half."""
    if len(spans) == 1:
        return spans[0][1]
    middle = len(spans) // 2
    lower, upper = _search(spans[:middle]), _search(spans[middle:])
    return [(_IF_AT_LEAST, 0, 1, spans[middle][0]), (_JUMP, 0, 0, len(lower)), *lower, *upper]


def _if_one_of(place: int, values: tuple[int, ...], then: Code, otherwise: Code) -> Code:
    tests = [(_IF_EQUAL, left + len(otherwise), 0, value) for left, value in enumerate(reversed(values))]
    return [*_load(place), *reversed(tests), *otherwise, *then]


def _if_any_bit(place: int, bits: int, then: Code, otherwise: Code) -> Code:
    return [*_load(place), (_IF_ANY_BIT, len(otherwise), 0, bits), *otherwise, *then]


def _low(argument: int) -> int:
    """The half of an argument that the kernel reads where it wants an ``int``."""
    return 16 + 8 * argument


def _high(argument: int) -> int:
    return _low(argument) + 4


def _load(place: int) -> Code:
    return [(_LOAD, 0, 0, place)]
