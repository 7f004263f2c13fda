"""An interview in the terminal, typed by a person or played from a script.

A script holds one reply a line; an empty line is silence. Replies of several lines are divided by lines that
hold only ``---``, and then every block between two of them is one reply.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.markup import escape
from rich.prompt import Prompt

from interviewer.errors import InterviewerError, UsageError
from interviewer.interview.session import Session
from interviewer.models import Role, Turn
from interviewer.surfaces.console import err, out, print_markdown, spinner
from interviewer.surfaces.render import turn_markdown

_DIVIDER = "---"
_HELP = "[dim]Enter sends. For code, begin with ``` and end with ``` on lines of their own. `end` ends.[/dim]"


def converse(session: Session, *, quiet: bool = False) -> None:
    """Until the interview ends or the person leaves; whatever was said is kept. ``quiet`` leaves stdout alone."""
    for turn in session.resume():
        _show(turn, quiet)
    err.print(_HELP)
    while not session.ended:
        try:
            text = _read()
        except (EOFError, KeyboardInterrupt):
            err.print(f"\nKept. Go on with: interviewer chat --resume {session.id}")
            return
        try:
            with spinner("Thinking") as say:
                turn = session.reply(text, progress=say, on_text=say)
        except InterviewerError as error:
            err.print(str(error), style="red", markup=False, highlight=False, soft_wrap=True)
            continue
        _show(turn, quiet)


def play(session: Session, script: Path, *, quiet: bool = False) -> None:
    """Plays a script to its end, then ends the interview if it is still going on."""
    turns = session.resume()
    if not quiet:
        _show(turns[-1])
    for reply in [*read_script(script), "end"]:
        if session.ended:
            break
        with spinner("Thinking") as say:
            turn = session.reply(reply, progress=say)
        if not quiet:
            _show(Turn(seq=turn.seq - 1, role=Role.CANDIDATE, text=reply))
            _show(turn)


def read_script(path: Path) -> list[str]:
    """The replies in a script file, in order."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise UsageError(f"The script {path} can't be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"The script {path} is not UTF-8 text (byte {error.start}).") from error
    if _DIVIDER not in (line.strip() for line in lines):
        return [line.strip() for line in lines]
    blocks: list[list[str]] = [[]]
    for line in lines:
        if line.strip() == _DIVIDER:
            blocks.append([])
        else:
            blocks[-1].append(line)
    return ["\n".join(block).strip() for block in blocks]


def transcript(session: Session) -> dict[str, Any]:
    """The whole session as JSON: turns as blocks, and the report; None for the report of an exam that still goes on."""
    return {
        "session": session.id,
        "ended": session.ended,
        "turns": [turn.model_dump(mode="json", exclude_defaults=True) for turn in session.turns()],
        "report": None if session.withholds_grades else session.report().model_dump(mode="json"),
    }


def _show(turn: Turn, quiet: bool = False) -> None:
    if quiet:
        err.print(turn_markdown(turn), markup=False, highlight=False)
    elif turn.role is Role.CANDIDATE:
        out.print(f"\n[bold cyan]You:[/bold cyan] {escape(turn.text) or '(silence)'}\n", highlight=False)
    else:
        print_markdown(turn_markdown(turn))
        out.print()


def _read() -> str:
    first = Prompt.ask("[bold cyan]You[/bold cyan]", console=err, default="", show_default=False)
    if not first.lstrip().startswith("```"):
        return first
    lines = [first]
    while not lines[-1].strip().endswith("```") or len(lines) == 1:
        lines.append(input())
    return "\n".join(lines)
