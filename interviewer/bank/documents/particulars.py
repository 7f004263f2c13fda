"""The line of particulars below a question's heading: ``**Type:** Conceptual | **Category:** Core Concepts``."""

from __future__ import annotations

from collections.abc import Mapping

from markdown_it.tree import SyntaxTreeNode

from interviewer.bank.documents.markdown import inline_nodes, without_emphasis

_SECTION_KEYS = ("category", "section", "topic", "area", "subject", "domain", "chapter", "module")
_LABEL_KEYS = ("type", "kind", "format", "style", "level", "difficulty")
_MOST_WORDS_OF_A_KEY = 3
_MOST_WORDS_OF_A_VALUE = 6


def particulars_of(node: SyntaxTreeNode) -> dict[str, str]:
    """The pairs of a paragraph that consists of such pairs and nothing else; empty for any other block.

    A single pair counts only under a name that is known for this use: "Answer: yes" is an answer.
    """
    found: dict[str, str] = {}
    key = ""
    parts = inline_nodes(node) if node.type == "paragraph" else ()
    for part in parts:
        text = without_emphasis([part])
        if part.type == "strong":
            key = text.removesuffix(":").strip().lower()
            found[key] = "" if text.endswith(":") else "?"
        elif key and part.type in ("text", "code_inline", "em"):
            if found[key] == "?" and not text.startswith(":"):
                return {}
            found[key] = found[key].removeprefix("?") + text.removeprefix(":" if found[key] == "?" else "")
        elif part.type not in ("softbreak", "hardbreak"):
            return {}
    pairs = {key: value.strip(" |·•,/") for key, value in found.items()}
    known = len(pairs) > 1 or any(key in _SECTION_KEYS + _LABEL_KEYS for key in pairs)
    return pairs if known and all(_is_pair(key, value) for key, value in pairs.items()) else {}


def section_of(pairs: Mapping[str, str]) -> str | None:
    return next((pairs[key] for key in _SECTION_KEYS if key in pairs), None)


def label_of(pairs: Mapping[str, str]) -> str | None:
    """The sort of question, under its usual names or else the first pair that names no section."""
    usual = next((pairs[key] for key in _LABEL_KEYS if key in pairs), None)
    return usual or next((value for key, value in pairs.items() if key not in _SECTION_KEYS), None)


def _is_pair(key: str, value: str) -> bool:
    short = len(key.split()) <= _MOST_WORDS_OF_A_KEY and 0 < len(value.split()) <= _MOST_WORDS_OF_A_VALUE
    return short and not value.endswith((".", "?", "!", ":"))
