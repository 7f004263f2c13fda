"""Questions on lines of their own, each answered by the bulleted list below it.

What ends in a colon leads a list in and asks nothing. A line after a bullet that broke off in mid-sentence goes on
with that bullet. Without numbers or labels this is the weakest of the shapes, so some questions must read as such.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from interviewer.bank.documents.asking import bare_question, reads_as_question, some_read_as_questions
from interviewer.bank.documents.lines import Line, ends_sentence, is_heading_like, markdown_item, title_of
from interviewer.bank.documents.page import Page
from interviewer.bank.documents.repair import join_spans
from interviewer.bank.documents.values import DocumentQuestion, Reading
from interviewer.bank.documents.vocabulary import Vocabulary

_MOST_WORDS_OF_AN_ITEM = 8
_MOSTLY = 0.75


def read(page: Page) -> Reading | None:
    lines = page.lines
    asking = [i for i in range(len(lines) - 1) if _asks(lines, i)]
    real = _without_page_lists(lines, asking)
    if not some_read_as_questions([lines[i].text for i in real]):
        return None
    vocabulary = Vocabulary.of(page.text)
    bodies = [lines[at + 1 : end] for at, end in pairwise([*asking, len(lines)]) if real[0] <= at <= real[-1]]
    own = [_own_lines(body) for body in bodies]
    running_text_follows = any(_loose(lines) for lines in own[:-1])
    questions: list[DocumentQuestion] = []
    section = _section_above(lines, real[0])
    for at, body, kept in zip(real, bodies, own, strict=True):
        if at == real[-1] and not running_text_follows:
            kept = kept[: next(iter(_loose(kept)), len(kept))]
        number, asked = bare_question(lines[at].text)
        answer = _answer(kept, vocabulary)
        questions.append(DocumentQuestion(section=section, number=number, question=asked, answer=answer))
        section = body[len(kept)].text.strip(" #*") if len(kept) < len(body) else section
    return Reading(title=title_of(lines) if real[0] else None, questions=tuple(questions))


def _asks(lines: Sequence[Line], at: int) -> bool:
    line, below = lines[at], lines[at + 1]
    if line.fenced or line.is_bullet or line.is_lone_bullet or line.text[:1].isspace():
        return False
    if not (below.is_bullet or below.is_lone_bullet):
        return False
    asked = bare_question(line.text)[1]
    if asked.endswith(":") or len(asked.split()) < 2:
        return False
    if asked.endswith("?"):
        return True
    return not asked[0].islower() and (at == 0 or line.after_blank or _is_complete(lines[at - 1]))


def _is_complete(line: Line) -> bool:
    """Nothing is missing from what ends on this line."""
    short_item = line.is_bullet and len(line.content.split()) <= _MOST_WORDS_OF_AN_ITEM
    return ends_sentence(line) or short_item or line.fenced or is_heading_like(line)


def _without_page_lists(lines: Sequence[Line], asking: Sequence[int]) -> list[int]:
    """Less the lists that stand before and after the questions and do not read as questions where most others do."""
    reading = [i for i in asking if reads_as_question(lines[i].text)]
    if len(reading) < _MOSTLY * len(asking) or not reading:
        return list(asking)
    return [i for i in asking if reading[0] <= i <= reading[-1]]


def _section_above(lines: Sequence[Line], at: int) -> str | None:
    """A heading right above the first question, other than the document's first line, which is its title."""
    above = at - 1
    if above < 1 or not is_heading_like(lines[above]):
        return None
    apart = lines[above].after_blank or _is_complete(lines[above - 1])
    return lines[above].text.strip(" #*") if apart else None


def _loose(body: Sequence[Line]) -> list[int]:
    """The lines of running text that come after a finished bullet."""
    return [
        i
        for i in range(1, len(body))
        if not (body[i].is_bullet or body[i].is_lone_bullet or body[i].fenced or body[i].text[:1].isspace())
        and ends_sentence(body[i - 1])
        and not body[i].text[:1].islower()
    ]


def _own_lines(body: Sequence[Line]) -> Sequence[Line]:
    """The lines up to a heading, with which another section begins or the page ends."""
    for i in range(1, len(body)):
        line, before = body[i], body[i - 1]
        goes_on = i + 1 < len(body) and body[i + 1].text[:1].islower()
        if is_heading_like(line) and (line.after_blank or _is_complete(before)) and not goes_on:
            return body[:i]
    return body


def _answer(body: Sequence[Line], vocabulary: Vocabulary) -> str:
    """The list as Markdown; a single bullet, or one that leads the others in, as a paragraph."""
    parts: list[list[Line]] = []
    for line in body:
        if not parts or line.is_bullet or line.is_lone_bullet:
            parts.append([line])
        else:
            parts[-1].append(line)
    texts = [markdown_item(_text(part, vocabulary)) for part in parts]
    if len(texts) > 1 and not texts[0].endswith(":"):
        return "\n".join(texts)
    lead = Line(texts[0]).content
    return "\n\n".join(part for part in (lead, "\n".join(texts[1:])) if part)


def _text(part: Sequence[Line], vocabulary: Vocabulary) -> str:
    """One bullet: its broken lines joined, unless their indentation shows that they were meant to be so."""
    first, *rest = part
    if any(line.fenced or line.text[:1].isspace() for line in rest):
        return "\n".join(("\n" if line.after_blank else "") + line.text for line in part)
    if first.is_lone_bullet:
        return "- " + join_spans([line.text for line in rest], vocabulary)
    indent = first.text[: len(first.text) - len(first.text.lstrip())]
    return indent + join_spans([line.text for line in part], vocabulary)
