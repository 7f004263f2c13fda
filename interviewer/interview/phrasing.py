"""A follow-up in the candidate's terms, by a language model, with nothing going out unchecked.

Promises that what is handed on has passed the check, sentence by sentence; that a question which fails it, breaks off or
never comes ends in the authored follow-up; and that ModelFailed is not raised. The model is shown no claim, no hint and no reference of
the question: what it wasn't told it can't pass on.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from queue import SimpleQueue

from interviewer.interview.asked import Asked
from interviewer.interview.outgoing import MOST_WORDS, allowed, is_question, reveals, why_not
from interviewer.interview.state import Judge
from interviewer.interview.wording import Wording
from interviewer.llm import ModelFailed, TurnModel
from interviewer.markdown import escape
from interviewer.models import ModelFault, Purpose, Standing, Value
from interviewer.prompts import Rendered, render

_ENDLESS = 1_500  # characters; 60 words are about 400
_MOST_OF_A_MESSAGE = 4_000  # characters of each text that the model is shown
_MESSAGES_BEFORE = 3
_CODE = re.compile(r"`[^`\n]+`")
_OPENS, _CLOSES = "“‘(", "”’)"
_ENDS = ".!?…"
_NO_END = re.compile(r"\b(?:e\.g|i\.e|vs|cf|etc|approx)\.$", re.IGNORECASE)

_log = logging.getLogger(__name__)


class Phrased(Value):
    """Markdown. ``lead`` may be empty. ``refused``: why the question is the authored one; empty where the model's goes out."""

    lead: str
    question: str
    refused: str = ""


def phrased(
    model: TurnModel, asked: Asked, *, wording: Wording, judge: Judge, on_text: Callable[[str], None] = lambda _: None
) -> Phrased | None:
    """What to say. None where nothing of it may go out. ``on_text`` is called on this thread with each sentence of the
    model's that may, as Markdown. ``judge``: the embedded one, who reads every sentence as if a candidate had said it."""
    may_be_said = allowed(asked, wording)
    lead, question, refused, length = "", "", "", 0
    try:
        for number, sentence in enumerate(_sentences(model, _prompt(asked))):
            length += len(sentence.split())
            if refused or question or (number and not is_question(sentence)) or length > MOST_WORDS:
                refused = refused or "form: more than a lead and a question"
                continue  # the rest is awaited and dropped
            why = why_not(sentence, may_be_said, lead) or _revealed(judge, asked, sentence)
            if is_question(sentence):
                question, refused = sentence, why  # goes out when nothing has followed it
            elif why:
                _note("lead", why)  # what may not be said is left out; the question has to stand without it
            else:
                lead = _markdown(sentence)
                on_text(lead)
    except ModelFailed as failure:
        refused = f"failed: {failure.fault.value}"
    if question and not refused:
        on_text(_markdown(question))
        return Phrased(lead=lead, question=_markdown(question))
    refused = refused or "form: no question"
    _note("question", refused)
    return Phrased(lead=lead, question=asked.wanted.follow_up, refused=refused) if lead else None


def _note(what: str, why: str) -> None:
    kind = why.partition(":")[0]  # the rest may hold the candidate's words
    _log.info("The %s of a phrased follow-up was not used: %s", what, kind)


def _revealed(judge: Judge, asked: Asked, sentence: str) -> str:
    point = reveals(judge, asked, sentence)
    return f"reveals: the point {point}" if point else ""


def _prompt(asked: Asked) -> Rendered:
    earned = (Standing.COVERED, Standing.PARTIAL)
    return render(
        "voice",
        question=asked.question.question,
        follow_up=asked.wanted.follow_up,
        standing=asked.standing,
        about=asked.about,
        message=asked.message[:_MOST_OF_A_MESSAGE],
        before=[text[:_MOST_OF_A_MESSAGE] for text in asked.before[-_MESSAGES_BEFORE:]],
        counted=list(dict.fromkeys(p.quote for p in asked.graded.points if p.quote and p.verdict in earned)),
        gave_up=asked.gave_up,
        ran=[text[:_MOST_OF_A_MESSAGE] for text in asked.ran],
    )


def _sentences(model: TurnModel, prompt: Rendered) -> Iterator[str]:
    """Sentences of the model's text as they are completed. Raises ModelFailed, after those that came whole.

    The call blocks and hands its pieces over on the event loop that all calls of the process share. They are only queued there,
    and the call is awaited on a thread of its own: so the check, which takes the judge's 30 ms a sentence, runs on the caller's
    thread while the model goes on writing, and holds up nobody else's stream.
    """
    pieces: SimpleQueue[str | None] = SimpleQueue()
    written = 0

    def take(piece: str) -> None:
        nonlocal written
        written += len(piece)
        if written > _ENDLESS:
            raise ModelFailed(ModelFault.ENDLESS, f"over {_ENDLESS} characters")  # closes the connection
        pieces.put(piece)

    with ThreadPoolExecutor(1, thread_name_prefix="voice") as thread:
        call = thread.submit(copy_context().run, model.text, Purpose.VOICE, prompt, take)
        call.add_done_callback(lambda _: pieces.put(None))
        text = ""
        while (piece := pieces.get()) is not None:
            *whole, text = split(text + piece)
            yield from whole
        call.result()
        if text.strip():
            yield text.strip()


def split(text: str) -> list[str]:
    """The sentences of ``text``; the last may be unfinished, or empty. What stands in quotation marks or brackets isn't cut."""
    found, start, depth, straight = [], 0, 0, False
    for at, character in enumerate(text):
        if character in _OPENS:
            depth += 1
        elif character in _CLOSES and not _apostrophe(text, at):
            depth = max(0, depth - 1)
        elif character == '"':
            straight = not straight
        elif character.isspace() and not depth and not straight:
            piece = text[start:at].strip()
            if piece.rstrip("”’\"'").endswith(tuple(_ENDS)) and not _NO_END.search(piece):
                found.append(piece)
                start = at
    return [*found, text[start:].lstrip()]


def _apostrophe(text: str, at: int) -> bool:
    return text[at] == "’" and text[at - 1 : at].isalpha() and text[at + 1 : at + 2].isalpha()


def _markdown(sentence: str) -> str:
    """``sentence`` with its code in backticks as it is, and all else as plain words."""
    sentence = " ".join(sentence.split())
    code = [*_CODE.findall(sentence), ""]
    return "".join(escape(words) + each for words, each in zip(_CODE.split(sentence), code, strict=True))
