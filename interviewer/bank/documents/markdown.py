"""Markdown as blocks with their source lines. Does not render: what is kept is kept as its author wrote it.

A line of dashes is always a horizontal rule: authors who forget the blank line above it don't mean a heading.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

_parser = MarkdownIt("commonmark").enable("table").disable("lheading")
_HEADING_PREFIX = "h"
_html_tag = re.compile(r"^</?(?:a|b|br|code|div|em|i|img|kbd|p|span|strong|sub|summary|sup|u)\b[^>]*>$", re.IGNORECASE)
_answer_label = re.compile(r"^(?:\*\*|__)?(?:answer|ans|a)(?:\*\*|__)?\s*:(?:\*\*|__)?[ \t]*(?=\S|$)", re.IGNORECASE)


def blocks(text: str) -> tuple[SyntaxTreeNode, ...]:
    """The top-level blocks of ``text``, in order."""
    return tuple(SyntaxTreeNode(_parser.parse(text)).children)


def fenced_lines(nodes: Iterable[SyntaxTreeNode]) -> frozenset[int]:
    """The numbers, from 0, of the lines that fenced code takes up, its fences included."""
    fences = [node for top in nodes for node in top.walk() if node.type == "fence"]
    return frozenset(line for node in fences for line in range(*extent(node)))


def extent(node: SyntaxTreeNode) -> tuple[int, int]:
    """First line and the line after the last; blank lines at the end do not belong to a block."""
    if node.map is None:
        raise ValueError(f"a {node.type} has no lines of its own")
    return node.map


def source(lines: Sequence[str], nodes: Sequence[SyntaxTreeNode]) -> str:
    """The source of neighbouring blocks, from the first to the last."""
    if not nodes:
        return ""
    own = lines[extent(nodes[0])[0] : extent(nodes[-1])[1]]
    return "\n".join(own).rstrip() if nodes[0].type == "code_block" else dedent(own)


def dedent(lines: Sequence[str]) -> str:
    """The lines less the first line's indentation; a line with less loses what it has."""
    width = next((len(line) - len(line.lstrip()) for line in lines if line.strip()), 0)
    shifted = [line[min(width, len(line) - len(line.lstrip())) :] for line in lines]
    return "\n".join(shifted).strip("\n").rstrip()


def heading_level(node: SyntaxTreeNode) -> int | None:
    """1 for the highest; None where the block is no heading."""
    return int(node.tag.removeprefix(_HEADING_PREFIX)) if node.type == "heading" else None


def inline_nodes(node: SyntaxTreeNode) -> tuple[SyntaxTreeNode, ...]:
    """What stands in a heading's or a paragraph's line, empty pieces of text left out."""
    inline = next((child for child in node.children if child.type == "inline"), None)
    if inline is None:
        return ()
    return tuple(child for child in inline.children if child.type != "text" or child.content)


def heading_text(node: SyntaxTreeNode) -> str:
    return without_emphasis(inline_nodes(node))


def without_emphasis(nodes: Iterable[SyntaxTreeNode]) -> str:
    """Inline Markdown on one line with its code spans, without emphasis, links and HTML tags."""
    return " ".join("".join(_inline_source(node) for node in nodes).split())


def _inline_source(node: SyntaxTreeNode) -> str:
    if node.type == "code_inline":
        return f"{node.markup}{node.content}{node.markup}"
    if node.type in ("softbreak", "hardbreak"):
        return " "
    if node.type == "html_inline" and _html_tag.match(node.content):
        return ""
    return "".join(_inline_source(child) for child in node.children) if node.children else node.content


def strip_answer_label(answer: str) -> str:
    """Without the "Answer:" that leads an answer."""
    return _answer_label.sub("", answer, count=1).lstrip("\n")
