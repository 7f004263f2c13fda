"""Fenced code in answers: what language it is in, and whether its indentation was lost on the way here.

Does not repair code: indentation that is gone is not guessed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from interviewer.bank.documents.markdown import blocks

_PYTHON = ("python", "py", "python3", "pycon")
_opens_block = re.compile(
    r"^\s*(?:async\s+)?(?:def|class|if|elif|else|for|while|with|try|except|finally|match|case)\b.*:\s*(?:#.*)?$"
)
_shell = re.compile(
    r"^(?:\$\s|(?:sudo|pip3?|conda|kubectl|docker|git|npm|helm|curl|apt(?:-get)?)\s|[a-z][\w.-]*\s+--\w)"
)
_sql = re.compile(r"^(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE|ALTER|DROP|WITH \w+ AS|GRANT|EXPLAIN)\b")
_braces = re.compile(r"[;{]\s*(?://.*)?$")
_setting = re.compile(r"^(?:- )?[A-Za-z][\w./-]*:(?:\s+[^\s({\[]\S*)?$")


def fence(code: Sequence[str]) -> str:
    """The lines as a fenced block that names its language where the code shows it."""
    longest = max((len(run) for line in code for run in re.findall(r"`{3,}", line)), default=2)
    mark = "`" * (longest + 1)
    return "\n".join([mark + _language(code), *code, mark])


def lost_indentation(answer: str) -> bool:
    """True where a Python block in ``answer`` has a line that opens a block and nothing indented below it."""
    return any(mark in answer for mark in ("```", "~~~")) and any(
        _lost([line for line in node.content.splitlines() if line.strip()])
        for top in blocks(answer)
        for node in top.walk()
        if node.type == "fence" and node.info.strip().lower() in _PYTHON
    )


def _lost(lines: Sequence[str]) -> bool:
    return any(
        _opens_block.match(line) is not None and _indentation(below) <= _indentation(line)
        for line, below in pairwise(lines)
    )


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip())


def _language(code: Sequence[str]) -> str:
    lines = [line for line in code if line.strip()]
    if any(_sql.match(line) for line in lines):
        return "sql"
    if all(_shell.match(line) or line.startswith("#") for line in lines):
        return "shell"
    if all(_setting.match(line.strip()) or line.startswith("#") for line in lines):
        return "yaml"
    return "" if any(_braces.search(line) for line in lines) else "python"
