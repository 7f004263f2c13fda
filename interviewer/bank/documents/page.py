"""A document's text with what every shape needs of it, made once."""

from __future__ import annotations

from dataclasses import dataclass

from markdown_it.tree import SyntaxTreeNode

from interviewer.bank.documents.lines import Line, lines_of
from interviewer.bank.documents.markdown import blocks, fenced_lines


@dataclass(frozen=True)
class Page:
    """``source`` has every line as it stands, ``nodes`` the text's Markdown blocks, ``lines`` those with text."""

    text: str
    source: tuple[str, ...]
    nodes: tuple[SyntaxTreeNode, ...]
    lines: tuple[Line, ...]

    @classmethod
    def of(cls, text: str) -> Page:
        source = tuple(text.split("\n"))
        nodes = blocks(text)
        return cls(text, source, nodes, lines_of(source, fenced_lines(nodes)))
