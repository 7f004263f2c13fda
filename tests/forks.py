"""Processes of their own that are forks of one which has imported the libraries: they start in milliseconds, not seconds.

Promises that nothing of the tests' own process is in them. One such fork server runs per worker, from its first use on.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from typing import Any

_context = multiprocessing.get_context("forkserver")
_context.set_forkserver_preload(["tests.imported"])


def ended(target: Callable[..., Any], *args: Any, within: float) -> int:
    """The exit status of a process that ran ``target``; minus the signal's number where one killed it. After ``within``
    seconds it is killed and TimeoutError raised."""
    process = _context.Process(target=target, args=args)
    process.start()
    process.join(within)
    if process.exitcode is None:
        process.kill()
        raise TimeoutError(f"{target.__name__}{args} has not ended within {within} s")
    return process.exitcode
