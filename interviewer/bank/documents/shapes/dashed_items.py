"""Lists that a scraper flattened: a lone dash, the question on the lines below it, and a bullet "Answer:".

Such pages break the line before every code span, glue bullets to the end of lines, and repeat the first line of
each outer bullet where that bullet ends. Nesting of bullets is lost and is not guessed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from interviewer.bank.documents.code_lines import is_sentence
from interviewer.bank.documents.lines import Line, ends_sentence, is_heading_like, title_of
from interviewer.bank.documents.page import Page
from interviewer.bank.documents.repair import join_spans
from interviewer.bank.documents.values import DocumentQuestion, Reading
from interviewer.bank.documents.vocabulary import Vocabulary

_answer_mark = re.compile(
    r"(?:^|(?<=[?.!:;)\w`\"'”’]))\s*[-*•–]\s*\**(?:answer|ans|a|solution)\**\s*:\**[ \t]*", re.IGNORECASE
)
_plain_start = re.compile(r"[A-Z][a-z'’]*,?\s")
_glued_bullet = re.compile(r"(?<=[.?!:])\s*(?=[-•]\s+\S)")


def read(page: Page) -> Reading | None:
    lines = page.lines
    items = _items(lines)
    if not items:
        return None
    vocabulary = Vocabulary.of(page.text)
    questions: list[DocumentQuestion] = []
    text_follows = False
    section = _section_before(lines, items[0][0], first=True)
    for start, end in items:
        body = lines[start + 1 : end]
        following = _section_before(lines, end, first=False) if end < len(lines) else None
        running = _running_text(body)
        if following:
            body = body[:-1]
        elif end == len(lines) and running and not text_follows:
            body = body[:running]
        text_follows = text_follows or running is not None
        if question := _question(body, section, vocabulary):
            questions.append(question)
        section = following or section
    return Reading(title=title_of(lines), questions=tuple(questions))


def _running_text(body: Sequence[Line]) -> int | None:
    """Where sentences of plain words begin below a finished one. After the last answer they are the page's, unless
    other answers have such lines: a line that goes on with an answer begins with a code span."""
    for at in range(1, len(body)):
        text = body[at].text.strip()
        finished = body[at - 1].text.rstrip().endswith((".", "!", "…"))
        if finished and not body[at].fenced and _plain_start.match(text) and is_sentence(text):
            return at
    return None


def _items(lines: Sequence[Line]) -> list[tuple[int, int]]:
    """Where the items begin and end. A lone bullet without an answer below it belongs to the item before."""
    bullets = [i for i, line in enumerate(lines) if line.is_lone_bullet]
    starts = [
        start
        for start, end in pairwise([*bullets, len(lines)])
        if any(_answer_mark.search(line.text) for line in lines[start + 1 : end] if not line.fenced)
    ]
    return list(pairwise([*starts, len(lines)]))


def _section_before(lines: Sequence[Line], item: int, *, first: bool) -> str | None:
    """The heading directly above an item. The document's first line is its title and no section."""
    above = item - 1
    if above < 1 or not is_heading_like(lines[above]):
        return None
    before = lines[above - 1]
    standing_alone = first or before.is_bullet or ends_sentence(before) or lines[above].after_blank
    return lines[above].text.strip(" #*") if standing_alone else None


def _question(body: Sequence[Line], section: str | None, vocabulary: Vocabulary) -> DocumentQuestion | None:
    at = next(i for i, line in enumerate(body) if _answer_mark.search(line.text))
    mark = _answer_mark.search(body[at].text)
    if mark is None:
        return None
    asked = [*(line.text for line in body[:at]), body[at].text[: mark.start()]]
    question = join_spans([line for line in asked if line.strip()], vocabulary)
    bullets = _bullets([Line(body[at].text[mark.end() :]), *body[at + 1 :]])
    answer = _markdown(bullets, vocabulary)
    return DocumentQuestion(section=section, question=question, answer=answer) if len(question) > 2 else None


def _bullets(lines: Sequence[Line]) -> list[list[str]]:
    """The answer's bullets, each as its lines; the first is what stands before any bullet."""
    bullets: list[list[str]] = [[""]]
    for number, line in enumerate(lines):
        if (number and _answer_mark.match(line.text)) or _is_page(lines, number):
            break
        for part in [line.text] if line.fenced else _glued_bullet.split(line.text):
            if not line.fenced and Line(part).is_bullet:
                bullets.append([Line(part).content])
            elif number == 0:
                bullets[0] = [part]
            else:
                bullets[-1].append(part)
    return _without_echoes(bullets)


def _is_page(lines: Sequence[Line], number: int) -> bool:
    """A heading with running text below it ends an answer that no repeated "Answer:" has ended."""
    return (
        0 < number < len(lines) - 1
        and is_heading_like(lines[number])
        and (ends_sentence(lines[number - 1]) or lines[number].after_blank)
        and not lines[number + 1].fenced
    )


def _without_echoes(bullets: Sequence[list[str]]) -> list[list[str]]:
    """Less the bullets of one line that only repeat how an earlier one begins."""
    begun: set[str] = set()
    kept: list[list[str]] = []
    for bullet in bullets:
        first = bullet[0].strip()
        if len(bullet) != 1 or not first or first not in begun:
            kept.append(bullet)
        begun.add(first)
    return kept


def _markdown(bullets: Sequence[list[str]], vocabulary: Vocabulary) -> str:
    lead, *rest = [_text(bullet, vocabulary) for bullet in bullets]
    items = "\n".join("- " + item.replace("\n", "\n  ") for item in rest if item)
    return "\n\n".join(part for part in (lead, items) if part)


def _text(bullet: Sequence[str], vocabulary: Vocabulary) -> str:
    fences = [i for i, line in enumerate(bullet) if line.lstrip().startswith(("```", "~~~"))]
    if not fences:
        return join_spans(bullet, vocabulary)
    before, code = bullet[: fences[0]], bullet[fences[0] :]
    return "\n".join(part for part in (join_spans(before, vocabulary), *code) if part)
