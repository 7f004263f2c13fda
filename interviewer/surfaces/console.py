"""What the commands share: where words go, and how an error ends a command.

Answers go to stdout, everything else to stderr; with ``--json`` stdout holds JSON alone.
"""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.markdown import Markdown
from rich.status import Status

from interviewer.settings import load_settings

if TYPE_CHECKING:
    from interviewer.house import House

Json = Annotated[bool, typer.Option("--json", help="JSON alone on stdout.")]

out = Console()
err = Console(stderr=True)

_QUIET_FOR = 0.5  # seconds before a spinner shows


def house_of_settings() -> House:
    """The rooms, put together as the environment says."""
    from interviewer.house import assemble

    return assemble(load_settings())


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
    status = Status(first, console=err)
    timer = threading.Timer(_QUIET_FOR, status.start)
    timer.start()
    try:
        yield status.update
    finally:
        timer.cancel()
        timer.join()
        status.stop()
