"""Which of the names that a task forbids a submission uses, read from its syntax tree.

It finds names, attributes, imports, ``getattr`` with a literal, and the statements ``for`` (comprehensions included)
and ``while``. What the code defines itself under such a name is its own. Does not find a name that is put together.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

_LOOPS = (ast.For, ast.AsyncFor, ast.comprehension)


def first_use(source: str, names: list[str]) -> tuple[str, int] | None:
    """The first forbidden name and its line; None where there is none. ``source`` has been compiled before."""
    tree = ast.parse(source)
    own = _defined(tree)
    found = [(line, name) for node in ast.walk(tree) for name, line in _used(node, own) if name in names]
    if not found:
        return None
    line, name = min(found)
    return name, line


def _defined(tree: ast.Module) -> set[str]:
    """Functions, classes, parameters and variables of the code itself, and attributes that it gives to objects."""
    own = set()
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                own.add(node.name)
            case ast.arg():
                own.add(node.arg)
            case ast.Name(ctx=ast.Store()):
                own.add(node.id)
            case ast.Attribute(ctx=ast.Store()):
                own.add(node.attr)
    return own


def _used(node: ast.AST, own: set[str]) -> Iterator[tuple[str, int]]:
    match node:
        case ast.Name(id=name, ctx=ast.Load()) if name not in own:
            yield name, node.lineno
        case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name) if name in own:
            return
        case ast.Attribute(attr=name, ctx=ast.Load()):
            yield name, node.lineno
        case ast.Import() | ast.ImportFrom():
            for alias in node.names:
                yield from ((part, node.lineno) for part in alias.name.split("."))
        case ast.Call(func=ast.Name(id="getattr"), args=[_, ast.Constant(value=str() as name), *_]):
            yield name, node.lineno
        case ast.While():
            yield "while", node.lineno
        case _ if isinstance(node, _LOOPS):
            yield "for", node.target.lineno
