"""Plain text whose questions are lines "1. …", "2. …" in sequence, some of them glued to the end of the line before.

The sequence tells a question from a numbered list inside an answer: of all the chains of rising numbers the one that
leads through most answered questions is taken, and lists that count from 1 on neighbouring lines are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from interviewer.bank.documents.asking import bare_question, some_read_as_questions
from interviewer.bank.documents.code_lines import is_code, open_brackets
from interviewer.bank.documents.lines import Line, ends_sentence, is_heading_like, title_of
from interviewer.bank.documents.markdown import strip_answer_label
from interviewer.bank.documents.page import Page
from interviewer.bank.documents.plain import to_markdown
from interviewer.bank.documents.values import DocumentQuestion, Reading
from interviewer.bank.documents.vocabulary import Vocabulary

_at_start = re.compile(r"^(?:Q(?:uestion)?\.?\s*)?(\d{1,4})\s*[.):]\s+(?=\S)", re.IGNORECASE)
_glued = re.compile(r"(?<=\S)(?=[1-9]\d{0,3}[.)]\s+[A-Z\"'`“‘])")
_version = re.compile(r"\d\.$")
_new_sentence = re.compile(r"[.!?]\s+[A-Z]")
_MOST_GLUED_WORDS = 25
_FEWEST_QUESTIONS = 2
_ANSWERED, _GLUED, _GAP = 10, 2, 15
_LARGEST_GAP = 3


@dataclass(frozen=True)
class _Heading:
    line: int
    column: int  # where the number begins; 0 unless it is glued to what stands before
    number: int


def read(page: Page) -> Reading | None:
    lines = page.lines
    headings = _best_chain(_candidates(lines))
    asked = [bare_question(lines[heading.line].text[heading.column :])[1] for heading in headings]
    if len(headings) < _FEWEST_QUESTIONS or not some_read_as_questions(asked):
        return None
    vocabulary = Vocabulary.of(page.text)
    section = _section_above(lines, headings[0], begin=0)
    bodies: list[Sequence[Line]] = []
    questions: list[DocumentQuestion] = []
    for heading, following, question in zip(headings, [*headings[1:], None], asked, strict=True):
        body = _body(lines, heading, following)
        next_section = _section_above(lines, following, begin=heading.line + 1) if following else None
        if following is None:
            body = _without_closing(body, bodies)
        elif next_section:
            body = body[:-1]
        bodies.append(body)
        answer = strip_answer_label(to_markdown(body, vocabulary))
        questions.append(DocumentQuestion(section=section, number=heading.number, question=question, answer=answer))
        section = next_section or section
    return Reading(title=title_of(lines) if headings[0].line else None, questions=tuple(questions))


def _candidates(lines: Sequence[Line]) -> list[_Heading]:
    """Every place where a numbered question may begin, in the order of the text."""
    listed = _lists_within(lines)
    found: list[_Heading] = []
    for at, line in enumerate(lines):
        if line.fenced or line.text[:1].isspace():
            continue
        if match := _at_start.match(line.text):
            if at not in listed:
                found.append(_Heading(at, 0, int(match[1])))
            continue
        for seam in _glued.finditer(line.text):
            rest = line.text[seam.start() :]
            before = line.text[: seam.start()]
            number, question = bare_question(rest)
            plausible = len(question.split()) <= _MOST_GLUED_WORDS and not _new_sentence.search(question)
            if number and plausible and not _version.search(before) and open_brackets(before) == 0:
                found.append(_Heading(at, seam.start(), number))
    return found


def _lists_within(lines: Sequence[Line]) -> set[int]:
    """The lines of lists that count 1, 2, … on neighbouring lines: contents, and steps inside answers."""
    numbers = [int(m[1]) if (m := _at_start.match(line.text)) and not line.fenced else 0 for line in lines]
    listed: set[int] = set()
    for at, number in enumerate(numbers):
        if number == 1:
            end = at + 1
            while end < len(numbers) and numbers[end] == end - at + 1:
                end += 1
            if end - at > 1:
                listed.update(range(at, end))
    return listed


def _best_chain(candidates: Sequence[_Heading]) -> list[_Heading]:
    """The chain from 1 upwards with the highest score; on equal scores the one that ends first."""
    best: dict[int, tuple[int, _Chain]] = {}
    for heading in candidates:
        options: list[tuple[int, _Chain | None]] = [(0, None)] if heading.number == 1 else []
        for gap in range(_LARGEST_GAP):
            if before := best.get(heading.number - 1 - gap):
                score, chain = before
                unanswered = heading.column == 0 and chain.heading.line == heading.line - 1
                options.append((score - _GAP * gap - (_ANSWERED if unanswered else 0), chain))
        if options:
            reached, through = max(options, key=lambda option: option[0])
            total = reached + _ANSWERED - (_GLUED if heading.column else 0)
            if heading.number not in best or total > best[heading.number][0]:
                best[heading.number] = (total, _Chain(heading, through))
    if not best:
        return []
    return max(best.values(), key=lambda scored: scored[0])[1].headings()


@dataclass(frozen=True)
class _Chain:
    heading: _Heading
    before: _Chain | None

    def headings(self) -> list[_Heading]:
        found: list[_Heading] = []
        link: _Chain | None = self
        while link:
            found.append(link.heading)
            link = link.before
        return found[::-1]


def _body(lines: Sequence[Line], here: _Heading, following: _Heading | None) -> Sequence[Line]:
    """What stands between two headings."""
    if following is None:
        return lines[here.line + 1 :]
    body = list(lines[here.line + 1 : following.line])
    if following.column and following.line > here.line:
        line = lines[following.line]
        body.append(Line(line.text[: following.column], after_blank=line.after_blank))
    return body


def _section_above(lines: Sequence[Line], heading: _Heading, *, begin: int) -> str | None:
    """A title right above a question that starts a line, and stands apart from the answer before it."""
    above = heading.line - 1
    if heading.column or above < max(begin, 1) or not is_heading_like(lines[above]):
        return None
    if is_code(lines[above].text) or _at_start.match(lines[above].text):
        return None
    apart = begin == 0 or lines[above].after_blank or ends_sentence(lines[above - 1])
    return lines[above].text.strip(" #*") if apart else None


def _without_closing(body: Sequence[Line], others: Sequence[Sequence[Line]]) -> Sequence[Line]:
    """The last answer without what the page says after it: from a title with text below it, or from a list of
    links that no other answer has the like of."""
    lists_are_usual = any(line.is_bullet for other in others for line in other)
    for at in range(1, len(body) - 1):
        line, before, below = body[at], body[at - 1], body[at + 1]
        apart = line.after_blank or ends_sentence(before)
        titled = is_heading_like(line) and apart and not is_code(line.text) and not is_code(below.text)
        listed = below.is_bullet and not lists_are_usual and line.text.rstrip().endswith(":")
        if titled or listed:
            return body[:at]
    return body
