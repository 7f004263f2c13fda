"""Keys, mail addresses and phone numbers in a text.

Keys: those whose own form tells them (OpenAI, Anthropic, AWS, GitHub, GitLab, Slack, Google, Hugging Face, Groq, LangSmith,
Stripe; JSON Web Tokens; private key blocks, also where they break off), what follows ``Bearer``, credentials in an address, and
values of at least eight characters that are assigned to a password, an API key or a secret. Does not find other keys that
stand alone, and of a value without quotation marks only such as hold a digit and don't read as a call.

Phone numbers: with a plus and the country; with an area code that begins with 0; in the American form 555-123-4567; and any
after words such as "my number is". Does not find others that are set in spaces alone, which shapes of tensors are, too.

Mail addresses: not those in words ("ada at example dot org").
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import StrEnum
from typing import NamedTuple


class Kind(StrEnum):
    NAME = "name"
    MAIL = "mail"
    PHONE = "phone"
    KEY = "key"


class Found(NamedTuple):
    """``text[start:end]`` is of this kind."""

    kind: Kind
    start: int
    end: int


_BLOCK = re.compile(
    r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
    # up to its end, never over the mark of a fence; or, without one, as long as it looks like a key
    r"(?:(?:[^<>-]|-(?!----)){0,20000}-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
    r"|(?:(?:\s|\\[nr])*[A-Za-z0-9+/=]{20,})*)"
)
_BY_FORM = re.compile(
    r"(?<![A-Za-z0-9])sk-(?:(?:ant|proj|svcacct|admin|or|lf)-[\w-]{16,}|(?=[\w-]{0,200}\d)[\w-]{20,})"
    r"|(?:AKIA|ASIA)[A-Z0-9]{16,}"
    r"|gh[opsur]_[A-Za-z0-9]{30,}|github_pat_\w{30,}|glpat-[\w-]{20,}"
    r"|xox[a-z](?:\.[a-z]+)?-[\w-]{10,}|xapp-[\w-]{20,}"
    r"|AIza[\w-]{30,}"
    r"|(?<![A-Za-z0-9])hf_[A-Za-z0-9]{30,}|(?<![A-Za-z0-9])gsk_[A-Za-z0-9]{30,}"
    r"|lsv2_[a-z]{2}_\w{30,}|[rs]k_live_[A-Za-z0-9]{16,}"
    r"|eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*",
    re.ASCII,
)
_BEARER = re.compile(r"\bbearer[ \t]{1,3}(?P<it>(?=[\w.~+/=-]{0,200}\d)[\w.~+/=-]{16,})", re.ASCII | re.IGNORECASE)
_IN_ADDRESS = re.compile(r"""(?<=://)(?:[^\s/@:<>"'\[\]]{0,200}:[^\s/<>"'\[\]]{1,2000}|[\w.~-]{16,2000})(?=@)""")
_ASSIGNED = re.compile(
    r"""(?:pass(?:word|wd|phrase)[ \t]{1,3}is[ \t]{1,3}
    |(?:pass(?:word|wd|phrase)|pwd|api[_-]?key|api[_-]?token|secret(?:[_-]?(?:access[_-]?)?(?:key|token))?|client[_-]?secret
       |access[_-]?(?:key(?:[_-]?id)?|token)|auth[_-]?token|private[_-]?key|(?:bot|refresh|session|hf|github|slack)[_-]?token)
     ["'`]?[ \t]{0,8}(?::[ \t]{0,3}[\w.\[\]|\ ]{1,40}=|:=|=>|=(?!=)|:(?!:))[ \t]{0,8})
    (?:"(?P<double>[^"\n]{8,})|'(?P<single>[^'\n]{8,})
      |(?P<bare>(?![A-Za-z_][\w.]{0,200}[(\[])(?=[^\s"'`,;<>(){}]{0,200}\d)[^\s"'`,;<>(){}]{8,}))""",
    re.IGNORECASE | re.VERBOSE,
)

_MAIL = re.compile(r"[\w.+%-]{1,64}@(?:[\w-]{1,63}\.){1,8}[^\W\d_]{2,24}(?![\w(\[]|\.\w)")
_OF_TENSORS = frozenset(
    "mT mH T H data grad real imag shape dtype device weight weights bias value values indices ndim size".split()
)
_OWNERS = frozenset("self torch np numpy jnp model layer".split())

_INTERNATIONAL = re.compile(r"(?<![\w.+)\]])\+[1-9](?:[ ./()-]{0,3}\d)+(?!\w)")
_AREA_WITH_ZERO = re.compile(r"(?<![\w.,:/+-])0{1,2}[1-9]\d{1,4}(?:[ /-]\d{3,9}){1,3}(?![\w-]|[.,]\d)")
_AMERICAN = re.compile(r"(?<![\w.,:/+-])(?:\(\d{3}\) ?|\d{3}[.-])\d{3}[ .-]\d{4}(?![\w-]|[.,]\d)")
_LABELLED = re.compile(
    r"\b(?:phone|telephone|tel|(?:my|a) (?:mobile|cell|number)|(?:mobile|cell)(?= ?:| phone| number)|(?:call|reach|text) me)\b"
    r"(?:[ \t]{1,3}(?:phone|number|no))?\.?[ \t]{0,3}(?:is|at|on|:|=)?[ \t]{0,3}"
    r"(?!\d{4}-\d\d-\d\d)(?P<it>\(?\d(?:[ ./()-]{0,3}\d){6,14})(?!\w)",
    re.IGNORECASE,
)


def keys_in(text: str) -> list[Found]:
    return _found(Kind.KEY, text, (_BLOCK, _BY_FORM, _BEARER, _IN_ADDRESS, _ASSIGNED))


def mails_in(text: str) -> list[Found]:
    return _found(Kind.MAIL, text, (_MAIL,), _is_mail)


def phones_in(text: str) -> list[Found]:
    return [
        *_international(text),
        *_found(
            Kind.PHONE,
            text,
            (_AREA_WITH_ZERO,),
            lambda number: _digits(number) in range(9, 14) and not _counted(number),
        ),
        *_found(Kind.PHONE, text, (_AMERICAN,), lambda number: not _layers(number)),
        *_found(Kind.PHONE, text, (_LABELLED,)),
    ]


def _found(
    kind: Kind, text: str, patterns: tuple[re.Pattern[str], ...], accept: Callable[[str], bool] = lambda _: True
) -> list[Found]:
    """What ``accept`` lets pass. Of a pattern with named groups, the one that matched."""
    matches = [match for pattern in patterns for match in pattern.finditer(text)]
    spans = [match.span(match.lastgroup or 0) for match in matches]
    return [Found(kind, start, end) for start, end in spans if accept(text[start:end])]


def _is_mail(text: str) -> bool:
    """``q@k.mT`` and ``x@self.weight`` are products of tensors."""
    labels = text.partition("@")[2].split(".")
    return labels[-1] not in _OF_TENSORS and labels[0] not in _OWNERS


def _international(text: str) -> list[Found]:
    """Numbers of 9 to 15 digits; where more follow, as many groups as that holds."""
    found = []
    for match in _INTERNATIONAL.finditer(text):
        if re.fullmatch(r"\+\d+\.\d+", match[0]):
            continue  # a signed number
        digits, end = 0, 0
        for group in re.finditer(r"\d+", match[0]):
            digits += len(group[0])
            if digits in range(9, 16):
                end = group.end()
        if end:
            found.append(Found(Kind.PHONE, match.start(), match.start() + end))
    return found


def _layers(number: str) -> bool:
    """Three sizes, as in "a 784-512-1000 network"; one American number in a hundred reads so, too."""
    return all(int(size) % 8 == 0 or int(size) % 10 == 0 for size in re.findall(r"\d+", number))


def _counted(number: str) -> bool:
    """Bits, as in "0110 1001", and numbers filled up with zeros, as in "0012 0013"."""
    return not re.search("[2-9]", number) or bool(re.search("[ /-]00", number))


def _digits(number: str) -> int:
    return len(re.findall(r"\d", number))
