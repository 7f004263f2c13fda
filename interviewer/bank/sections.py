"""The ``##`` sections of a question file: prose, code blocks, and submissions with what must become of them.

Promises that every mistake in them comes with its line. Knows the order and the form of sections, not what they mean.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Generic, TypeVar

from markdown_it.token import Token

from interviewer.markdown import one_line

PROSE_SECTIONS = ("Answer", "In depth")
CODE_SECTIONS = ("Starter", "Judge", "Solution")
RIGHT, WRONG, EXPERIMENT = "Right: ", "Wrong: ", "Experiment: "
SAYS = "What the interviewer says to it: "
PRINTS, SHOWS = "Prints:", "What it shows: "

Content = TypeVar("Content", str, dict[str, Any])


@dataclass(frozen=True)
class Section(Generic[Content]):
    line: int
    content: Content


@dataclass
class Sections:
    """``texts`` by title; ``experiments`` and ``submissions`` in their order, as the values of an Experiment and a
    Submission."""

    texts: dict[str, Section[str]] = field(default_factory=dict)
    experiments: list[Section[dict[str, Any]]] = field(default_factory=list)
    submissions: list[Section[dict[str, Any]]] = field(default_factory=list)


class _Wrong(Exception):
    pass


def read_sections(tokens: list[Token], lines: list[str], *, has_task: bool) -> tuple[Sections, list[tuple[int, str]]]:
    """The sections, and the mistakes in them as (line, message)."""
    starts = [
        (token.map[0], tokens[i + 1].content)
        for i, token in enumerate(tokens)
        if token.type == "heading_open" and token.tag == "h2" and token.level == 0 and token.map
    ]
    found = Sections()
    titles: set[str] = set()
    mistakes: list[tuple[int, str]] = []
    for (line, title), (end, _) in pairwise([*starts, (len(lines), "")]):
        inside = [t for t in tokens if t.map and t.level == 0 and line < t.map[0] < end]
        try:
            if title in titles:
                raise _Wrong(f"the section {title!r} stands twice")
            titles.add(title)
            if title in PROSE_SECTIONS:
                found.texts[title] = Section(line + 1, "\n".join(lines[line + 1 : end]).strip())
            elif title in CODE_SECTIONS:
                found.texts[title] = Section(line + 1, _only_block(title, inside))
            elif title.startswith(EXPERIMENT):
                found.experiments.append(Section(line + 1, _experiment(title, inside, lines)))
            elif title.startswith((RIGHT, WRONG)):
                found.submissions.append(Section(line + 1, _submission(title, inside, lines)))
            else:
                known = ", ".join(PROSE_SECTIONS + CODE_SECTIONS)
                raise _Wrong(f"unknown section {title!r}; there are {known}, and {EXPERIMENT}…, {RIGHT}… and {WRONG}…")
        except _Wrong as wrong:
            mistakes.append((line + 1, str(wrong)))
    return found, mistakes + _amiss(found, titles, has_task=has_task)


def _amiss(found: Sections, titles: set[str], *, has_task: bool) -> list[tuple[int, str]]:
    """What is missing, and what stands there without a task."""
    mistakes = []
    if "Answer" not in found.texts or not found.texts["Answer"].content:
        mistakes.append((1, "there is no section ## Answer with the reference answer"))
    if has_task:
        missing = [title for title in CODE_SECTIONS if title not in titles]
        return mistakes + [(1, f"a question with a task needs the section ## {title}") for title in missing]
    idle = [(section.line, f"## {title}") for title, section in found.texts.items() if title in CODE_SECTIONS]
    idle += [(section.line, "a submission") for section in found.submissions]
    return mistakes + [(line, f"{what} stands here, but there is no task") for line, what in idle]


def _only_block(title: str, inside: list[Token]) -> str:
    if [token.type for token in inside] != ["fence"]:
        raise _Wrong(f"{title} holds one fenced python block and nothing else")
    return inside[0].content


def _experiment(title: str, inside: list[Token], lines: list[str]) -> dict[str, Any]:
    """A block of code, the block of what it prints, and a sentence on what that shows."""
    blocks = [token for token in inside if token.type == "fence"]
    if len(blocks) != 2:
        raise _Wrong(f"{title!r} needs two fenced blocks, the code and what it prints")
    code, prints = blocks
    if _text(inside, lines, before=code):
        raise _Wrong(f"{title!r} begins with its code")
    if _text(inside, lines, after=code, before=prints) != PRINTS:
        raise _Wrong(f"in {title!r}, the line {PRINTS!r} stands between the code and what it prints")
    shows = _text(inside, lines, after=prints)
    if not shows.startswith(SHOWS):
        raise _Wrong(f"after its blocks, {title!r} needs a paragraph that begins with {SHOWS.strip()!r}")
    name = title[len(EXPERIMENT) :].strip()
    return {"name": name, "code": code.content, "prints": prints.content, "shows": shows.removeprefix(SHOWS)}


def _submission(title: str, inside: list[Token], lines: list[str]) -> dict[str, Any]:
    """A fenced block; before it, in a wrong one, what it fails, and after it what is said to it."""
    right = title.startswith(RIGHT)
    blocks = [token for token in inside if token.type == "fence"]
    if len(blocks) != 1:
        raise _Wrong(f"{title!r} needs one fenced python block")
    [block] = blocks
    values: dict[str, Any] = {"name": title[len(RIGHT) :].strip(), "right": right, "code": block.content}
    before, after = _text(inside, lines, before=block), _text(inside, lines, after=block)
    if right:
        if before or after:
            raise _Wrong(f"{title!r} holds one fenced python block and nothing else")
        return values
    if before.startswith("Fails: "):
        values["fails"] = [name.strip() for name in before.removeprefix("Fails: ").split(",")]
    elif before.startswith("Ends: "):
        values["ends"] = before.removeprefix("Ends: ")
    else:
        raise _Wrong(f"{title!r} begins with a line `Fails: check, check` or `Ends: timeout` (oom, violation)")
    if not after.startswith(SAYS):
        raise _Wrong(f"after its block, {title!r} needs a paragraph that begins with {SAYS.strip()!r}")
    return values | {"says": after.removeprefix(SAYS)}


def _text(inside: list[Token], lines: list[str], *, after: Token | None = None, before: Token | None = None) -> str:
    """The prose between two blocks, on one line."""
    found = [
        one_line("\n".join(lines[token.map[0] : token.map[1]]))
        for token in inside
        if token.type != "fence"
        and token.map
        and (after is None or (after.map and token.map[0] >= after.map[1]))
        and (before is None or (before.map and token.map[1] <= before.map[0]))
    ]
    return " ".join(found).strip()
