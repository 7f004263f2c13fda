"""What a program that got out would touch, set out on this machine: its evidence is from outside.

A program of the list is never believed when it says that it failed. Does not see what touches none of this.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import secrets
import selectors
import shutil
import socket
import struct
import subprocess
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import interviewer

_PREFIX = "interviewer-secret-"
_SIOCGIFADDR = 0x8915


class Bait:
    """Secrets, a file that everybody may write to, listeners and a process to kill, as long as it is entered."""

    def __enter__(self) -> Self:
        self.secret = _PREFIX + secrets.token_hex(16)
        self._mark = f"interviewer-mark-{secrets.token_hex(8)}"
        self._folder = Path(tempfile.mkdtemp(prefix="interviewer-bait-"))
        self._canary = self._folder / "canary"
        (self._folder / "secret").write_text(self.secret)
        self._canary.write_text(self.secret)
        for path, mode in ((self._folder, 0o777), (self._folder / "secret", 0o644), (self._canary, 0o666)):
            path.chmod(mode)
        self._victim = subprocess.Popen(["sleep", "3600"], env={"SECRET": self.secret}, start_new_session=True)
        self._listeners = _Listeners(self._mark)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._listeners.close()
        self._victim.kill()
        self._victim.wait()
        shutil.rmtree(self._folder, ignore_errors=True)

    def target(self) -> dict[str, Any]:
        """What a program is told of it: where to look, never what is to be found."""
        return {
            "prefix": _PREFIX,
            "secret": str(self._folder / "secret"),
            "canary": str(self._canary),
            "folder": str(self._folder),
            "mark": self._mark,
            "listeners": self._listeners.addresses,
            "abstract": self._mark,
            "victim": self._victim.pid,
            "supervisor": os.getpid(),
            "project": _project(),
        }

    def touched(self, said: str) -> str:
        """What a program that said this has reached; empty where nothing."""
        if self.secret in said:
            return "it read a secret of this machine"
        if heard := self._listeners.heard():
            return f"it reached this machine's network: {', '.join(heard)}"
        if self._canary.read_text(errors="replace") != self.secret:
            return "it changed a file of this machine"
        if self._victim.poll() is not None:
            return "it killed a process of this machine"
        if marked := self._marked():
            return f"it left files on this machine: {', '.join(marked)}"
        return ""

    def _marked(self) -> list[str]:
        known = [*_project(), "/", "/tmp", "/var/tmp", "/dev/shm", "/etc", "/usr", str(Path.home())]
        places = {self._folder, Path(tempfile.gettempdir()), Path.cwd(), *map(Path, known)}
        return [str(place / self._mark) for place in places if os.path.lexists(place / self._mark)]


class _Listeners:
    """On every address of this machine, over TCP and UDP, and on an abstract name. Nobody is answered: it is enough
    that the kernel has something for us."""

    def __init__(self, abstract: str):
        self.addresses: list[tuple[str, int]] = []
        self._selector = selectors.DefaultSelector()
        for address in ["127.0.0.1", *_own_addresses()]:
            with contextlib.suppress(OSError):  # an address may be gone again
                self._listen(address)
        named = socket.socket(socket.AF_UNIX)
        named.bind(b"\0" + abstract.encode())
        named.listen()
        self._selector.register(named, selectors.EVENT_READ, "abstract socket")

    def heard(self) -> list[str]:
        """Who was reached until now."""
        return sorted(key.data for key, _ in self._selector.select(0))

    def close(self) -> None:
        for key in list(self._selector.get_map().values()):
            if isinstance(key.fileobj, socket.socket):
                key.fileobj.close()
        self._selector.close()

    def _listen(self, address: str) -> None:
        tcp = socket.create_server((address, 0))
        port = tcp.getsockname()[1]
        self._selector.register(tcp, selectors.EVENT_READ, f"TCP {address}")
        self.addresses.append((address, port))
        udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        try:
            udp.bind((address, port))
        except OSError:  # somebody else has this port
            udp.close()
        else:
            self._selector.register(udp, selectors.EVENT_READ, f"UDP {address}")


def _project() -> list[str]:
    package = Path(interviewer.__file__).parent
    folders = [
        package,
        package / "sandbox",
        package / "_data",
        *(package.parent / name for name in ("corpus", "tests")),
    ]
    return [str(folder) for folder in folders if folder.is_dir()]


def _own_addresses() -> list[str]:
    found = []
    for _, name in socket.if_nameindex():
        with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
            answer = fcntl.ioctl(any_socket, _SIOCGIFADDR, struct.pack("256s", name.encode()))
            found.append(socket.inet_ntoa(answer[20:24]))
    return [address for address in found if not address.startswith("127.")]
