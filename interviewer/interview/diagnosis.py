"""What to say to code that failed: the author's word on the wrong submission that it is most like.

Promises silence where nothing known is like it, or two known mistakes are about as like. Alike means that the same checks failed (or that it ended the same way)
and that the code itself resembles the known one: checks alone would put words about one mistake to another.
"""

from __future__ import annotations

import ast
from difflib import SequenceMatcher

from interviewer.models import CodeRun, Outcome, Submission, Task

_ALIKE = 0.6  # of what stands in the two, as difflib counts it; renamed variables count as the same
_NEARER_BY = 0.05  # than the next, where several failed alike


def word_on(task: Task, run: CodeRun, code: str) -> str:
    """The ``says`` of the wrong submission that ``code`` repeats, or ""."""
    known = [each for each in task.submissions if _ended_alike(each, run)]
    ranked = sorted(((_likeness(each.code, code), each.says) for each in known), reverse=True)
    if not ranked or ranked[0][0] < _ALIKE:
        return ""
    in_doubt = len(ranked) > 1 and ranked[0][0] < ranked[1][0] + _NEARER_BY
    return "" if in_doubt else ranked[0][1]


def _ended_alike(known: Submission, run: CodeRun) -> bool:
    if known.right or run.outcome is Outcome.PASSED:
        return False
    if known.ends:
        return run.outcome is known.ends
    return run.outcome is Outcome.FAILED and {c.name for c in run.checks if not c.passed} == set(known.fails)


def _likeness(one: str, other: str) -> float:
    """0 to 1: how much of two programs is the same, names of their own apart."""
    return SequenceMatcher(a=_shape(one), b=_shape(other), autojunk=False).ratio()


def _shape(code: str) -> list[str]:
    """The nodes of the syntax tree in order, with attributes and constants, but without the names of variables."""
    try:
        tree = ast.parse(code)
    except SyntaxError:
        return []
    return [_told(node) for node in ast.walk(tree) if not isinstance(node, ast.Import | ast.ImportFrom | ast.alias)]


def _told(node: ast.AST) -> str:
    match node:
        case ast.Attribute(attr=name):
            return f"Attribute {name}"
        case ast.Constant(value=value) if not isinstance(value, str):
            return f"Constant {value!r}"
        case _:
            return type(node).__name__
