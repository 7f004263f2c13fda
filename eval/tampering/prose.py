"""The prose of a reply apart from its code, so that an edit of the words leaves the code as it was.

Promises that the pieces put together again are the text. A plain word is one that is no name: no part of it is code, a
number, a camel-case name or glued to punctuation that code has.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from markdown_it import MarkdownIt

Rewrite = Callable[[str], str]

_markdown = MarkdownIt("commonmark")
_INLINE_CODE = re.compile(r"(`+[^`]+`+)")
_PLAIN_WORD = re.compile(r"(?<![\w.\-/\\@#=({\[<>'’])(?:[A-Z]?[a-z]+|I|A)(?:['’][a-z]+)?(?![\w=\[({/>]|[.\-'’]\w)")
_BULLET = re.compile(r"^[ \t]*(?:[-*+•]|\d{1,2}[.)])[ \t]+")
_SENTENCE_GAP = re.compile(
    r"(?<=[.!?])(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\bvs\.)(?<!\bc\.f\.)\s+(?=[\"'(\[`*_]*\w)|\n\s*\n\s*|\n(?=[ \t]*(?:[-*+•]|\d{1,2}[.)])[ \t])"
)


def pieces(text: str) -> list[tuple[str, bool]]:
    """(piece, whether it is a fenced code block), in order; joined they are ``text``."""
    lines = text.splitlines(keepends=True)
    in_code = {n for t in _markdown.parse(text) if t.type == "fence" and t.map for n in range(*t.map)}
    found: list[tuple[str, bool]] = []
    for n, line in enumerate(lines):
        code = n in in_code
        if found and found[-1][1] is code:
            found[-1] = (found[-1][0] + line, code)
        else:
            found.append((line, code))
    return found


def on_prose(text: str, rewrite: Rewrite) -> str:
    """``rewrite`` applied to what stands between the fenced code blocks."""
    return "".join(piece if code else rewrite(piece) for piece, code in pieces(text))


def on_plain(text: str, rewrite: Rewrite) -> str:
    """``rewrite`` applied to prose without the code in its lines."""
    return on_prose(text, lambda prose: "".join(p if p[:1] == "`" else rewrite(p) for p in _INLINE_CODE.split(prose)))


def on_words(text: str, rewrite: Rewrite) -> str:
    """``rewrite`` applied to each plain word."""
    return on_plain(text, lambda plain: _PLAIN_WORD.sub(lambda match: rewrite(match[0]), plain))


def on_sentences(text: str, rewrite: Callable[[list[str]], str]) -> str:
    """``rewrite`` makes one text of the sentences of each stretch of prose; white space around the stretch stays."""

    def stretch(prose: str) -> str:
        inner = prose.strip()
        if not inner:
            return prose
        start = prose.index(inner)
        return prose[:start] + rewrite(sentences(inner)) + prose[start + len(inner) :]

    return on_prose(text, stretch)


def sentences(prose: str) -> list[str]:
    """Cut at the ends of sentences, at empty lines and before bullets, never inside code; a line that was only wrapped stays
    whole."""
    code = [match.span() for match in _INLINE_CODE.finditer(prose)]
    gaps = [m.span() for m in _SENTENCE_GAP.finditer(prose) if not any(a < m.start() < b for a, b in code)]
    starts, ends = [0, *(end for _, end in gaps)], [*(start for start, _ in gaps), len(prose)]
    parts = (prose[start:end].strip() for start, end in zip(starts, ends, strict=True))
    return [part for part in parts if part]


def bulleted(sentence: str) -> bool:
    return bool(_BULLET.match(sentence))


def without_bullet(sentence: str) -> str:
    return _BULLET.sub("", sentence, count=1)


def like(pattern: str, word: str) -> str:
    """``word`` with the capitals of ``pattern``."""
    if pattern.isupper() and len(pattern) > 1:
        return word.upper()
    return word[:1].upper() + word[1:] if pattern[:1].isupper() else word
