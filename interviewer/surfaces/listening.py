"""What every surface that serves does alike: takes its address, and tests the sandbox once the first visitors are in."""

from __future__ import annotations

import socket
import sys
import threading
from typing import TYPE_CHECKING

from interviewer.errors import UsageError

if TYPE_CHECKING:
    from interviewer.house import House

_SECONDS_BEFORE_THE_TEST = 20.0  # the first page and the first question have the machine to themselves


def listen(host: str, port: int, *, what: str, setting: str) -> socket.socket:
    """An open socket at the address. Raises UsageError, a sentence that begins with ``what``, where it is taken;
    ``setting`` is the variable that names another port."""
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    if sys.platform != "win32":
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        raise UsageError(
            f"{what} at {host}:{port}: {error.strerror or error}. Nothing was changed. "
            f"{setting} names another port (0 takes any free one), INTERVIEWER_HOST another address."
        ) from error
    listener.listen(128)
    return listener


def check_sandbox_later(house: House) -> None:
    """Says on standard error what the sandbox did not hold; no code is run by this process then."""
    timer = threading.Timer(_SECONDS_BEFORE_THE_TEST, _test_sandbox, [house])
    timer.daemon = True
    timer.start()


def _test_sandbox(house: House) -> None:
    for broken in house.test_sandbox():
        sys.stderr.write(f"The sandbox did not hold, so no code is run: {broken}\n")
