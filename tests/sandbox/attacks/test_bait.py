"""Evidence from outside: each thing that a program could reach is noticed when it is reached."""

from __future__ import annotations

import os
import signal
import socket
from pathlib import Path

from interviewer.sandbox.attacks.bait import Bait
from interviewer.sandbox.attacks.footprint import until


def test_bait_that_nobody_touches_shows_nothing() -> None:
    with Bait() as bait:
        assert bait.touched("some words") == ""


def test_a_secret_in_what_was_said_is_noticed() -> None:
    with Bait() as bait:
        secret = Path(bait.target()["secret"]).read_text()
        assert "read a secret" in bait.touched(f"TRIED {secret}")


def test_a_connection_is_noticed() -> None:
    with Bait() as bait:
        address, port = bait.target()["listeners"][0]
        socket.create_connection((address, port)).close()
        assert bait.touched("") == "it reached this machine's network: TCP 127.0.0.1"


def test_a_datagram_is_noticed() -> None:
    with Bait() as bait, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.sendto(b"x", tuple(bait.target()["listeners"][0]))
        assert bait.touched("") == "it reached this machine's network: UDP 127.0.0.1"


def test_a_connection_to_an_abstract_name_is_noticed() -> None:
    with Bait() as bait, socket.socket(socket.AF_UNIX) as sender:
        sender.connect(b"\0" + bait.target()["abstract"].encode())
        assert "abstract socket" in bait.touched("")


def test_a_changed_file_is_noticed() -> None:
    with Bait() as bait:
        Path(bait.target()["canary"]).write_text("x")
        assert bait.touched("") == "it changed a file of this machine"


def test_a_killed_process_is_noticed() -> None:
    with Bait() as bait:
        os.kill(bait.target()["victim"], signal.SIGTERM)
        until(lambda: "" if bait.touched("") else "it still lives", 10)
        assert bait.touched("") == "it killed a process of this machine"


def test_a_new_file_is_noticed() -> None:
    with Bait() as bait:
        target = bait.target()
        (Path(target["folder"]) / target["mark"]).touch()
        assert "left files on this machine" in bait.touched("")


def test_bait_is_gone_afterwards() -> None:
    with Bait() as bait:
        target = bait.target()
    assert not Path(target["folder"]).exists()
    assert not Path(f"/proc/{target['victim']}").exists()
