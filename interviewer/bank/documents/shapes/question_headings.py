"""Markdown with a heading for each question: "Question 3: …", "Q3. …", "3. …", or just the question.

An answer may have headings of its own, even of a higher level than the question's; ``page_parts`` tells them from
those of the page.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from markdown_it.tree import SyntaxTreeNode

from interviewer.bank.documents.asking import bare_question, reads_as_question
from interviewer.bank.documents.markdown import (
    heading_level,
    heading_text,
    inline_nodes,
    source,
    strip_answer_label,
    without_emphasis,
)
from interviewer.bank.documents.page import Page
from interviewer.bank.documents.page_parts import Pattern, own_blocks
from interviewer.bank.documents.particulars import label_of, particulars_of, section_of
from interviewer.bank.documents.quick_check import take_choice
from interviewer.bank.documents.values import DocumentQuestion, Reading

_numbered = re.compile(r"^(?:(?P<label>[^\W\d_]+)\s*#?\s*)?(?P<number>\d{1,4})(?:\s*[.:)–—-]\s*|\s*$)(?P<rest>.*)$")
_CERTAIN = ("question", "q")
_UNNUMBERED = "?"


@dataclass(frozen=True)
class _Heading:
    at: int  # its place among the blocks
    level: int
    label: str
    number: int | None
    question: str


def read(page: Page) -> Reading | None:
    lines, nodes = page.source, page.nodes
    headings = _question_headings(nodes)
    if not headings:
        return None
    spans = [nodes[here + 1 : end] for here, end in pairwise([*(h.at for h in headings), len(nodes)])]
    pattern = Pattern.of(spans, level=headings[0].level)
    above = [nodes[: headings[0].at], *spans[:-1]]
    sections = [_sections_in(part, pattern) for part in above]
    title = next((node for node in above[0] if node.type == "heading"), None)
    if sections[0] and sections[0][0] is title and not _is_section(title, sections[1:]):
        del sections[0][0]
    section: str | None = None
    questions: list[DocumentQuestion] = []
    for number, (heading, span) in enumerate(zip(headings, spans, strict=True)):
        section = heading_text(sections[number][-1]) if sections[number] else section
        own = own_blocks(span, pattern, last=number == len(spans) - 1)
        if question := _question(heading, own, lines, section):
            questions.append(question)
    return Reading(
        title=heading_text(title) if title else None,
        questions=tuple(questions),
        certain=headings[0].label in _CERTAIN,
    )


def _question_headings(nodes: Sequence[SyntaxTreeNode]) -> list[_Heading]:
    """The headings that number the questions: of one level and label. Labelled "Question" before all others, numbers
    that never begin anew before numbers of steps, then the more before the fewer."""
    groups: dict[tuple[int, str], list[_Heading]] = defaultdict(list)
    for at, node in enumerate(nodes):
        heading = _heading(at, node)
        if heading and (heading.label != _UNNUMBERED or reads_as_question(heading.question)):
            groups[heading.level, heading.label].append(heading)
    usable = [group for group in groups.values() if _is_usable(group, nodes)]
    return max(usable, key=_rank, default=[])


def _heading(at: int, node: SyntaxTreeNode) -> _Heading | None:
    level = heading_level(node)
    if level is None:
        return None
    text = heading_text(node)
    match = _numbered.match(text)
    if match is None:
        return _Heading(at, level, _UNNUMBERED, None, bare_question(text)[1])
    return _Heading(at, level, (match["label"] or "").lower(), int(match["number"]), match["rest"].strip())


def _is_usable(group: Sequence[_Heading], nodes: Sequence[SyntaxTreeNode]) -> bool:
    """Two at least, unless labelled "Question", and most of them with text before the next heading."""
    followed = sum(1 for h in group if h.at + 1 < len(nodes) and nodes[h.at + 1].type != "heading")
    certain = group[0].label in _CERTAIN
    if group[0].label == _UNNUMBERED:
        same_level = sum(1 for node in nodes if heading_level(node) == group[0].level)
        return len(group) > 1 and 2 * followed >= len(group) and 2 * len(group) > same_level
    return certain or (len(group) > 1 and 2 * followed >= len(group))


def _rank(group: Sequence[_Heading]) -> tuple[bool, bool, bool, int, int]:
    numbers = [heading.number or 0 for heading in group]
    numbered = group[0].label != _UNNUMBERED
    rising = all(before < after for before, after in pairwise(numbers))
    return group[0].label in _CERTAIN, numbered, rising, len(group), -group[0].level


def _sections_in(nodes: Iterable[SyntaxTreeNode], pattern: Pattern) -> list[SyntaxTreeNode]:
    """The headings that stand above the questions' level and are part of no answer."""
    return [node for node in nodes if (heading_level(node) or 7) < pattern.level and not pattern.has(node)]


def _is_section(first: SyntaxTreeNode, others: Iterable[Sequence[SyntaxTreeNode]]) -> bool:
    """The page's first heading is a section, not its title, where later sections stand on the same level."""
    return any(heading_level(node) == heading_level(first) for section in others for node in section)


def _question(
    heading: _Heading, own: Sequence[SyntaxTreeNode], lines: Sequence[str], section: str | None
) -> DocumentQuestion | None:
    asked = heading.question
    if not asked and own and own[0].type == "paragraph":
        asked, own = without_emphasis(inline_nodes(own[0])), own[1:]
    pairs = particulars_of(own[0]) if len(own) > 1 else {}
    answer, choice = take_choice(strip_answer_label(_text(own[1:] if pairs else own, lines)), asked)
    if len(asked.strip()) < 3:
        return None
    return DocumentQuestion(
        section=section_of(pairs) or section,
        number=heading.number,
        label=label_of(pairs),
        question=asked,
        answer=answer,
        choice=choice,
    )


def _text(own: Sequence[SyntaxTreeNode], lines: Sequence[str]) -> str:
    return "\n\n".join(source(lines, [node]) for node in own)
