"""Lines of a page that lost its Markdown, as Markdown again: paragraphs, lists and fenced code.

Keeps every line in its order. Does not indent code: where a page lost indentation, it stays lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto

from interviewer.bank.documents.code_blocks import fence
from interviewer.bank.documents.code_lines import is_code, is_sentence, open_brackets, split_glued
from interviewer.bank.documents.lines import Line, markdown_item
from interviewer.bank.documents.repair import quote_dunders
from interviewer.bank.documents.vocabulary import Vocabulary


class _Kind(Enum):
    PROSE = auto()
    CODE = auto()
    LIST = auto()
    VERBATIM = auto()


def to_markdown(lines: Sequence[Line], vocabulary: Vocabulary) -> str:
    groups: list[tuple[_Kind, list[str]]] = []
    for kind, text in _kinds(lines, vocabulary):
        if groups and groups[-1][0] is kind and kind is not _Kind.PROSE:
            groups[-1][1].append(text)
        else:
            groups.append((kind, [text]))
    return "\n\n".join(_block(kind, texts) for kind, texts in groups)


def _kinds(lines: Sequence[Line], vocabulary: Vocabulary) -> list[tuple[_Kind, str]]:
    found: list[tuple[_Kind, str]] = []
    depth = 0
    for line in lines:
        inside = depth > 0
        if line.fenced or line.text.lstrip().startswith("|"):
            found.append((_Kind.VERBATIM, line.text))
        elif parts := split_glued(line.text, vocabulary, depth):
            found += [(_Kind.CODE, parts[0]), (_Kind.PROSE, parts[1])]
            depth = 0
        elif _continues_code(line, found, inside=inside):
            found.append((_Kind.CODE, line.text))
            depth = open_brackets(line.text, depth)
        else:
            found.append((_Kind.LIST if _is_item(line, found) else _Kind.PROSE, line.text))
            depth = 0
    return found


def _continues_code(line: Line, found: Sequence[tuple[_Kind, str]], *, inside: bool) -> bool:
    after_code = bool(found) and found[-1][0] is _Kind.CODE
    if line.is_bullet and not after_code:
        return False
    text = line.text.strip()
    indented_below_code = after_code and line.text[:1].isspace()
    return is_code(text) or ((inside or indented_below_code) and not is_sentence(text))


def _is_item(line: Line, found: Sequence[tuple[_Kind, str]]) -> bool:
    goes_on = bool(found) and found[-1][0] is _Kind.LIST and line.text[:1].isspace()
    numbered = line.text.lstrip().split(" ", 1)[0]
    return line.is_bullet or goes_on or (numbered[-1:] in (".", ")") and numbered[:-1].isdigit())


def _block(kind: _Kind, texts: Sequence[str]) -> str:
    if kind is _Kind.CODE:
        return fence(texts)
    if kind is _Kind.VERBATIM:
        return "\n".join(texts)
    return quote_dunders(
        "\n".join(markdown_item(text.rstrip()) if kind is _Kind.LIST else text.strip() for text in texts)
    )
