"""A cell: what one submission lives in, built around a process that was forked from the zygote.

Three processes follow each other. The first waits until the supervisor has put it into its control group and makes the
namespaces; the second is process 1 of the new namespace, waits for the third and reports how it ended; the third
gives up every right and serves as the runner. When process 1 ends, the kernel ends everything in the cell.

Promises that all walls stand before the first request is read. Without walls (``walls`` false) only the limits hold.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import signal
import socket
import struct
import sys
import traceback
from pathlib import Path
from typing import Any, NoReturn

from . import kernel, landlock, seccomp
from .runner import Runner, rehearse

Config = dict[str, Any]

GO = b"g"
_NAMESPACES = (
    kernel.CLONE_NEWPID
    | kernel.CLONE_NEWNS
    | kernel.CLONE_NEWIPC
    | kernel.CLONE_NEWNET
    | kernel.CLONE_NEWUTS
    | kernel.CLONE_NEWCGROUP
)
_QUIET = kernel.MS_NOSUID | kernel.MS_NODEV


def enter(config: Config, files: list[int]) -> NoReturn:
    """``files``: what becomes 0, 1 and 2 of the runner, and the socket on which the supervisor hears of the cell."""
    try:
        os.umask(0o022)
        for number, file in enumerate(files[:3]):
            os.dup2(file, number)
            os.close(file)
        supervisor = socket.socket(fileno=files[3])
        supervisor.send(b"born")  # the kernel adds the number that this process has for the supervisor
        if supervisor.recv(1) == GO:
            _divide(config, supervisor)
    except BaseException:
        traceback.print_exc()
    os._exit(1)


def _divide(config: Config, supervisor: socket.socket) -> NoReturn:
    if config["walls"]:
        kernel.unshare(_NAMESPACES)
    first = os.fork()
    if first:
        socket.send_fds(supervisor, [b"first"], [os.pidfd_open(first)])
        os._exit(0)
    os.setsid()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    if config["walls"]:
        _build(config)
    harmless, itself = os.pipe()
    runner = os.fork()
    if runner == 0:
        os.close(itself)
        _serve(config, supervisor, harmless)
    _watch(config, runner, supervisor, itself)


def _build(config: Config) -> None:
    kernel.mount("", "/", kernel.MS_REC | kernel.MS_PRIVATE)
    kernel.mount("proc", "/proc", _QUIET | kernel.MS_NOEXEC)
    covered = {folder: os.open(folder, os.O_PATH) for folder in config["covered"]}
    for folder in ("/tmp", "/dev/shm"):
        kernel.mount("tmpfs", folder, _QUIET, f"mode=1777,size={config['scratch']},nr_inodes={config['inodes']}")
    for folder, file in covered.items():
        Path(folder).mkdir(parents=True)
        kernel.bind(f"/proc/self/fd/{file}", folder)
        os.close(file)
    os.chdir("/tmp")
    kernel.set_host_name(b"sandbox")
    kernel.bring_loopback_up()


def _watch(config: Config, runner: int, supervisor: socket.socket, itself: int) -> NoReturn:
    """Process 1: reaps what is orphaned, and says how the runner ended. Holds none of the runner's channels.

    Closes ``itself`` when it has given up its rights, for which the runner waits.
    """
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in range(3):
        os.dup2(nothing, number)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the one that Python handles, so the runner could end this by it
    if config["walls"]:
        _give_up_rights(config["uid"])
        kernel.prctl(kernel.PR_SET_DUMPABLE, 0)  # the runner may be the same user and must not get at its memory
    os.close(itself)
    while True:
        pid, status = os.wait()
        if pid == runner:
            with contextlib.suppress(OSError):  # the supervisor has gone
                supervisor.send(struct.pack("=i", os.waitstatus_to_exitcode(status)))
            os._exit(0)


def _serve(config: Config, supervisor: socket.socket, harmless: int) -> NoReturn:
    """``harmless``: ends when process 1 has given up its rights."""
    incoming, outgoing = _take_channel()
    _limit(config["limits"])
    walls = {"landlock": 0}
    if config["walls"]:
        _give_up_rights(config["uid"])
        walls = _confine(config)
    os.environ.update(config["environment"])
    if not config["walls"]:
        os.chdir(config["environment"]["HOME"])
    with contextlib.suppress(OSError):  # the first to go when the machine runs out of memory
        Path("/proc/self/oom_score_adj").write_text("1000")
    os.read(harmless, 1)
    os.close(harmless)
    _warm(config["device"])
    supervisor.send(json.dumps(walls).encode())
    supervisor.close()
    Runner(incoming, outgoing).serve()
    os._exit(0)


def _give_up_rights(uid: int | None) -> None:
    """``uid``: whom root becomes; without it the user stays, who has no rights outside the user namespace."""
    kernel.drop_bounding_set()
    if uid is not None:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
    kernel.drop_capabilities()
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)


def _confine(config: Config) -> dict[str, Any]:
    """Raises OSError where the kernel can't filter system calls, which the other walls rely on."""
    kernel.prctl(kernel.PR_SET_DUMPABLE, 1)  # giving up root cleared it, and with it the right to /proc/self
    abi = landlock.confine(config["readable"], config["writable"])
    seccomp.install()
    return {"landlock": abi}


def _take_channel() -> tuple[int, int]:
    """Moves the channel away from 0 and 1, so that the candidate's prints go to the supervisor as text."""
    incoming, outgoing = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return incoming, outgoing


def _limit(limits: dict[str, int]) -> None:
    for name, value in limits.items():
        kind = getattr(resource, name)
        _, most = resource.getrlimit(kind)
        wanted = value if most == resource.RLIM_INFINITY else min(value, most)
        resource.setrlimit(kind, (wanted, wanted))


def _warm(device: str) -> None:
    """What a library does only at its first call is done before anybody waits.

    The product is the canary of a device: it comes out right, or nobody's code runs here.
    """
    torch = sys.modules.get("torch")
    if torch is None:
        return
    x = torch.arange(64.0).reshape(8, 8)
    given = x.to(device).requires_grad_()
    product = given @ given
    if not torch.equal(product.cpu(), x @ x):
        raise RuntimeError(f"a product of small whole numbers comes out wrong on the device {device}")
    product.softmax(-1).sum().backward()
    rehearse(device)
