"""Which of the blocks between two question headings are the answer's, and which are the page's.

Goes by structure alone: headings and horizontal rules, and whether what they set apart comes back from question to
question. Does not look at the wording of advertisements.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from markdown_it.tree import SyntaxTreeNode

from interviewer.bank.documents.markdown import heading_level, heading_text, inline_nodes
from interviewer.bank.documents.options import is_option

_not_letters = re.compile(r"[\W\d_]+")
_EMPHASIS = ("em", "strong", "link", "image", "softbreak", "hardbreak", "html_inline")


@dataclass(frozen=True)
class Pattern:
    """What the answers of a document have in common.

    ``recurring``: titles of headings that several answers have. ``only_one``: there is one answer, so nothing can come back. ``same_level``: answers have other headings of the
    questions' own level. ``ruled_headings``, ``ruled_text``: answers go on below a horizontal rule with a heading of
    their own, or with text.
    """

    level: int
    recurring: frozenset[str]
    only_one: bool
    same_level: bool
    ruled_headings: bool
    ruled_text: bool

    @classmethod
    def of(cls, spans: Sequence[Sequence[SyntaxTreeNode]], level: int) -> Pattern:
        """``spans``: the blocks after each question heading. The last shows nothing: the page's end is in it."""
        titles = Counter(title for span in spans for title in {_title(n) for n in span if n.type == "heading"})
        recurring = frozenset(title for title, count in titles.items() if count > 1)
        same_level = ruled_headings = ruled_text = False
        for span in spans[:-1]:
            for part in _parts(span):
                opens_with_own = part[0].type == "heading" and _title(part[0]) not in recurring
                ruled = part[0] is not span[0]
                same_level |= any(
                    heading_level(node) == level and _title(node) not in recurring for node in part[int(ruled) :]
                )
                ruled_headings |= ruled and opens_with_own and (heading_level(part[0]) or 0) >= level
                ruled_text |= ruled and part[0].type != "heading" and not _is_notice(part)
        return cls(level, recurring, len(spans) == 1, same_level, ruled_headings, ruled_text)

    def has(self, heading: SyntaxTreeNode) -> bool:
        return _title(heading) in self.recurring


def own_blocks(span: Sequence[SyntaxTreeNode], pattern: Pattern, *, last: bool) -> list[SyntaxTreeNode]:
    """The answer's blocks, with the rules between its parts and without links back to the top of the page."""
    own: list[SyntaxTreeNode] = []
    for number, part in enumerate(_parts(span)):
        ruled = number > 0
        end = _end_of_own(part, pattern, ruled=ruled, last=last)
        if end and not (ruled and part[0].type != "heading" and _belongs_to_page(part, pattern, last=last)):
            own += part[:end]
        if end < len(part) or (not end and last):
            break
    return [node for node in own if not _leads_back(node)]


def _parts(span: Sequence[SyntaxTreeNode]) -> list[list[SyntaxTreeNode]]:
    """The blocks between horizontal rules; empty parts left out."""
    parts: list[list[SyntaxTreeNode]] = [[]]
    for node in span:
        if node.type == "hr":
            parts.append([])
        else:
            parts[-1].append(node)
    return [part for part in parts if part]


def _end_of_own(part: Sequence[SyntaxTreeNode], pattern: Pattern, *, ruled: bool, last: bool) -> int:
    """How many blocks of a part come before a heading that begins something else."""
    for at, node in enumerate(part):
        level = heading_level(node)
        if level is None or pattern.has(node):
            continue
        set_apart = ruled and at == 0
        if set_apart and _has_options(part):
            continue
        if level < pattern.level and (set_apart or not pattern.only_one):
            return at
        if level == pattern.level and (set_apart or (last and not pattern.same_level)):
            return at
        if last and set_apart and not pattern.ruled_headings:
            return at
    return len(part)


def _belongs_to_page(part: Sequence[SyntaxTreeNode], pattern: Pattern, *, last: bool) -> bool:
    """Text below a rule: an answer's where answers have such text, or where it asks a quick check."""
    if _has_options(part):
        return False
    return not pattern.ruled_text if last else _is_notice(part)


def _has_options(part: Iterable[SyntaxTreeNode]) -> bool:
    inlines = (node.content for top in part for node in top.walk() if node.type == "inline")
    return sum(1 for content in inlines for line in content.split("\n") if is_option(line)) > 1


def _is_notice(part: Sequence[SyntaxTreeNode]) -> bool:
    """One paragraph that is emphasised as a whole or holds a link, as notices and advertisements are."""
    if len(part) != 1 or part[0].type not in ("paragraph", "blockquote"):
        return False
    linked = any(node.type in ("link", "image") for node in part[0].walk())
    return linked or all(node.type in _EMPHASIS for node in inline_nodes(part[0]))


def _leads_back(node: SyntaxTreeNode) -> bool:
    """A paragraph that is nothing but a link to another place of the same page."""
    links = [inner for inner in node.walk() if inner.type == "link"] if node.type == "paragraph" else []
    if len(links) != 1 or not str(links[0].attrs.get("href", "")).startswith("#"):
        return False
    within = "".join(inner.content for inner in links[0].walk() if inner.type == "text")
    everything = "".join(inner.content for inner in node.walk() if inner.type in ("text", "code_inline"))
    return within.strip() == everything.strip()


def _title(heading: SyntaxTreeNode) -> str:
    return _not_letters.sub("", heading_text(heading).lower())
