"""What a language model wants to say to a candidate, checked before it goes out, a sentence at a time.

Promises for a sentence that ``why_not`` lets out: what it quotes stands in the candidate's messages or was printed; its other
words, numbers and names stand in what was asked, said, earned or shown, or are plain English; outside of a question it
states nothing about the subject; it praises and agrees only where this message earned something and held nothing wrong.
``reveals`` reads it as the judge reads a reply. Neither understands what it reads: a fact told in everyday words that were all
said before, and that the judge doesn't recognise, gets through. Better a good sentence too few than a telling one.
"""

from __future__ import annotations

import re
from collections.abc import Set
from dataclasses import dataclass

from interviewer.grading.guard import addressed_to_grader
from interviewer.grading.score import CREDIT
from interviewer.grading.text import usual_letters, words
from interviewer.interview.asked import Asked
from interviewer.interview.manners import A_QUOTE, about_grading, bad_question, bad_statement, praise
from interviewer.interview.state import Judge
from interviewer.interview.wording import Wording, stems
from interviewer.models import PointVerdict, Standing, Verdict

MOST_WORDS = 60
_TELLING = 0.5  # of a point: most claims put as a question earn more, follow-ups in other words less

_QUOTED = re.compile(r"“([^“”]*)”|\"([^\"]*)\"|‘([^‘’]*(?:’\w[^‘’]*)*)’(?!\w)")
_STRAY_QUOTE = re.compile(r"“(?!”)|(?<!“)”|\"|‘")
_ELLIPSIS = re.compile(r"\s*(?:…|\.\.\.|\[…\])\s*")

_MARKUP = re.compile(
    r"```|~~~|\*\*|__\w[^_]*__|(?<!\w)\*\w[^*]*\*(?!\w)|^\s*(?:#{1,6}|[-*+•>]|\d{1,2}[.)])\s|\]\(|!\[|<(?:!|/?[a-zA-Z])|\|.*\|"
    r"|https?:|www\.|\w@\w+\.\w",
    re.MULTILINE,
)
_ALIKE = 6  # letters that forms of a word share
_COUNTS = frozenset(
    "zero two three four five six seven eight nine ten twice thrice half third quarter double triple".split()
)
_SUBJECT = frozenset({"python", "pytorch", "torch", "py"})
_CAPITALISED = re.compile(r"(?<=[\w,;]\s)[A-Z]\w+")


@dataclass(frozen=True)
class Allowed:
    """What a sentence may be made of. ``words`` and ``stems``: of all that was asked, said, earned and shown; ``quotable``: what
    may stand in quotation marks; ``asked_for``: stems of what is still to be found out and ``told_nowhere``: those of references,
    corrections and hints to come; ``asking``: stems of question and follow-up."""

    words: frozenset[str]
    stems: frozenset[str]
    quotable: tuple[str, ...]
    asked_for: frozenset[str]
    told_nowhere: frozenset[str]
    asking: frozenset[str]
    follow_up: frozenset[str]
    earned_now: bool
    wording: Wording


def allowed(asked: Asked, wording: Wording) -> Allowed:
    question, task, choice = asked.question, asked.question.task, asked.question.choice
    asking = [question.question, asked.wanted.follow_up]
    asking += [question.point(name).follow_up for name in asked.probed]
    shown = [
        *question.hints[: asked.hints],
        *asked.seen,
        *([task.starter] if task else []),
        *(choice.options if choice else ()),
    ]
    known = " \n".join([*asking, *asked.messages, *(p.claim for p in asked.covered), *shown])
    answers = [text for p in asked.open_points for text in (p.claim, *p.also, p.follow_up_answer)]
    untold = [r.text for r in question.references] + [m.correction for m in question.misconceptions]
    untold += [*question.hints[asked.hints :], *(e.shows for e in question.experiments)]
    untold += [task.solution] if task else []
    untold += [choice.explanation] if choice else []
    return Allowed(
        words=frozenset(words(known)),
        stems=frozenset(stems(known)),
        quotable=tuple(_spoken(text) for text in (*asked.messages, *asked.seen)),
        asked_for=frozenset(stems(" \n".join(answers))),
        told_nowhere=frozenset(stems(" \n".join(untold))),
        asking=frozenset(stems(" \n".join(asking))),
        follow_up=frozenset(stems(asked.wanted.follow_up)),
        earned_now=asked.earned_now,
        wording=wording,
    )


def is_question(sentence: str) -> bool:
    return sentence.rstrip().rstrip('”"’)').endswith("?")


def why_not(sentence: str, allowed: Allowed, lead: str = "") -> str:
    """Why a sentence may not go out, as "kind: words"; empty where it may. A question must be about what the authored follow-up is
    about; ``lead``: the sentence that went out before it."""
    sentence = (
        " ".join(usual_letters(sentence).replace("’", "'").split())
        if "‘" not in sentence
        else " ".join(sentence.split())
    )
    own = _QUOTED.sub(A_QUOTE, sentence)
    asks = is_question(sentence)
    return (
        _bad_form(sentence, own)
        or _bad_quote(sentence, allowed)
        or ("" if allowed.earned_now else praise(own))
        or about_grading(own, allowed.asking)
        or _bad_words(own, allowed)
        or (bad_question(own) if asks else bad_statement(own))
        or (_off_the_point(f"{lead} {sentence}", allowed) if asks else "")
    )


def reveals(judge: Judge, asked: Asked, text: str) -> str:
    """The open point of which ``text``, if the candidate had said it, would earn most of what is still to be earned beyond the
    authored follow-up and what was said so far; empty where there is none. What it quotes doesn't count. ``judge`` should be the
    embedded one."""
    own = _QUOTED.sub(" ", text)
    if not stems(own):
        return ""
    told, so_far = _credits(judge.grade(asked.question, own)), _credits(asked.verdict)
    suspected = [p.id for p in asked.open_points if _telling(told.get(p.id, 0), so_far.get(p.id, 0))]
    if not suspected:
        return ""
    authored = _credits(judge.grade(asked.question, asked.wanted.follow_up))
    return next((name for name in suspected if _telling(told[name], authored.get(name, 0))), "")


def _telling(told: float, known: float) -> bool:
    return told - known > _TELLING * (1 - known)


def _credits(verdict: Verdict) -> dict[str, float]:
    """The share of each point that words have earned, as the judge expects it."""
    return {p.point: _credit(p) for p in verdict.points if not p.proven_by_run}


def _credit(point: PointVerdict) -> float:
    if point.verdict is Standing.MISSING:
        return 1 - point.probability
    return CREDIT[point.verdict] * (point.probability if point.verdict is Standing.COVERED else 1)


# --- the parts of the check -----------------------------------------------------------------------


def _bad_form(sentence: str, own: str) -> str:
    if not words(sentence):
        return "form: nothing said"
    if found := _MARKUP.search(sentence):
        return f"form: {found[0]}"
    if found := _STRAY_QUOTE.search(own):
        return f"form: {found[0]}"
    if len(sentence.split()) > MOST_WORDS:
        return f"form: over {MOST_WORDS} words"
    if own.count("?") != is_question(sentence):
        return "form: not one question"
    return ""


def _bad_quote(sentence: str, allowed: Allowed) -> str:
    for found in _QUOTED.finditer(sentence):
        quote = next(group for group in found.groups() if group is not None)
        if addressed_to_grader(quote):
            return f"quote: {quote}"
        pieces = [_spoken(piece) for piece in _ELLIPSIS.split(quote) if _spoken(piece)]
        if not pieces or not any(_stand_in(pieces, text) for text in allowed.quotable):
            return f"quote: {quote}"
    return ""


def _stand_in(pieces: list[str], text: str) -> bool:
    """Whether the pieces stand in ``text``, in their order and as whole words."""
    position = 0
    for piece in pieces:
        found = re.compile(rf"(?<!\w){re.escape(piece)}(?!\w)").search(text, position)
        if not found:
            return False
        position = found.end()
    return True


def _spoken(text: str) -> str:
    """``text`` for comparing: without markup, capitals, line ends and the punctuation around it."""
    text = usual_letters(text).casefold().translate(str.maketrans("’‘“”", "''\"\"", "`*"))
    return " ".join(text.split()).strip(" .,;:!?\"'")


def _bad_words(own: str, allowed: Allowed) -> str:
    wording = allowed.wording
    for name, word in stems(own).items():
        if word in allowed.words or word in _SUBJECT or (not word[0].isdigit() and _akin(name, allowed.stems)):
            continue
        if name in allowed.asked_for and (word in _COUNTS or not wording.everyday(name)):
            return f"reveals: {word}"
        if name in allowed.told_nowhere and not wording.harmless(name):
            return f"reveals: {word}"
        if word[0].isdigit() or not wording.plain(name):
            return f"from nowhere: {word}"
    for found in _CAPITALISED.finditer(own):
        if any(name not in allowed.stems and word not in _SUBJECT for name, word in stems(found[0]).items()):
            return f"from nowhere: {found[0]}"
    return ""


def _akin(name: str, known: Set[str]) -> bool:
    """Whether a stem, or one that begins alike ("forget", "forgotten"), is known."""
    return name in known or any(
        min(len(name), len(other)) >= _ALIKE and name[:_ALIKE] == other[:_ALIKE] for other in known
    )


def _off_the_point(said: str, allowed: Allowed) -> str:
    telling = {name for name in allowed.follow_up if not allowed.wording.everyday(name)}
    if telling and telling.isdisjoint(stems(said)):
        return "off the point: shares no word with what is to be asked"
    return ""
