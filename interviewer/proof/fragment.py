"""A fragment of code from a document, run in the sandbox with as little help as makes it run.

Promises that what was assumed is told, and that a failure counts against the code only where nothing that we supplied
could be to blame. Lost indentation is not guessed, and missing packages, files and devices are nobody's fault.
"""

from __future__ import annotations

import ast
import json
import re
import textwrap
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from interviewer.models import CodeRun, Outcome
from interviewer.proof.standins import is_import, supply

if TYPE_CHECKING:
    from interviewer.sandbox.door import Door

_NO_NAME = re.compile(r"NameError: name '(\w+)' is not defined")
_NO_MODULE = re.compile(r"ModuleNotFoundError: No module named '([\w.]+)'")
_NO_GPU = re.compile(r"CUDA|NVIDIA|cuda", re.IGNORECASE)
_NOT_HERE = re.compile(
    r"FileNotFoundError|URLError|ConnectionError|gaierror|PermissionError|Network|Socket|init_process_group|RANK"
)
_LONELY_COMMENT = re.compile(r"^(?P<indent>[ \t]+)#.*$")
_LINE = re.compile(r"\(line \d+: (`.*`)\)")  # counted from the top of what we put before it
_MOST_HELP = 24  # runs of one fragment, each with one name more or further up
_WARNED = "\x1ewarned "
_PROLOGUE = f"""import json as _json, warnings as _warnings
_warnings.simplefilter("always")
def _note(message, category, *_, **__):
    if issubclass(category, (DeprecationWarning, FutureWarning)) or "deprecat" in str(message).lower():
        print({_WARNED!r} + _json.dumps(str(message)))
_warnings.showwarning = _note
"""


@dataclass(frozen=True)
class Ran:
    """How a fragment ended: ``error`` is its last line of complaint, or ""; ``missing`` says what it needs that is not to
    be had here, in which case it was not settled. ``warned``: what PyTorch said while it ran."""

    error: str = ""
    missing: str = ""
    assumed: tuple[str, ...] = ()
    warned: tuple[str, ...] = ()

    @property
    def with_standins(self) -> bool:
        return any(not each.startswith(("import ", "from ")) for each in self.assumed)


def run_fragment(code: str, before: str, sandbox: Door) -> tuple[Ran, str]:
    """How ``code`` ends after ``before``, the fragments above it; and both as they ran, for the next one.

    Raises SandboxUnavailable where no code is run on this machine.
    """
    code, assumed = _whole(code)
    try:
        ast.parse(code)
    except SyntaxError as error:
        return Ran(error=f"line {error.lineno}: {error.msg}", assumed=tuple(assumed)), before
    supplied = [supply(name) or "" for name in ("input",) if _takes_for_granted(code, name)]
    for _ in range(_MOST_HELP):
        run = sandbox.experiment("\n".join([_PROLOGUE, *supplied, before, code]), 20)
        if run.outcome is Outcome.INFRASTRUCTURE:
            return Ran(missing=run.message), before
        said = f"{run.message}\n{run.output}"
        if (match := _NO_NAME.search(said)) and (lines := supply(match[1])):
            supplied = [lines, *(each for each in supplied if each != lines)]  # before what needs it
            assumed.append(lines.splitlines()[0] if is_import(match[1]) else f"{match[1]} is a stand-in of ours")
            continue
        if run.outcome is not Outcome.PASSED and _NO_GPU.search(said) and "cuda" in code:
            code, before = _on_cpu(code), _on_cpu(before)
            assumed.append('"cpu" in place of "cuda"')
            continue
        break
    warned = tuple(
        json.loads(line.removeprefix(_WARNED)) for line in run.output.splitlines() if line.startswith(_WARNED)
    )
    ran = Ran(warned=tuple(dict.fromkeys(warned)), assumed=tuple(dict.fromkeys(assumed)))
    if run.outcome is Outcome.PASSED:
        return ran, "\n".join([*supplied, before, code])
    return _failed(ran, run, said), before


def _failed(ran: Ran, run: CodeRun, said: str) -> Ran:
    error = _LINE.sub(r"(at \1)", " ".join(run.message.split())) or run.outcome.value
    if match := _NO_NAME.search(said):
        return replace(ran, missing=f"`{match[1]}`, which nothing before it defines")
    if match := _NO_MODULE.search(said):
        return replace(ran, missing=f"the package {match[1].split('.')[0]}, which is not installed here")
    if _NOT_HERE.search(said):
        return replace(ran, missing=f"files, a network or other processes ({error})")
    if run.outcome in (Outcome.TIMEOUT, Outcome.OUT_OF_MEMORY):
        return replace(ran, missing=f"more time or memory than it is given here ({run.outcome.value})")
    return replace(ran, error=error)


def _whole(code: str) -> tuple[str, list[str]]:
    """The code dedented, with ``pass`` below comments that stand for a body; and what that assumes."""
    lines, assumed = [], []
    for line in textwrap.dedent(code).splitlines():
        lines.append(line)
        if (match := _LONELY_COMMENT.match(line)) and not _parses("\n".join(lines)):
            lines.append(f"{match['indent']}pass")
            if "pass below a comment that stands for code" not in assumed:
                assumed.append("pass below a comment that stands for code")
    return "\n".join(lines), assumed


def _takes_for_granted(code: str, name: str) -> bool:
    """Whether ``code`` uses the builtin ``name`` as if it were data: no error says so."""
    uses = [node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Name) and node.id == name]
    called = [node.func for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Call)]
    return bool(uses) and all(isinstance(use.ctx, ast.Load) and use not in called for use in uses)


def _parses(code: str) -> bool:
    try:
        ast.parse(code)
    except SyntaxError:
        return False
    return True


def _on_cpu(code: str) -> str:
    return re.sub(r"\.cuda\(\w*\)", "", re.sub(r"([\"'])cuda(?::\d)?\1", '"cpu"', code))
