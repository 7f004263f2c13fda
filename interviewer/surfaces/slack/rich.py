"""Markdown as Slack's blocks.

Promises that words stay words: text goes into ``rich_text`` elements, which Slack shows as they are, so nothing in it can
mention anybody, address a channel or become a link; only links of Markdown to http and https do. No block holds more
than Slack takes (3,000 characters of text, 150 in a header).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

Block = dict[str, Any]
Element = dict[str, Any]

MOST_IN_BLOCK = 3000  # characters
MOST_IN_HEADER = 150

_STYLES = {"strong": "bold", "em": "italic", "s": "strike"}
_PARAGRAPHS = ("rich_text_section", "rich_text_quote")
_SAFE_LINKS = ("https://", "http://")


@cache
def _markdown() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable("table")


def blocks_of(markdown: str) -> list[Block]:
    """The blocks of a document: headers, dividers, and everything else as rich text."""
    blocks: list[Block] = []
    open_elements: list[Element] = []
    for node in SyntaxTreeNode(_markdown().parse(markdown)).children:
        if header := _header(node):
            blocks += [*_grouped(open_elements), header]
            open_elements = []
        elif node.type == "hr":
            blocks += [*_grouped(open_elements), {"type": "divider"}]
            open_elements = []
        else:
            open_elements += _elements(node, _Around())
    return blocks + _grouped(open_elements)


def plain(text: str) -> dict[str, Any]:
    """Words as they are, in the places where Slack takes no formatting."""
    return {"type": "plain_text", "text": text, "emoji": False}


def length_of(block: Block) -> int:
    """The characters that a block shows."""
    if block["type"] == "rich_text":
        return sum(map(_length, block["elements"]))
    text = block.get("text")
    return len(text["text"]) if isinstance(text, dict) else 0


def words_of(blocks: Sequence[Block]) -> str:
    """What blocks say, without its looks."""
    return " ".join(_words(element) for block in blocks for element in block.get("elements", [block.get("text", {})]))


def _words(element: Element) -> str:
    if "elements" in element:
        return "".join(map(_words, element["elements"]))
    return str(element.get("text", ""))


def _header(node: SyntaxTreeNode) -> Block | None:
    if node.type != "heading":
        return None
    words = "".join(str(e["text"]) for e in _inline(node.children[0], _Around()))
    return {"type": "header", "text": plain(words)} if 0 < len(words) <= MOST_IN_HEADER else None


# --- blocks of Markdown ---------------------------------------------------------------------------


@dataclass(frozen=True)
class _Around:
    """What an element stands in."""

    indent: int = 0
    quoted: bool = False
    style: dict[str, bool] = field(default_factory=dict)

    @property
    def border(self) -> dict[str, int]:
        return {"border": 1} if self.quoted else {}


def _elements(node: SyntaxTreeNode, around: _Around) -> list[Element]:
    match node.type:
        case "paragraph":
            kind = "rich_text_quote" if around.quoted else "rich_text_section"
            return [{"type": kind, "elements": _inline(node.children[0], around)}]
        case "heading":  # one that is too long for a header, or quoted
            bold = _Around(around.indent, around.quoted, {"bold": True})
            return [{"type": "rich_text_section", "elements": _inline(node.children[0], bold)}]
        case "fence" | "code_block":
            return [_preformatted(node.content.rstrip("\n"), around)]
        case "bullet_list" | "ordered_list":
            return list(_list(node, around))
        case "blockquote":
            inside = _Around(around.indent, True)
            return [element for child in node.children for element in _elements(child, inside)]
        case "table":
            return [_preformatted(_table(node), around)]
        case _:
            words = _raw(node)
            return [{"type": "rich_text_section", "elements": [_text(words, {})]}] if words.strip() else []


def _preformatted(text: str, around: _Around) -> Element:
    return {"type": "rich_text_preformatted", "elements": [_text(text or " ", {})], **around.border}


def _list(node: SyntaxTreeNode, around: _Around) -> Iterator[Element]:
    """Slack's lists hold lines alone: what else stands in an item stands after it, and the list goes on behind that."""
    ordered = node.type == "ordered_list"
    first = int(node.attrs.get("start", 1)) if ordered else 1
    lines: list[Element] = []
    begun_at = first

    def so_far() -> Iterator[Element]:
        if lines:
            offset = {"offset": begun_at - 1} if ordered and begun_at > 1 else {}
            style = {"style": "ordered" if ordered else "bullet", "indent": around.indent}
            yield {"type": "rich_text_list", **style, **offset, "elements": list(lines), **around.border}

    for number, item in enumerate(node.children, first):
        if not lines:
            begun_at = number
        for position, child in enumerate(item.children):
            if child.type == "paragraph" and position == 0:
                lines.append({"type": "rich_text_section", "elements": _inline(child.children[0], around)})
            else:
                yield from so_far()
                lines.clear()
                yield from _elements(child, _Around(min(8, around.indent + 1), around.quoted))
    yield from so_far()


def _table(node: SyntaxTreeNode) -> str:
    """In columns; Slack has no tables in rich text."""
    rows = [
        ["".join(str(e["text"]) for e in _inline(cell.children[0], _Around())) for cell in row.children]
        for part in node.children
        for row in part.children
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join([lines[0], "  ".join("-" * width for width in widths), *lines[1:]])


def _raw(node: SyntaxTreeNode) -> str:
    if node.children:
        return "".join(map(_raw, node.children))
    return node.content if node.token else ""


# --- words of Markdown ----------------------------------------------------------------------------


def _inline(node: SyntaxTreeNode, around: _Around) -> list[Element]:
    """Never empty: Slack refuses an empty section."""
    found = [element for child in node.children for element in _spans(child, around.style)]
    return [e for e in found if e["text"]] or [_text(" ", {})]


def _spans(node: SyntaxTreeNode, style: dict[str, bool]) -> Iterator[Element]:
    match node.type:
        case "text" | "text_special" | "html_inline":
            yield _text(node.content, style)
        case "code_inline":
            yield _text(node.content, {**style, "code": True})
        case "softbreak":
            yield _text(" ", style)
        case "hardbreak":
            yield _text("\n", style)
        case "strong" | "em" | "s":
            for child in node.children:
                yield from _spans(child, {**style, _STYLES[node.type]: True})
        case "link":
            yield _link(str(node.attrs.get("href", "")), _raw(node), style)
        case _:
            yield _text(_raw(node), style)


def _text(text: str, style: dict[str, bool]) -> Element:
    return {"type": "text", "text": text, **({"style": style} if style else {})}


def _link(url: str, words: str, style: dict[str, bool]) -> Element:
    if not url.startswith(_SAFE_LINKS):
        return _text(words, style)
    return {"type": "link", "url": url, "text": words or url, **({"style": style} if style else {})}


# --- into blocks ----------------------------------------------------------------------------------


def _grouped(elements: Sequence[Element]) -> list[Block]:
    """As few blocks as hold them all."""
    groups: list[list[Element]] = []
    room = 0
    for element in (piece for each in elements for piece in _pieces(each)):
        if not groups or _length(element) + 2 > room:
            groups.append([])
            room = MOST_IN_BLOCK
        room -= _add(groups[-1], element)
    return [{"type": "rich_text", "elements": group} for group in groups]


def _add(group: list[Element], element: Element) -> int:
    """Paragraphs one after the other are one element, since Slack leaves no line between two. How long it was."""
    before = group[-1] if group else None
    if before is None or before["type"] != element["type"] or element["type"] not in _PARAGRAPHS:
        group.append(element)
        return _length(element)
    between = _text("\n\n", {})
    group[-1] = {**before, "elements": [*before["elements"], between, *element["elements"]]}
    return _length(element) + _length(between)


def _pieces(element: Element) -> Iterator[Element]:
    """The element, in pieces that a block holds."""
    if _length(element) <= MOST_IN_BLOCK:
        yield element
        return
    inner: list[Element] = []
    length = 0
    offset = int(element.get("offset", 0))

    def piece() -> Element:
        ordered = element.get("style") == "ordered"
        return {**element, "elements": list(inner), **({"offset": offset} if ordered else {})}

    parts = [p for each in element["elements"] for p in (_pieces(each) if "elements" in each else _cut(each))]
    for part in parts:
        if inner and length + _length(part) > MOST_IN_BLOCK:
            yield piece()
            offset += len(inner)
            inner, length = [], 0
        inner.append(part)
        length += _length(part)
    yield piece()


def _cut(element: Element) -> Iterator[Element]:
    """Text in pieces, at the end of a line where there is one."""
    rest = str(element["text"])
    while len(rest) > MOST_IN_BLOCK:
        at = rest.rfind("\n", 1, MOST_IN_BLOCK) + 1 or rest.rfind(" ", 1, MOST_IN_BLOCK) + 1 or MOST_IN_BLOCK
        yield {**element, "text": rest[:at]}
        rest = rest[at:]
    yield {**element, "text": rest}


def _length(element: Element) -> int:
    if "elements" in element:
        return sum(map(_length, element["elements"]))
    return len(str(element["text"]))
