"""Follow-up questions for claims that have none written by a person.

Promises: a follow-up names nothing of the claim that does not stand in the question already, and no two of one
question are alike. They are plainer than an author's; a bank question's own follow-ups are never touched.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from interviewer.bank.terms import mentions

# What a claim is about, by the words that it is built with, and how to ask for that about {it}.
_CUES: tuple[tuple[frozenset[str], tuple[str, ...]], ...] = tuple(
    (frozenset(words.split()), asks)
    for words, asks in (
        (
            "while whereas unlike but instead although contrast however",
            (
                "Where would you draw the line between the two sides, talking about {it}?",
                "What is the other side of {it}?",
            ),
        ),
        (
            "because since so allows allow enables enable makes make ensures ensure helps help improves reduces prevents avoids "
            "essential important crucial easier",
            ("Why bother with {it} in practice?", "What do you gain from {it}?"),
        ),
        (
            "slow slower overhead cost expensive limited limitation cannot error risk deprecated fails",
            ("What are the limits of {it}?", "What could go wrong with {it}?"),
        ),
        (
            "when during before after once until if",
            ("When exactly do you need {it}?", "At what moment do you turn to {it}?"),
        ),
        (
            "by using through via with calling calls",
            ("How would you go about {it}, step by step?", "What stands behind {it}?"),
        ),
    )
)
_ASKS_FOR_API = (
    "Which part of the API would you reach for, talking about {it}?",
    "What would your code for {it} call?",
)
_ASKS_FOR_MORE = (
    "How would you describe {it} to a colleague who is new to it?",
    "What else belongs to a full answer about {it}?",
    "Which property of {it} have you not mentioned yet?",
    "What would a reviewer still miss in your account of {it}?",
    "Can you go one level deeper on {it}?",
    "What happens underneath with {it}?",
    "What would you add about {it} from your own work?",
)
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
    taken: list[str] = []
    for claim in claims:
        about = _about(question, claim)
        asks = (template.format(it=about) for template in _templates(question, claim))
        taken.append(next(ask for ask in asks if ask not in taken))
    return tuple(taken)


def _about(question: str, claim: str) -> str:
    """What the question calls the thing that the claim speaks of: a name in both, the question's subject, or "this"."""
    asked, said = mentions(question), mentions(claim)
    named = [mention.surface for term, mention in asked.items() if mention.is_name]
    shared = [mention.surface for term, mention in asked.items() if mention.is_name and term in said]
    if shared or named:
        return (shared or named)[0]
    match = _DEFINES.search(question)
    phrase = _SUBJECT_ENDS.split(match["subject"])[0].strip(" `") if match else ""
    return phrase if phrase and len(phrase.split()) <= _LONGEST else "this"


def _templates(question: str, claim: str) -> tuple[str, ...]:
    words = set(re.findall(r"[a-z]+", claim.lower()))
    fitting = [ask for cue, asks in _CUES if words & cue for ask in asks]
    asked = mentions(question)
    if any(mention.is_name for term, mention in mentions(claim).items() if term not in asked):
        fitting.extend(_ASKS_FOR_API)
    return (*fitting, *_ASKS_FOR_MORE)
