"""Telling code from prose line by line, in pages that lost their Markdown.

Looks at one line and at the brackets that lines before it left open. Errs towards prose: a line of code that is
taken for prose is shown as it stands, whereas prose in a code block can't be read.
"""

from __future__ import annotations

import re

from interviewer.bank.documents.vocabulary import Vocabulary

_name = r"[A-Za-z_][\w.]*(?:\[[^\]]*\])?"
_code_patterns = tuple(
    re.compile(pattern)
    for pattern in (
        r"^import\s+[\w.]+(?:\s+as\s+\w+)?(?:\s*,\s*[\w.]+(?:\s+as\s+\w+)?)*\s*;?(?:\s*#.*)?$",
        r"^from\s+[\w.]+\s+import\s+\S.*",
        r"^(?:async\s+)?def\s+\w+\s*\(.*",
        r"^class\s+\w+\s*(?:\(.*\))?\s*[:{]",
        r"^(?:if|elif|while|for|with|except|async for|async with|match|case)\b.*:\s*(?:#.*)?$",
        r"^(?:if|for|while|switch|catch)\s*\(.*",
        r"^(?:else|try|finally|except)\s*[:{]",
        r"^(?:pass|break|continue|return)\s*;?(?:\s*#.*)?$",
        r"^(?:return|raise|yield|del|assert|await|global|nonlocal)\s+\S.*",
        r"^@\w+",
        rf"^\*?{_name}(?:\s*,\s*\*?{_name})*(?:\s*:\s*[\w\[\], .|]+?)?\s*(?:[-+*/%&|^@]|//|\*\*|<<|>>|:)?=(?!=)\s*\S",
        r"^(?:const|let|var|val|int|float|double|char|bool|public|private|static|function|func|fn|package|use|using|"
        r"#include|struct|enum|export)\s+\S.*[;{(=>]",
        r"^(?:#|//|/\*|--)\s\S",
        r"^[\])}]+[;,:]?(?:\s*#.*)?$",
        r"^[\])}]+\.?\w*\(",
        r"^>>>\s",
        r"^\$\s\S",
        r"^(?:sudo|pip3?|conda|kubectl|docker|git|npm|helm|curl|apt|apt-get)\s+\S",
        r"^[a-z][\w.-]*(?:\s+[^\s.]+)*\s+--?[a-z][\w-]*",
        r"^(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE|ALTER|DROP|GRANT|FROM|WHERE|GROUP BY|ORDER BY|HAVING|"
        r"LIMIT|VALUES|SET|(?:(?:INNER|LEFT|RIGHT|FULL|CROSS) )?JOIN)\s+\S.*[^.]$",
        r"^(?:- )?[a-z][\w./-]*:(?:\s+\S+)?$",
        r"^</?\w[^>]*>",
        r".*[;{]$",
    )
)
_plain_word = re.compile(r"^[(\"“'‘]*[A-Za-z][A-Za-z'’-]*[)\"”'’,.;:!?…]*$")
_sentence_end = (".", "!", "?", ":", "…", '."', ".”", ".)", "?)")
_lead_word = re.compile(r"[A-Z][A-Za-z'’-]*")
_called = re.compile(r"^[A-Za-z_][\w.]*\(")
_chained = re.compile(r"[.\w(\[]")
_after_call = re.compile(r"\s*[;,:]?\s*(?:(?:#|//).*)?$")
_last_word = re.compile(r"\w+$")
_FEWEST_WORDS = 4
_PLAIN_SHARE = 0.6
_LONGEST_LINE = 4000


def is_code(line: str) -> bool:
    stripped = line.strip()
    if len(stripped) > _LONGEST_LINE:
        return False
    return not _reads_as_prose(stripped) and (_is_call(stripped) or any(p.match(stripped) for p in _code_patterns))


def is_sentence(text: str) -> bool:
    """Prose that begins with a capital, has four words or more and comes to an end."""
    words = text.split()
    plain = sum(1 for word in words if _plain_word.match(word))
    return (
        len(words) >= _FEWEST_WORDS
        and _lead_word.match(text) is not None
        and text.endswith(_sentence_end)
        and plain >= _PLAIN_SHARE * len(words)
    )


def open_brackets(line: str, depth: int = 0) -> int:
    """How many brackets are open after ``line``, where ``depth`` were before it. Does not know strings."""
    code = line.split("#")[0]
    return max(0, depth + sum(code.count(c) for c in "([{") - sum(code.count(c) for c in ")]}"))


def split_glued(line: str, vocabulary: Vocabulary, depth: int = 0) -> tuple[str, str] | None:
    """Code and the prose that the page glued to its end, or None where nothing shows such a seam.

    The code must close the ``depth`` brackets that were open before it, and its own. After a letter a seam needs a
    first word that stands alone elsewhere in the document, and a whole that doesn't: ``lossThis`` is two words,
    ``MyLinear`` is one.
    """
    if len(line) > _LONGEST_LINE:
        return None
    for at in range(1, len(line)):
        if line[at].isupper() and not line[at - 1].isspace() and is_sentence(line[at:]):
            before = line[:at]
            seam = not line[at - 1].isalpha() or _is_two_words(before, line[at:], vocabulary)
            if seam and open_brackets(before, depth) == 0 and (depth > 0 or is_code(before)):
                return before, line[at:]
    return None


def _is_two_words(before: str, after: str, vocabulary: Vocabulary) -> bool:
    last, first = _last_word.search(before), _lead_word.match(after)
    if last is None or first is None:
        return False
    return first.group().lower() in vocabulary.words and vocabulary.occurs_once(last.group() + first.group())


def _is_call(text: str) -> bool:
    """``name(...)`` with whatever is chained to it, and nothing but a comment behind."""
    name = _called.match(text)
    if name is None:
        return False
    depth, at = 0, name.end() - 1
    for at in range(name.end() - 1, len(text)):
        depth += (text[at] in "([{") - (text[at] in ")]}")
        if depth == 0 and not _chained.match(text, at + 1):
            break
    return depth > 0 or _after_call.match(text, at + 1) is not None


def _reads_as_prose(text: str) -> bool:
    return is_sentence(text) and "(" not in text.split()[0] and "=" not in text
