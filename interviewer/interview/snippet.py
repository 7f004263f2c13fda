"""Code that a model wrote to test a claim: whether it can be shown, as evidence that speaks for itself.

Promises: what is shown is what ran, without comments and docstrings; every print prints something in which an imported
library had a hand; no printed line is made of the code's own texts alone; no text or name in it holds a sentence or
what the question is still to bring out, and no text a verdict. Does not promise that it bears on the claim: whoever reads it sees the code.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from interviewer.grading.text import content, words
from interviewer.models import CodeRun, Outcome

MOST_LINES = 25
MOST_PRINTED = 40  # lines
_MOST_CHARACTERS = 3_000  # of the code, and of what it prints
_LONGEST_TEXT = 60  # characters
_MOST_WORDS = 6  # of a text or a name
_GIVES_AWAY = 2  # new words of one sentence that the candidate is to find
_WORD = re.compile(r"[A-Z]*[^\W_A-Z]+|[A-Z]+")
_VERDICTS = frozenset(
    "candidate claim claimed claims confirmed correct disproves incorrect misconception myth proves refuted wrong".split()
)
_HIDES = frozenset("__import__ compile delattr eval exec globals locals setattr vars".split())


class Unfit(Exception):
    """Why code is not run, or its run not shown; in words for whoever wrote it."""


@dataclass(frozen=True)
class Snippet:
    """``code``: as it runs and is shown."""

    code: str
    tree: ast.Module

    @property
    def literals(self) -> list[str]:
        values = [node.value for node in ast.walk(self.tree) if isinstance(node, ast.Constant)]
        texts = [v.decode("latin-1") if isinstance(v, bytes) else v for v in values if isinstance(v, str | bytes)]
        return [text for text in texts if text]


def read(source: str) -> Snippet:
    """Raises Unfit where it is no Python, or too much of it."""
    if len(source) > _MOST_CHARACTERS:
        raise Unfit(f"The code has more than {_MOST_CHARACTERS} characters.")
    try:
        tree = _Bare().visit(ast.parse(source))
        code = ast.unparse(ast.fix_missing_locations(tree))
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise Unfit(f"The code can't be read as Python: {error}.") from error
    if len([line for line in code.splitlines() if line.strip()]) > MOST_LINES:
        raise Unfit(f"The code has more than {MOST_LINES} lines.")
    return Snippet(code, tree)


def check_code(snippet: Snippet, known: str, secrets: Sequence[str]) -> None:
    """``known``: what was said on the question; ``secrets``: sentences that the candidate is to find out. Raises Unfit."""
    tree, texts = snippet.tree, [*snippet.literals, *_names(snippet.tree)]
    for text in texts:
        if len(text) > _LONGEST_TEXT or len(_WORD.findall(text)) > _MOST_WORDS:
            raise Unfit(f"“{text[:_LONGEST_TEXT]}” says too much: print values, with labels of a word or two.")
    for text in snippet.literals:
        if said := _VERDICTS & set(words(text)):
            raise Unfit(f"“{text}” judges ({', '.join(sorted(said))}): let the values speak.")
    heard = content(" ".join([known, *_others_names(tree)]))
    for text in texts:
        if any(len((content(text) - heard) & content(secret)) >= _GIVES_AWAY for secret in secrets):
            raise Unfit(f"“{text}” tells more than was said so far: use a label that gives nothing away.")
    _check_honesty(tree)


def check_run(snippet: Snippet, run: CodeRun) -> None:
    """Raises Unfit where what it printed is no evidence."""
    if run.outcome is not Outcome.PASSED:
        raise Unfit("It did not come to its end.")
    lines = [line for line in run.output.splitlines() if line.strip()]
    if not lines:
        raise Unfit("It printed nothing.")
    if len(lines) > MOST_PRINTED or len(run.output) > _MOST_CHARACTERS:
        raise Unfit(f"It printed more than {MOST_PRINTED} lines or {_MOST_CHARACTERS} characters.")
    literals = sorted(set(snippet.literals), key=len, reverse=True)
    for line in lines:
        left = line
        for literal in literals:
            left = left.replace(literal.strip() or literal, " ")
        if _WORD.search(line) and not _WORD.search(left):
            raise Unfit(f"The line “{line[:_LONGEST_TEXT]}” holds no value, only text that stands in the code.")


class _Bare(ast.NodeTransformer):
    """Without texts that stand as statements, such as docstrings; comments are lost in parsing."""

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        silent = isinstance(node.value, ast.JoinedStr) or (
            isinstance(node.value, ast.Constant) and isinstance(node.value.value, str | bytes)
        )
        return None if silent else node

    def generic_visit(self, node: ast.AST) -> ast.AST:
        visited: Any = super().generic_visit(node)
        if isinstance(node, ast.stmt | ast.ExceptHandler) and getattr(node, "body", None) == []:
            visited.body = [ast.Pass()]
        return visited  # type: ignore[no-any-return]


def _names(tree: ast.AST) -> list[str]:
    """Those that the code makes up."""
    found = []
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                found.append(name)
            case ast.arg(arg=name) | ast.alias(asname=str(name)) | ast.Attribute(attr=name, ctx=ast.Store()):
                found.append(name)
    return found


def _others_names(tree: ast.AST) -> list[str]:
    """Names that the code didn't make up: they say what is called, and that gives nothing away."""
    nodes, own = list(ast.walk(tree)), set(_names(tree))
    read = [n.attr for n in nodes if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Load)]
    built_in = [n.id for n in nodes if isinstance(n, ast.Name) and n.id not in own]
    return [*read, *built_in, *(n.arg for n in nodes if isinstance(n, ast.keyword) and n.arg)]


# --- what is printed was computed -----------------------------------------------------------------


def _check_honesty(tree: ast.Module) -> None:
    imported = _imported(tree)
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) if name in _HIDES:
                raise Unfit(f"{name} hides what the code does.")
            case ast.Name(id=name, ctx=ast.Store()) | ast.FunctionDef(name=name) if name in imported | {"print"}:
                raise Unfit(f"It gives {name} another meaning.")
    for into, source in _flows(tree):
        changes = isinstance(into, ast.Attribute | ast.Subscript) and isinstance(into.ctx, ast.Store)
        if changes and _root(into) in imported and not isinstance(source, ast.Constant):
            raise Unfit(f"It changes {_root(into)} before testing it.")
    computed = _computed(tree, imported)
    calls = [n for n in ast.walk(tree) if isinstance(n, ast.Call) and n.args]
    for call in calls:
        prints = isinstance(call.func, ast.Name) and call.func.id == "print"
        if prints and not any(_mentions(argument, computed) for argument in call.args):
            raise Unfit(f"`{ast.unparse(call)[:80]}` prints only what the code says itself, nothing that was computed.")


def _computed(tree: ast.Module, imported: set[str]) -> set[str]:
    """The names whose values a library had a hand in, as far as the text tells. What a function is given or counts outside of
    itself is among them, since who calls it is not known."""
    found = imported | {n.arg for n in ast.walk(tree) if isinstance(n, ast.arg)}
    found |= {name for n in ast.walk(tree) if isinstance(n, ast.Nonlocal | ast.Global) for name in n.names}
    found |= {n.name for n in ast.walk(tree) if isinstance(n, ast.ExceptHandler) and n.name}
    flows = list(_flows(tree))
    while more := {name for into, source in flows if _mentions(source, found) for name in _named(into)} - found:
        found |= more
    return found


def _flows(tree: ast.Module) -> Iterator[tuple[ast.AST, ast.AST]]:
    """(where to, where from) of values."""
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=targets, value=value):
                yield from ((target, value) for target in targets)
            case ast.AugAssign(target=into, value=source) | ast.NamedExpr(target=into, value=source):
                yield into, source
            case ast.AnnAssign(target=into, value=ast.AST() as source):
                yield into, source
            case ast.For(target=into, iter=source) | ast.comprehension(target=into, iter=source):
                yield into, source
            case ast.withitem(context_expr=source, optional_vars=ast.AST() as into):
                yield into, source
            case ast.Call(func=ast.Attribute() as into, args=args, keywords=keywords):  # such as seen.append(grad)
                yield from ((into, source) for source in (*args, *(k.value for k in keywords)))
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield ast.Name(name, ast.Store()), node


def _imported(tree: ast.Module) -> set[str]:
    aliases = [a for n in ast.walk(tree) if isinstance(n, ast.Import | ast.ImportFrom) for a in n.names]
    return {(alias.asname or alias.name).split(".")[0] for alias in aliases}


def _named(node: ast.AST) -> set[str]:
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}


def _mentions(node: ast.AST, names: set[str]) -> bool:
    return not names.isdisjoint(_named(node))


def _root(node: ast.AST) -> str:
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""
