"""The filter twice: in a small interpreter of its instructions, for both machines, and in this kernel."""

from __future__ import annotations

import errno
import functools
import json
import os
import signal
import struct
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interviewer.sandbox.inside import seccomp, syscalls
from tests.sandbox.child import output, run

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="seccomp is a part of Linux")

ALLOWED, KILLED = "allowed", "killed"
ARCHITECTURE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
MACHINE = os.uname().machine
machines = pytest.mark.parametrize("machine", syscalls.MACHINES)

# Numbers from the kernel's headers: x86_64, aarch64.
FORBIDDEN = {
    "ptrace": (101, 117),
    "syslog": (103, 116),
    "setuid": (105, 146),
    "setgroups": (116, 159),
    "setresuid": (117, 147),
    "capset": (126, 91),
    "pivot_root": (155, 41),
    "adjtimex": (159, 171),
    "chroot": (161, 51),
    "sync": (162, 81),
    "acct": (163, 89),
    "settimeofday": (164, 170),
    "mount": (165, 40),
    "umount2": (166, 39),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "reboot": (169, 142),
    "sethostname": (170, 161),
    "init_module": (175, 105),
    "delete_module": (176, 106),
    "quotactl": (179, 60),
    "clock_settime": (227, 112),
    "mbind": (237, 235),
    "kexec_load": (246, 104),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "unshare": (272, 97),
    "vmsplice": (278, 75),
    "perf_event_open": (298, 241),
    "fanotify_init": (300, 262),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "clock_adjtime": (305, 266),
    "setns": (308, 268),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "kcmp": (312, 272),
    "finit_module": (313, 273),
    "sched_setattr": (314, 274),
    "seccomp": (317, 277),
    "kexec_file_load": (320, 294),
    "bpf": (321, 280),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "pidfd_getfd": (438, 438),
    "mount_setattr": (442, 442),
    "quotactl_fd": (443, 443),
    "landlock_restrict_self": (446, 446),
    "memfd_secret": (447, 447),
}


@functools.cache
def instructions(machine: str) -> list[tuple[int, ...]]:
    return list(struct.iter_unpack("=HBBI", seccomp.program(machine)))


def verdict(machine: str, number: int, *arguments: int, architecture: int | None = None) -> str | int:
    """What the filter says of a call: ``ALLOWED``, ``KILLED`` or the error that the caller gets."""
    padded = [*arguments, *[0] * (6 - len(arguments))]
    seen = struct.pack("<IIQ6Q", number, architecture or ARCHITECTURE[machine], 0, *padded)
    program = instructions(machine)
    accumulator = at = 0
    while True:
        operation, if_true, if_false, operand = program[at]
        at += 1
        match operation:
            case 0x20:
                (accumulator,) = struct.unpack_from("<I", seen, operand)
            case 0x05:
                at += operand
            case 0x15:
                at += if_true if accumulator == operand else if_false
            case 0x35:
                at += if_true if accumulator >= operand else if_false
            case 0x45:
                at += if_true if accumulator & operand else if_false
            case 0x06:
                action, data = operand & 0xFFFF0000, operand & 0xFFFF
                return {0x7FFF0000: ALLOWED, 0x80000000: KILLED, 0x00050000: data}[action]
            case _:
                raise AssertionError(f"no such operation: {operation:#x}")


@machines
def test_exactly_the_listed_calls_are_allowed(machine: str) -> None:
    free, conditional = syscalls.free(machine), set(syscalls.by_arguments(machine).values())
    others = [number for number in range(syscalls.NEWEST + 1) if number not in free | conditional]
    assert {verdict(machine, number) for number in free} == {ALLOWED}
    assert {verdict(machine, number) for number in others} == {errno.EPERM}


@machines
@pytest.mark.parametrize("name", FORBIDDEN)
def test_a_forbidden_call_is_not_in_the_list(machine: str, name: str) -> None:
    assert verdict(machine, FORBIDDEN[name][syscalls.MACHINES.index(machine)]) == errno.EPERM


@machines
def test_calls_that_are_newer_than_the_list_seem_unknown_to_the_kernel(machine: str) -> None:
    assert verdict(machine, syscalls.NEWEST + 1) == verdict(machine, 0x3FFFFFFF) == errno.ENOSYS


@machines
@settings(deadline=None)
@given(number=st.integers(0x40000000, 0xFFFFFFFF))
def test_calls_of_the_x32_interface_are_refused(machine: str, number: int) -> None:
    assert verdict(machine, number) == errno.EPERM


@machines
@settings(deadline=None)
@given(number=st.integers(0, 500), architecture=st.integers(1, 0xFFFFFFFF))
def test_calls_in_the_manner_of_another_machine_end_the_process(machine: str, number: int, architecture: int) -> None:
    if architecture != ARCHITECTURE[machine]:
        assert verdict(machine, number, architecture=architecture) == KILLED


@machines
@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("clone", (0x003D0F00,), ALLOWED),  # a thread
        ("clone", (0x01200011,), ALLOWED),  # a fork
        *(("clone", (0x11 | 1 << bit,), errno.EPERM) for bit in (17, 25, 26, 27, 28, 29, 30)),  # each namespace
        ("clone", (0x11 | 1 << 32,), errno.EPERM),
        ("clone3", (), errno.ENOSYS),
        ("socket", (1, 1, 0), ALLOWED),  # AF_UNIX
        ("socket", (2, 1, 6), ALLOWED),  # AF_INET, TCP
        ("socket", (10, 2, 17), ALLOWED),  # AF_INET6, UDP
        ("socket", (2, 1, 262), errno.EPERM),  # MPTCP
        ("socket", (16, 3, 0), ALLOWED),  # AF_NETLINK, routes
        ("socket", (16, 3, 12), errno.EPERM),  # netfilter
        ("socket", (17, 3, 0), errno.EPERM),  # AF_PACKET
        ("socket", (38, 5, 0), errno.EPERM),  # AF_ALG
        ("socket", (40, 1, 0), errno.EPERM),  # AF_VSOCK
        ("socketpair", (1, 1, 0), ALLOWED),
        ("socketpair", (30, 1, 0), errno.EPERM),  # AF_TIPC
        ("ioctl", (0, 0x5401), ALLOWED),  # TCGETS
        ("ioctl", (0, 0x5412), errno.EPERM),  # TIOCSTI
        ("ioctl", (0, 0x541C), errno.EPERM),  # TIOCLINUX
        ("ioctl", (0, 0x5423), errno.EPERM),  # TIOCSETD
        ("prctl", (15,), ALLOWED),  # a thread's name
        ("prctl", (22,), errno.EPERM),  # another filter
        ("prctl", (35,), errno.EPERM),  # PR_SET_MM
        ("personality", (0xFFFFFFFF,), ALLOWED),
        ("personality", (0x0040000,), errno.EPERM),  # addresses that are not random
        ("mknodat", (0, 0, 0o010644), ALLOWED),  # a pipe with a name
        ("mknodat", (0, 0, 0o020644), errno.EPERM),  # a character device
        ("mknodat", (0, 0, 0o060644), errno.EPERM),  # a block device
        ("sched_setscheduler", (0, 3), ALLOWED),  # SCHED_BATCH
        ("sched_setscheduler", (0, 1), errno.EPERM),  # SCHED_FIFO
    ],
)
def test_some_calls_depend_on_their_arguments(
    machine: str, name: str, arguments: tuple[int, ...], expected: str | int
) -> None:
    assert verdict(machine, syscalls.by_arguments(machine)[name], *arguments) == expected


@machines
@settings(deadline=None)
@given(
    name=st.sampled_from(["socket", "socketpair", "ioctl", "prctl", "personality", "mknodat", "sched_setscheduler"]),
    arguments=st.tuples(*[st.integers(0, 0x6000)] * 3),
    high=st.integers(1, 0xFFFFFFFF),
)
def test_bits_that_the_kernel_does_not_read_change_nothing(
    machine: str, name: str, arguments: tuple[int, ...], high: int
) -> None:
    number = syscalls.by_arguments(machine)[name]
    hidden = [each | high << 32 for each in arguments]
    assert verdict(machine, number, *hidden) == verdict(machine, number, *arguments)


def test_forbidden_calls_fail_in_this_kernel(tmp_path: Path) -> None:
    numbers = {name: both[syscalls.MACHINES.index(MACHINE)] for name, both in FORBIDDEN.items()}
    code = f"""
        seccomp.install()
        print(json.dumps({{name: call(number, *[-1] * 6) for name, number in {numbers}.items()}}))
    """
    assert json.loads(output(code, tmp_path)) == dict.fromkeys(numbers, "EPERM")


def test_arguments_are_looked_at_in_this_kernel(tmp_path: Path) -> None:
    code = """
        seccomp.install()
        number = syscalls.by_arguments(os.uname().machine)
        _, terminal = os.openpty()
        key = ctypes.c_char_p(b"x")
        print(json.dumps({
            "clone": call(number["clone"], 0x10000011, 0, 0, 0, 0),
            "clone3": call(number["clone3"], 0, 0),
            "vsock": attempt(socket.socket, socket.AF_VSOCK),
            "packet": attempt(socket.socket, socket.AF_PACKET),
            "netlink": attempt(socket.socket, socket.AF_NETLINK, socket.SOCK_RAW),
            "internet": attempt(socket.create_server, ("127.0.0.1", 0)),
            "type": call(number["ioctl"], terminal, 0x5412, key),
            "type, hidden": call(number["ioctl"], terminal, 0x5412 | 1 << 32, key),
            "device": attempt(os.mknod, "device", 0o020666, os.makedev(1, 3)),
            "pipe": attempt(os.mkfifo, "pipe"),
            "personality": call(number["personality"], 0x0040000),
            "which personality": call(number["personality"], 0xFFFFFFFF),
            "real time": attempt(os.sched_setscheduler, 0, os.SCHED_FIFO, os.sched_param(1)),
            "batch": attempt(os.sched_setscheduler, 0, os.SCHED_BATCH, os.sched_param(0)),
        }))
    """
    assert json.loads(output(code, tmp_path)) == {
        "clone": "EPERM",
        "clone3": "ENOSYS",
        "vsock": "EPERM",
        "packet": "EPERM",
        "netlink": "done",
        "internet": "done",
        "type": "EPERM",
        "type, hidden": "EPERM",
        "device": "EPERM",
        "pipe": "done",
        "personality": "EPERM",
        "which personality": 0,
        "real time": "EPERM",
        "batch": "done",
    }


def test_what_is_started_later_and_threads_that_ran_before_are_held_too(tmp_path: Path) -> None:
    unshare = FORBIDDEN["unshare"][syscalls.MACHINES.index(MACHINE)]
    code = f"""
        go, found = threading.Event(), []
        thread = threading.Thread(target=lambda: (go.wait(), found.append(call({unshare}, 0))))
        thread.start()
        seccomp.install()
        go.set()
        thread.join()
        print(found, subprocess.run(["unshare", "--user", "true"], capture_output=True, text=True).stderr)
    """
    assert output(code, tmp_path) == "['EPERM'] unshare: unshare failed: Operation not permitted"


@pytest.mark.skipif(MACHINE != "x86_64", reason="only x86_64 runs code of another machine")
def test_32_bit_code_ends_the_process(tmp_path: Path) -> None:
    done = run(
        """
        import mmap
        code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
        code.write(bytes.fromhex("b814000000cd80c3"))  # getpid by the 32-bit gate
        getpid = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))
        print(getpid() == os.getpid(), flush=True)
        seccomp.install()
        getpid()
        """,
        tmp_path,
    )
    assert (done.stdout, done.returncode) == ("True\n", -signal.SIGSYS)


def test_ordinary_programs_work_under_the_filter(tmp_path: Path) -> None:
    code = """
        import asyncio, mmap, multiprocessing, shutil, tempfile
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import shared_memory

        async def talk():
            server = await asyncio.start_server(lambda reader, writer: writer.close(), "127.0.0.1", 0)
            reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
            child = await asyncio.create_subprocess_exec("true")
            return await reader.read() == b"" and await child.wait() == 0

        def main():
            seccomp.install()
            shared = shared_memory.SharedMemory(create=True, size=10)
            shared.close()
            shared.unlink()
            file = os.memfd_create("memory")
            os.write(file, b"abc")
            shutil.copy2(__file__, "copy.py")
            os.rename("copy.py", "moved.py")
            alarms = []
            signal.signal(signal.SIGALRM, lambda *_: alarms.append(1))
            signal.setitimer(signal.ITIMER_REAL, 0.01)
            signal.pause()
            with ProcessPoolExecutor(2, multiprocessing.get_context("forkserver")) as pool:
                squares = list(pool.map(abs, [-1, -2]))
            shell = subprocess.run("ls -l moved.py | wc -l; date > /dev/null", shell=True, capture_output=True, text=True)
            print(mmap.mmap(file, 3)[:], alarms, squares, shell.stdout.strip(), asyncio.run(talk()), sep="|")

        if __name__ == "__main__":
            main()
    """
    assert output(code, tmp_path) == "b'abc'|[1]|[1, 2]|1|True"


def test_pytorch_works_under_the_filter(tmp_path: Path) -> None:
    code = """
        import torch
        import torch.distributed as dist
        import torch.multiprocessing as mp
        from torch.profiler import profile
        from torch.utils.data import DataLoader

        def load(method, workers):
            loader = DataLoader(torch.arange(8.0), batch_size=2, num_workers=workers, multiprocessing_context=method)
            return sum(batch.sum().item() for batch in loader)

        def reduce(rank, results):
            dist.init_process_group("gloo", init_method=f"file://{os.getcwd()}/rendezvous", rank=rank, world_size=2)
            mine = torch.tensor([rank + 1.0])
            dist.all_reduce(mine)
            results.put(mine.item())
            dist.destroy_process_group()

        def together():
            results = mp.get_context("fork").SimpleQueue()
            mp.start_processes(reduce, (results,), nprocs=2, start_method="fork")
            return [results.get(), results.get()]

        def store():
            server = dist.TCPStore("127.0.0.1", 0, is_master=True)
            server.set("key", "value")
            return dist.TCPStore("127.0.0.1", server.port).get("key").decode()

        def save():
            torch.save({"x": torch.ones(3)}, "x.pt")
            return torch.load("x.pt", mmap=True)["x"].sum().item()

        def main():
            seccomp.install()
            results = {"fork": load("fork", 2), "spawn": load("spawn", 1)}
            results |= {"gloo": together(), "store": store(), "save": save()}
            torch.set_num_threads(2)
            x = torch.randn(3, 3, dtype=torch.float64, requires_grad=True)
            results["gradcheck"] = torch.autograd.gradcheck(lambda x: (x @ x).tanh(), x)
            with profile() as profiler:
                torch.nn.functional.conv2d(torch.randn(8, 3, 64, 64), torch.randn(4, 3, 3, 3))
            results["profiled"] = any("conv2d" in each.key for each in profiler.key_averages())
            print(json.dumps(results))

        if __name__ == "__main__":
            main()
    """
    assert json.loads(output(code, tmp_path)) == {
        "fork": 28.0,
        "spawn": 28.0,
        "gloo": [3.0, 3.0],
        "store": "value",
        "save": 3.0,
        "gradcheck": True,
        "profiled": True,
    }
