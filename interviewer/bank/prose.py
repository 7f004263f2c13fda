"""Markdown answers as plain prose: blocks, sentences and passages.

Promises: block structure is markdown-it's, never guessed; code blocks are told from prose; the words of a block
are kept in order. Sentences are split by punctuation, so an unusual abbreviation may split one in two.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

PASSAGE_WORDS = 120

_markdown = MarkdownIt("commonmark").enable("table")
_ABBREVIATION = re.compile(r"\b(?:e\.g|i\.e|vs|cf|approx|resp)\.$", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?][\"”’')\]]*\s+(?=[\"“‘'(\[]?(?:[A-Z0-9`_.]|[a-z_]+[._(]\w))")


class Form(StrEnum):
    PARAGRAPH = "paragraph"
    ITEM = "item"
    ROW = "row"
    QUOTE = "quote"
    HEADING = "heading"
    CODE = "code"


@dataclass(frozen=True)
class Block:
    """One block in plain text. ``heading`` is the last heading above it; ``lead`` is the text that introduced
    the list or table in which it stands."""

    form: Form
    text: str
    heading: str = ""
    lead: str = ""


@lru_cache(maxsize=2_000)
def blocks(markdown: str) -> tuple[Block, ...]:
    """The blocks of ``markdown`` in their order."""
    found: list[Block] = []
    heading = ""
    for node in SyntaxTreeNode(_markdown.parse(markdown)).children:
        if node.type == "heading":
            heading = _inline(node)
            found.append(Block(Form.HEADING, heading))
        else:
            lead = found[-1].text if found and found[-1].text.endswith(":") else ""
            found.extend(_blocks(node, heading, lead, Form.PARAGRAPH))
    return tuple(b for b in found if b.text)


def sentences(text: str) -> tuple[str, ...]:
    """The sentences of one block, in order; joined by spaces they give its text back."""
    found: list[str] = []
    start = 0
    for end in _SENTENCE_END.finditer(text):
        head = text[start : end.end()].strip()
        if _ABBREVIATION.search(head) or _is_open(head):
            continue
        found.append(head)
        start = end.end()
    return (*found, text[start:].strip()) if text[start:].strip() else tuple(found)


def passages(markdown: str) -> tuple[str, ...]:
    """The prose of ``markdown`` in pieces of at most ``PASSAGE_WORDS`` words, cut at block ends and else at sentence
    ends; a heading goes with what follows it, a single sentence that is longer stays whole. Code is left out: the
    embedding model makes little of it."""
    found: list[str] = []
    current: list[str] = []
    for block in (b for b in blocks(markdown) if b.form is not Form.CODE):
        if block.form is Form.HEADING and current:
            found.append("\n".join(current))
            current = []
        for piece in _pieces(block):
            if current and _words([*current, piece]) > PASSAGE_WORDS:
                found.append("\n".join(current))
                current = []
            current.append(piece)
    return (*found, "\n".join(current)) if current else tuple(found)


def _pieces(block: Block) -> list[str]:
    return [block.text] if _words([block.text]) <= PASSAGE_WORDS else list(sentences(block.text))


def _words(texts: list[str]) -> int:
    return sum(len(text.split()) for text in texts)


def _blocks(node: SyntaxTreeNode, heading: str, lead: str, form: Form) -> list[Block]:
    if node.type in ("fence", "code_block"):
        return [Block(Form.CODE, node.content.strip("\n"), heading, lead)]
    if node.type in ("paragraph", "heading"):
        return [Block(form, _inline(node), heading, lead)]
    if node.type == "table":
        return [Block(Form.ROW, text, heading, lead) for text in _rows(node)]
    if node.type == "blockquote":
        form = Form.QUOTE
    elif node.type == "list_item":
        form = Form.ITEM
    found: list[Block] = []
    for child in node.children:
        introduced = found[-1].text if found and found[-1].text.endswith(":") and child.type.endswith("_list") else lead
        found.extend(_blocks(child, heading, introduced, form))
    return found


def _rows(table: SyntaxTreeNode) -> list[str]:
    """Each body row as "first cell: second cell", or with the columns' titles where there are more than two."""
    rows = [[_inline(cell) for cell in row.children] for part in table.children for row in part.children]
    titles, *body = rows
    if len(titles) <= 2:
        return [": ".join(cell for cell in row if cell) for row in body]
    return [
        f"{row[0]}: "
        + "; ".join(f"{title}: {cell.rstrip('.')}" for title, cell in zip(titles[1:], row[1:], strict=False) if cell)
        for row in body
    ]


def _inline(node: SyntaxTreeNode) -> str:
    """The plain text of a block's inline content: marks and links are dropped, their words stay."""
    parts = [
        " " if leaf.type in ("softbreak", "hardbreak") else leaf.content
        for leaf in node.walk()
        if leaf.type in ("text", "code_inline", "softbreak", "hardbreak")
    ]
    return " ".join("".join(parts).split())


def _is_open(text: str) -> bool:
    return text.count("(") > text.count(")")
