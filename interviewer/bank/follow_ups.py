"""Follow-up questions for claims that have none written by a person.

Promises: a follow-up names at most one thing of which its claim speaks and says nothing of it, and no two of one
question are alike. They are plainer than an author's; a bank question's own follow-ups are never touched.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from interviewer.bank.terms import mentions

_ABOUT_A_NAME = (
    "Where does {it} come in here?",
    "What can you say about {it} in this context?",
    "And {it}, what is its part in this?",
    "How does {it} fit in?",
    "What should one know about {it} here?",
    "What would you add about {it}?",
    "What do you make of {it} here?",
)
_OPEN = (
    "What else belongs to a full answer about {it}?",
    "What would a reviewer still miss in your account of {it}?",
    "Can you go one level deeper on {it}?",
    "What have you left out about {it}?",
    "What happens underneath with {it}?",
    "What would you tell a colleague who is new to {it}?",
    "What would you add about {it} from your own work?",
)
_SHORTEST_NAME = 3  # letters; "N" says nothing to anybody
_DEFINES = re.compile(
    r"(?:^|[.?!] )(?:what (?:is|are)|why (?:is|are)|how do(?:es)?|(?:explain|describe|discuss|define)(?: how| why| what)?)\b"
    r"(?: (?:the|a|an|common|main|key|concept|purpose|role|use|significance|importance|meaning|of|pytorch['’]s))* "
    r"(?P<subject>(?!you\b|we\b|i\b)[^?.,;]+)",
    re.IGNORECASE,
)
_SUBJECT_ENDS = re.compile(
    r"\b(?:and|or|in|for|with|when|where|from|to|used|works?|differs?|important|work|using|during|while|support|its|their)\b",
    re.IGNORECASE,
)
_LONGEST = 4  # words of a subject that still sound like one


def follow_ups(question: str, claims: Sequence[str]) -> tuple[str, ...]:
    """One follow-up for each of ``claims``, at most seven of them."""
    named = Counter(term for claim in claims for term in mentions(claim))
    taken: list[str] = []
    for n, claim in enumerate(claims):
        clue = _clue(question, claim, named)
        about, templates = (clue, _ABOUT_A_NAME) if clue else (_subject(question), _OPEN)
        asks = [template.format(it=about) for template in (*templates[n:], *templates[:n])]
        taken.append(next(ask for ask in asks if ask not in taken))
    return tuple(taken)


def _clue(question: str, claim: str, named: Counter[str]) -> str:
    """A name that stands in this claim alone, not in the question nor in another claim."""
    asked = mentions(question)
    names = [
        mention.surface
        for term, mention in mentions(claim).items()
        if named[term] == 1 and term not in asked and len(term) >= _SHORTEST_NAME and _is_identifier(mention.surface)
    ]
    in_code = [name for name in names if not name.isalnum()]
    return (in_code or names or [""])[0]


def _is_identifier(name: str) -> bool:
    """``zero_grad``, ``NumPy`` and ``DDP``, but not ``Facebook``."""
    return not name.isalnum() or sum(c.isupper() for c in name) > 1


def _subject(question: str) -> str:
    """What the question calls the thing that it asks about, or "this"."""
    named = [m.surface for t, m in mentions(question).items() if m.is_name and len(t) >= _SHORTEST_NAME]
    if named:
        return named[0] if len(named) == 1 else "this"
    match = _DEFINES.search(question)
    phrase = _SUBJECT_ENDS.split(match["subject"])[0].strip(" `") if match else ""
    return phrase if phrase and len(phrase.split()) <= _LONGEST else "this"
