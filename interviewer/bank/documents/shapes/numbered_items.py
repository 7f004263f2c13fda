"""Markdown with numbered questions in bold: ``1. **What …?**`` as a list item, or ``**1. What …?**`` as a paragraph.

The answer stands indented inside the item or plainly below it. Where most items hold their answers, text that stands
outside of them belongs to the page. A heading or a horizontal rule ends an answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from markdown_it.tree import SyntaxTreeNode

from interviewer.bank.documents.asking import bare_question
from interviewer.bank.documents.markdown import (
    dedent,
    extent,
    heading_level,
    heading_text,
    inline_nodes,
    strip_answer_label,
    without_emphasis,
)
from interviewer.bank.documents.page import Page
from interviewer.bank.documents.quick_check import take_choice
from interviewer.bank.documents.values import DocumentQuestion, Reading

_BREAKS = ("softbreak", "hardbreak")


@dataclass
class _Item:
    """A question and the lines of its answer: those inside its block, and the blocks that follow."""

    number: int
    question: str
    section: str | None
    inside: str
    after: list[tuple[bool, str]] = field(default_factory=list)  # (indented, text)


def read(page: Page) -> Reading | None:
    lines, nodes = page.source, page.nodes
    headings = [node for node in nodes if node.type == "heading"]
    items = _items(nodes, lines, title=_title_node(headings))
    if not items:
        return None
    mostly_inside = sum(1 for item in items if item.inside) * 2 > len(items)
    questions = tuple(_question(item, mostly_inside=mostly_inside) for item in items)
    return Reading(title=heading_text(headings[0]) if headings else None, questions=questions)


def _title_node(headings: Sequence[SyntaxTreeNode]) -> SyntaxTreeNode | None:
    """The first heading where it stands above all others; else it is a section like them."""
    levels = [heading_level(node) or 0 for node in headings]
    return headings[0] if levels and levels[0] < min(levels[1:], default=7) else None


def _items(nodes: Sequence[SyntaxTreeNode], lines: Sequence[str], title: SyntaxTreeNode | None) -> list[_Item]:
    items: list[_Item] = []
    section: str | None = None
    current: _Item | None = None
    fresh = True  # nothing but a heading stands before: numbers may begin anew
    for node in nodes:
        if node.type in ("heading", "hr"):
            if node.type == "heading":
                section = None if node is title else heading_text(node)
                fresh = True
            current = None
            continue
        for part in node.children if node.type == "ordered_list" else [node]:
            item = _asked(part, lines, section)
            if item and (fresh or not items or item.number > items[-1].number):
                items.append(item)
                current, fresh = item, False
            elif current:
                start, end = extent(part)
                current.after.append((lines[start][:1].isspace(), dedent(lines[start:end])))
    return items


def _asked(node: SyntaxTreeNode, lines: Sequence[str], section: str | None) -> _Item | None:
    """The question that a list item or a paragraph asks in bold on its first lines."""
    paragraph = next(iter(node.children), None) if node.type == "list_item" else node
    if paragraph is None or paragraph.type != "paragraph":
        return None
    parts = inline_nodes(paragraph)
    if not parts or parts[0].type != "strong":
        return None
    behind = takewhile(lambda part: part.type not in _BREAKS, parts[1:])
    if any(part.children or part.content.strip(" :.") for part in behind):
        return None
    number, question = bare_question(without_emphasis(parts[:1]))
    if node.type == "list_item":
        number = int(node.info) if node.info.isdigit() else None
    if number is None or len(question) < 3:
        return None
    start, end = extent(node)
    broken = sum(1 for child in parts[0].walk() if child.type in _BREAKS)
    return _Item(number, question, section, inside=dedent(lines[start + 1 + broken : end]))


def _question(item: _Item, *, mostly_inside: bool) -> DocumentQuestion:
    after = [text for indented, text in item.after if indented or not mostly_inside]
    text = strip_answer_label("\n\n".join(part for part in (item.inside, *after) if part))
    answer, choice = take_choice(text)
    return DocumentQuestion(
        section=item.section, number=item.number, question=item.question, answer=answer, choice=choice
    )
