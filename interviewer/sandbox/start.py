"""The steps that every run has: the code compiled, its libraries loaded, the code executed, the end.

The code is compiled in the sandbox as well: a compiler can be crashed by what it reads.
"""

from __future__ import annotations

from interviewer.models import Outcome
from interviewer.sandbox.reply import Reply
from interviewer.sandbox.slot import Ended, Slot

_CODE_LIMIT = 256 * 1024


def start(code: str, slot: Slot, modules: list[str]) -> None:
    """Compiles ``code`` and lets ``modules`` begin to load; ``started`` waits for them. Raises Ended."""
    source = code.encode(errors="replace")
    if len(source) > _CODE_LIMIT:
        raise Ended(Outcome.FAILED, f"The code has {len(source)} bytes; {_CODE_LIMIT} are allowed. It was not run.")
    _ours(slot.ask("hello", ours=True)[0])
    reply, _ = slot.ask("compile", source)
    if reply.failure:
        raise Ended(Outcome.FAILED, f"The code cannot be compiled. {reply.failure}")
    slot.post("preload", ours=True, modules=modules)


def started(slot: Slot) -> None:
    _ours(slot.answer()[0])


def run(slot: Slot, entry: str) -> Reply:
    """Executes the code: as a module that defines ``entry``, or as a program where that is empty. Raises Ended."""
    reply, _ = slot.ask("run", entry=entry)
    if reply.failure:
        raise Ended(Outcome.FAILED, f"The code stopped with {reply.failure}")
    return reply


def finish(slot: Slot) -> None:
    """One last exchange: a forged answer before it leaves one too many, which is found out here. Raises Ended."""
    slot.ask("end")


def _ours(reply: Reply) -> None:
    if reply.failure:
        raise Ended(Outcome.INFRASTRUCTURE, f"The sandbox is not fit to run code: {reply.failure}")
