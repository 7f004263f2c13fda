"""The multiple-choice question at the end of an answer, taken out of the answer.

The right option is marked, stands alone in bold, or is named by the explanation below. A list of which the right
option can't be told stays in the answer as it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html.parser import HTMLParser

from markdown_it.tree import SyntaxTreeNode

from interviewer.bank.documents.asking import reads_as_question
from interviewer.bank.documents.markdown import blocks, extent, source
from interviewer.bank.documents.options import is_option, read_options, without_bold
from interviewer.models import Choice

_HOLDS_OPTIONS = ("paragraph", "bullet_list", "code_block")
_named = re.compile(
    r"\b(?i:answer|correct|option|solution)\b[\s:*_`(]*(?:(?i:is|option|answer|choice)\b[\s:*_`(]*)*"
    r"(?P<letter>[A-J](?![\w'’])|[a-j](?=[.):]))"
)


def take_choice(answer: str, asked: str = "") -> tuple[str, Choice | None]:
    """The answer without its last quick check, and the quick check; the answer as it was where there is none.

    ``asked`` is the question where nothing but the options stands below it.
    """
    lines = answer.split("\n")
    nodes = blocks(answer)
    for at in range(len(nodes) - 1, -1, -1):
        stop = _last_of_options(nodes, at)
        start, end = extent(nodes[at])[0], extent(nodes[stop])[1]
        options = read_options(lines[start:end]) if nodes[at].type in _HOLDS_OPTIONS else None
        if options is None:
            continue
        first, question = (at, options.lead) if options.lead else _question_above(nodes, at, lines, asked)
        last, explanation = _explanation_below(nodes, stop, lines)
        correct = options.correct or _letter_named(explanation, len(options.texts))
        question = without_bold(question) or asked
        if correct and len(question) > 2:
            choice = Choice(question=question, options=options.texts, correct=correct, explanation=explanation)
            return _without(nodes, lines, _with_heading(nodes, first), last), choice
    return answer, None


def _last_of_options(nodes: Sequence[SyntaxTreeNode], at: int) -> int:
    """Options may stand in one block, or each in a paragraph of its own."""
    while at + 1 < len(nodes) and nodes[at + 1].type in _HOLDS_OPTIONS and is_option(_first_line(nodes[at + 1])):
        at += 1
    return at


def _first_line(node: SyntaxTreeNode) -> str:
    inline = next((child for child in node.walk() if child.type in ("inline", "code_block")), None)
    return inline.content.split("\n")[0] if inline else ""


def _question_above(nodes: Sequence[SyntaxTreeNode], at: int, lines: Sequence[str], asked: str) -> tuple[int, str]:
    """The block that the quick check begins with, and what it asks. A plain statement above the options asks nothing
    where the options can answer ``asked``."""
    if at == 0 or nodes[at - 1].type != "paragraph":
        return at, ""
    text = " ".join(source(lines, [nodes[at - 1]]).split())
    asks = without_bold(text) != text or text.endswith(":") or reads_as_question(text)
    return (at - 1, text) if asks or not asked else (at, "")


def _with_heading(nodes: Sequence[SyntaxTreeNode], first: int) -> int:
    """A heading right above, and the rule above that, set the quick check apart and belong to it."""
    if first and nodes[first - 1].type == "heading":
        first -= 1
    while first and nodes[first - 1].type == "hr":
        first -= 1
    return first


def _explanation_below(nodes: Sequence[SyntaxTreeNode], stop: int, lines: Sequence[str]) -> tuple[int, str]:
    """The last block of the quick check, and what it says of the right option: folded away, or plainly."""
    below = nodes[stop + 1 :]
    if below and below[0].type == "html_block" and "<details" in below[0].content.lower():
        closing = (i for i, node in enumerate(below) if "</details" in node.content.lower())
        count = next(closing, len(below) - 1) + 1
        parts = [
            _visible(node.content) if node.type == "html_block" else source(lines, [node]) for node in below[:count]
        ]
        return stop + count, "\n\n".join(part for part in parts if part)
    if below and below[0].type == "paragraph" and _named.search(source(lines, below[:1])):
        count = next((i for i, node in enumerate(below) if node.type in ("heading", "hr")), len(below))
        return stop + count, source(lines, below[:count])
    return stop, ""


def _letter_named(explanation: str, options: int) -> str | None:
    match = _named.search(explanation)
    letter = match["letter"].upper() if match else None
    return letter if letter and ord(letter) - ord("A") < options else None


def _without(nodes: Sequence[SyntaxTreeNode], lines: Sequence[str], first: int, last: int) -> str:
    kept = [source(lines, nodes[:first]), source(lines, nodes[last + 1 :])]
    return "\n\n".join(part for part in kept if part)


def _visible(html: str) -> str:
    parser = _Visible()
    parser.feed(html)
    parser.close()
    return "".join(parser.parts).strip()


class _Visible(HTMLParser):
    """Collects the text of a piece of HTML, summaries left out."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self._in_summary = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._in_summary = self._in_summary or tag == "summary"

    def handle_endtag(self, tag: str) -> None:
        self._in_summary = self._in_summary and tag != "summary"

    def handle_data(self, data: str) -> None:
        if not self._in_summary:
            self.parts.append(data)
