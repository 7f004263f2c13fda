"""What the commands share: where words go, and how an error ends a command.

Answers go to stdout, everything else to stderr; with ``--json`` stdout holds JSON alone.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.markdown import Markdown
from rich.status import Status

from interviewer.settings import Settings

if TYPE_CHECKING:
    from interviewer.house import House

Json = Annotated[bool, typer.Option("--json", help="JSON alone on stdout.")]

out = Console()
err = Console(stderr=True)

_QUIET_FOR = 0.5  # seconds before a spinner shows


def house_of_settings() -> House:
    """The rooms, put together as the environment says."""
    from interviewer.house import assemble

    return assemble(Settings())


def print_json(value: Any) -> None:
    sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")
    sys.stdout.flush()


def print_line(text: str, style: str = "") -> None:
    """One line as it is: no markup, no wrapping, no colouring of numbers."""
    out.print(text, style=style, markup=False, highlight=False, soft_wrap=True)


def print_markdown(text: str) -> None:
    """Rendered on a terminal, as it is in a pipe."""
    if out.is_terminal:
        out.print(Markdown(text, code_theme="ansi_dark"))
    else:
        sys.stdout.write(text + "\n")


@contextmanager
def spinner(first: str) -> Iterator[Callable[[str], None]]:
    """Yields a function that says what is going on; shown on a terminal once it takes over half a second."""
    if not err.is_terminal:
        yield lambda _: None
        return
    began = time.monotonic()
    status = Status(first, console=err)
    shown = False

    def say(text: str) -> None:
        nonlocal shown
        status.update(text)
        if not shown and time.monotonic() - began > _QUIET_FOR:
            status.start()
            shown = True

    timer = threading.Timer(_QUIET_FOR, lambda: say(first))
    timer.start()
    try:
        yield say
    finally:
        timer.cancel()
        status.stop()
