"""A process that loads what enters the sandbox, as the sandbox does, and then runs the code of a test."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

import interviewer.sandbox

_LOAD = """
import ctypes, errno, fcntl, json, os, signal, socket, subprocess, sys, threading
sys.path.insert(0, {!r})
from inside import landlock, seccomp, syscalls
libc = ctypes.CDLL(None, use_errno=True)

def call(number, *arguments):
    "The result of a raw system call: the name of the error, or the number."
    words = [ctypes.c_long(each) if isinstance(each, int) else each for each in (number, *arguments)]
    result = libc.syscall(*words)
    return errno.errorcode[ctypes.get_errno()] if result == -1 else result

def attempt(function, *arguments):
    try:
        function(*arguments)
        return "done"
    except OSError as error:
        return errno.errorcode[error.errno]
"""


def run(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """With ``folder`` as the current one. The code finds ``call`` and ``attempt`` beside the modules."""
    program = _LOAD.format(str(Path(interviewer.sandbox.__file__).parent)) + textwrap.dedent(code)
    file = folder / "program.py"
    file.write_text(program)
    return subprocess.run([sys.executable, "-B", str(file)], cwd=folder, capture_output=True, text=True, timeout=120)


def output(code: str, folder: Path) -> str:
    """What it printed; fails where the process does."""
    done = run(code, folder)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()
