"""Words that a page's scraper glued together, taken apart where the document itself shows the seam.

The scraper broke the line before a code span and lost the space behind it: ``autogradin`` at the start of a line is
the span ``autograd`` and the word ``in``. A seam without evidence is left alone: a wrong repair is worse than none.
Never changes, adds or drops a letter or a digit.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from interviewer.bank.documents.vocabulary import LONGEST_NAME, Vocabulary

_SMALL_WORDS = frozenset(
    "and are as at by can does for from has have if in into is of on or that the then to vs was when which will with "
    "using like".split()
)
_LEADING_WORDS = ("and", "like", "or", "the", "using", "with")
_PUNCTUATION = frozenset(".,;?!()/")
_SHORTEST_PLAIN_NAME = 5
_SHORTEST_KNOWN_WORD = 4
_name = re.compile(r"\.?[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
_is_name = re.compile(r"[._]|[a-z0-9][A-Z]|^[A-Z]{2,}[a-z]")
_arguments = re.compile(r"[=.\[\"'\d]|^(?:\w*[a-z]\w*|\*\*?\w+)?(?:, ?\w*[a-z]\w*)*$")
_letter_after_call = re.compile(r"(?<=\w\(\)|\w[)\"'\d]\))(?=[A-Za-z])")
_dunder = re.compile(r"(?<![\w`.])(?:[A-Za-z]\w*\.)*__\w+?__(?:\(\))?(?![\w`])")


def join_spans(lines: Sequence[str], vocabulary: Vocabulary) -> str:
    """A text that was broken before each of its code spans, on one line again."""
    joined = _apart_inside(lines[0].strip(), vocabulary) if lines else ""
    for line in lines[1:]:
        gap = "" if not joined or joined.endswith(("(", "[", "/", "“")) else " "
        joined += gap + _open_span(line.strip(), vocabulary)
    return quote_dunders(joined)


def quote_dunders(text: str) -> str:
    """``__init__`` as code, for Markdown would show it in bold."""
    return _dunder.sub(lambda match: f"`{match.group()}`", text)


def _open_span(line: str, vocabulary: Vocabulary) -> str:
    """A line that begins with a code span: the span told from the words behind it."""
    match = None if "`" in line else _name.match(line)
    if match is None:
        return _apart_inside(line, vocabulary)
    name, rest = match.group(), line[match.end() :]
    if rest.startswith("(") and rest.endswith(")") and rest.count("(") == 1:
        return f"`{line}`"
    if rest.startswith("(") and (end := _call_end(rest)):
        glue = " " if rest[end : end + 1].isalpha() else ""
        return f"`{name}{rest[:end]}`{glue}" + _apart_inside(rest[end:], vocabulary)
    pieces = _seams(name, vocabulary)
    used_elsewhere = not vocabulary.occurs_once(name.rsplit(".", 1)[-1])
    ends_here = len(pieces) > 1 or not rest or (rest[0] in _PUNCTUATION and used_elsewhere)
    shown = [f"`{pieces[0]}`" if ends_here and _is_name.search(pieces[0]) else pieces[0], *pieces[1:]]
    spaced = " " if rest.startswith("(") and len(pieces) == 1 and " " in rest.split(")")[0] else ""
    return " ".join(shown) + spaced + _apart_inside(rest, vocabulary)


def _call_end(rest: str) -> int | None:
    """Where the brackets that ``rest`` begins with close, if what they hold are arguments and not prose."""
    depth = 0
    for at, character in enumerate(rest):
        depth += (character == "(") - (character == ")")
        if depth == 0:
            return at + 1 if _arguments.search(rest[1:at]) else None
    return None


def _seams(name: str, vocabulary: Vocabulary) -> list[str]:
    """The pieces of a token, one where no seam is known."""
    if len(name) > LONGEST_NAME:
        return [name]
    if pieces := _same_root(name, vocabulary):
        return pieces
    known = name in vocabulary.names
    return [name] if known else _name_and_word(name, vocabulary) or [name]


def _same_root(name: str, vocabulary: Vocabulary) -> list[str] | None:
    """``pkg.Aandpkg.B``: two names of one package with a small word between them."""
    root = name.split(".")[0]
    match = re.match(rf"({re.escape(root)}\.[\w.]+?)(and|or|to|vs|with|from)({re.escape(root)}\.[\w.]+)$", name)
    return [match[1], match[2], *_seams(match[3], vocabulary)] if match and root else None


def _name_and_word(name: str, vocabulary: Vocabulary) -> list[str] | None:
    for cut in range(len(name) - 2, 1, -1):
        left, word = name[:cut], name[cut:]
        last = left.rsplit(".", 1)[-1]
        known = left in vocabulary.names or (last in vocabulary.names and last[:1].isupper())
        if not known or not word.islower() or not word.isalpha() or left.lower() in _SMALL_WORDS:
            continue
        strong = _is_name.search(left) is not None
        if word in _SMALL_WORDS and (strong or len(left) >= _SHORTEST_PLAIN_NAME):
            return [left, word]
        if strong and len(word) >= _SHORTEST_KNOWN_WORD and word in vocabulary.words:
            return [left, word]
    return None


def _apart_inside(text: str, vocabulary: Vocabulary) -> str:
    """Seams within a line: a small word before a known name, and a letter behind a call's bracket."""
    spaced = _letter_after_call.sub(" ", text)
    return _name.sub(lambda match: _word_before_name(match.group(), vocabulary), spaced)


def _word_before_name(token: str, vocabulary: Vocabulary) -> str:
    for word in _LEADING_WORDS:
        name = token.removeprefix(word)
        if name != token and name in vocabulary.names and _is_name.search(name) and vocabulary.occurs_once(token):
            return f"{word} {name}"
    return token
