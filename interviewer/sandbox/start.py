"""The steps that every run has: the code compiled, the code executed, the end.

The code is compiled in the sandbox as well: a compiler can be crashed by what it reads. What it says of forbidden names
is still our own word, since none of the code has run by then.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from interviewer.models import Outcome
from interviewer.sandbox.reply import Reply, plain
from interviewer.sandbox.slot import Ended, Slot

_CODE_LIMIT = 256 * 1024


def compile_in(
    slot: Slot, code: str, forbids: Sequence[str] = (), meanwhile: Callable[[], None] = lambda: None
) -> None:
    """Does ``meanwhile`` while the slot is at work. Raises Ended."""
    source = code.encode(errors="replace")
    if len(source) > _CODE_LIMIT:
        raise Ended(Outcome.FAILED, f"The code has {len(source)} bytes; {_CODE_LIMIT} are allowed. It was not run.")
    slot.post("compile", source, forbids=list(forbids))
    meanwhile()
    reply, _ = slot.answer()
    if reply.failure:
        raise Ended(Outcome.FAILED, f"The code cannot be compiled. {reply.failure}")
    if use := reply.forbidden:
        where = f"in line {use.line}, `{plain(_line(code, use.line))}`" if use.line else ""
        raise Ended(
            Outcome.FAILED, f"The code uses {plain(use.name)} {where}, which this task does not allow. It was not run."
        )


def run(slot: Slot, entry: str) -> Reply:
    """Executes the code: as a module that defines ``entry``, or as a program where that is empty. Raises Ended."""
    reply, _ = slot.ask("run", entry=entry, device=slot.device)
    if reply.failure:
        raise Ended(Outcome.FAILED, f"The code stopped with {reply.failure}")
    return reply


def finish(slot: Slot) -> None:
    """One last exchange: a forged answer before it leaves one too many, which is found out here. Raises Ended."""
    slot.ask("end")


def _line(code: str, number: int) -> str:
    lines = code.splitlines()
    return lines[number - 1].strip()[:200] if number <= len(lines) else ""
