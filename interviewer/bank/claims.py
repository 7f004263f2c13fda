"""The separate claims of a reference answer, told from everything else that an answer holds.

Promises: every claim is made of the answer's own words, save that a leading "It" or "They" is replaced by the
subject of the sentence before, and that short bullets of one list are joined. Leaves out code, headings,
questions, lead-ins, asides in block quotes, and the story that a scenario tells. Does not check that a claim is true.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby

from interviewer.bank.prose import Block, Form, blocks, sentences
from interviewer.bank.terms import overlap, subject

_MIN_WORDS = 4
_FEW = 3
_SAME = 0.75  # claims that share so much of their terms say the same

_STORY_HEADINGS = frozenset("scenario challenge problem question task prerequisites objective background".split())
_ABOUT_THE_TEXT = re.compile(
    r"\b(?:th(?:is|e) (?:example|code|snippet|script|answer|section)|following|below|above code|let['’]?s|as shown)\b",
    re.IGNORECASE,
)
_TOLD_TO_THE_READER = re.compile(
    r"^(?:you (?:are|have|want|suspect|notice)|you['’](?:re|ve)|your|we (?:will|would|are|have)|we['’](?:ll|re|ve)|i |"
    r"the (?:first|second|next|last|final) step|as you can see|by using these)\b",
    re.IGNORECASE,
)
_OPENING = re.compile(
    r"^(?:example|for example|for instance|however|additionally|in addition|moreover|furthermore|also|finally|thus|"
    r"therefore|in summary|in short|overall|note that|on the other hand|in practice)\b\s*[,:]?\s*",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"^(It|They)\b")
_DEPENDENT = re.compile(r"^(?:it|they|this|these|those|that|such|here|he|she)\b", re.IGNORECASE)
_VERB = re.compile(r"\b(is|are|was|were|can|does|do|has|have|provides?|allows?|uses?|will|offers?|refers?)\b")
_CLAUSE = re.compile(r";\s+|,\s+(?:while|whereas|but)\s+")


def claims(question: str, answer: str) -> tuple[str, ...]:
    """The claims of ``answer`` (Markdown) in their order; empty where it makes none beyond the question itself."""
    usable = [b for b in blocks(answer) if not _is_story(b)]
    own = [b for b in usable if b.form in (Form.PARAGRAPH, Form.ITEM, Form.ROW)]
    found = _distinct(question, _of_blocks(own) or _of_blocks([b for b in usable if b.form is Form.QUOTE]))
    if len(found) < _FEW:
        found = _distinct(question, [clause for claim in found for clause in _clauses(claim)])
    return tuple(found)


def stands_alone(claim: str) -> bool:
    """Whether ``claim`` can be understood without the sentence before it."""
    return not _DEPENDENT.match(claim)


def _is_story(block: Block) -> bool:
    return bool(_STORY_HEADINGS & set(block.heading.lower().split()))


def _of_blocks(chosen: Sequence[Block]) -> list[str]:
    found: list[str] = []
    for (form, lead), group in groupby(chosen, key=lambda b: (b.form, b.lead)):
        texts = [b.text for b in group]
        short = [t for t in texts if len(t.split()) < _MIN_WORDS]
        if form is Form.ITEM and lead and len(short) > 1:
            found.append(f"{lead} {', '.join(t.rstrip('.,;') for t in short)}.")
            texts = [t for t in texts if t not in short]
        found.extend(claim for text in texts for claim in _of_text(text))
    return found


def _of_text(text: str) -> Iterable[str]:
    spoken_of = ""
    for sentence in sentences(text):
        claim = _OPENING.sub("", sentence)
        if spoken_of:
            claim = _PRONOUN.sub(spoken_of, claim)
        spoken_of = _subject_of(claim) or spoken_of
        if _is_claim(claim):
            yield _capitalised(claim)


def _is_claim(sentence: str) -> bool:
    if sentence.endswith(("?", ":")) or len(sentence.split()) < _MIN_WORDS:
        return False
    return not _ABOUT_THE_TEXT.search(sentence) and not _TOLD_TO_THE_READER.match(sentence)


def _subject_of(sentence: str) -> str:
    """The label before a colon, or the few words before a plain verb, where they are a subject of their own."""
    label, colon, _ = sentence.partition(": ")
    if colon and len(label.split()) <= 4:
        return label
    verb = _VERB.search(sentence)
    words = sentence[: verb.start()].split() if verb else []
    return " ".join(words) if 0 < len(words) <= 4 and not _DEPENDENT.match(sentence) else ""


def _distinct(question: str, found: Iterable[str]) -> list[str]:
    """Without those that only repeat the question or an earlier claim."""
    asked = subject(question).terms
    kept: list[str] = []
    for claim in found:
        said = subject(claim).terms
        if said - asked and all(overlap(said, subject(k).terms) < _SAME for k in kept):
            kept.append(claim)
    return kept


def _clauses(claim: str) -> list[str]:
    parts = [p.strip() for p in _CLAUSE.split(claim)]
    if len(parts) == 1 or any(len(p.split()) <= _MIN_WORDS for p in parts):
        return [claim]
    return [_capitalised(p).rstrip(".") + "." for p in parts]


def _capitalised(text: str) -> str:
    """With a capital, unless it begins with a name such as nn.Module."""
    return text[0].upper() + text[1:] if text.split()[0].isalpha() else text
