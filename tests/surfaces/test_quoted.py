from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviewer.models import HeldMisconception, Standing, Verdict
from interviewer.surfaces.quoted import Block, marked, marks_of
from tests.surfaces.reports import point


def verdict(*quotes: str, held: str = "") -> Verdict:
    points = tuple(point(f"p{n}", Standing.COVERED, quote) for n, quote in enumerate(quotes))
    misconceptions = (HeldMisconception(id="m", quote=held, correction="Not so."),) if held else ()
    return Verdict(points=points, misconceptions=misconceptions, score=1.0, confidence=1.0, judge="told")


def told(blocks: list[Block]) -> list[tuple[bool, list[tuple[str, int]]]]:
    return [(block.code, [(piece.text, len(piece.marks)) for piece in block.pieces]) for block in blocks]


def test_quotes_that_overlap_share_the_words_between_them() -> None:
    [blocks] = marked(["one two three four"], verdict("one two three", "three four"))
    assert told(blocks) == [(False, [("one two ", 1), ("three", 2), (" four", 1)])]


def test_a_quote_is_marked_where_it_first_stands_and_nowhere_else() -> None:
    first, second = marked(["it adds up", "it adds up"], verdict("adds"))
    assert told(first) == [(False, [("it ", 0), ("adds", 1), (" up", 0)])]
    assert told(second) == [(False, [("it adds up", 0)])]


def test_code_stands_apart_with_its_indentation_and_may_be_quoted() -> None:
    [blocks] = marked(["Look:\n\n```python\n    x = 1\n    y = 2\n```\n\nDone."], verdict("y = 2"))
    assert told(blocks) == [
        (False, [("Look:", 0)]),
        (True, [("    x = 1\n    ", 0), ("y = 2", 1)]),
        (False, [("Done.", 0)]),
    ]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_any_line_end_will_do_and_a_fence_need_not_be_closed(end: str) -> None:
    [blocks] = marked([end.join(["a", "```", "x = 1", "y = 2"])], verdict())
    assert told(blocks) == [(False, [("a", 0)]), (True, [(f"x = 1{end}y = 2", 0)])]


def test_a_misconception_that_no_point_quotes_is_marked_with_its_correction() -> None:
    [mark] = marks_of(verdict(held="it overwrites"))
    assert (mark.quote, mark.standing, mark.says) == ("it overwrites", Standing.CONTRADICTED, "Not so.")


@given(
    st.text(alphabet="ab `~\n\r", max_size=40), st.lists(st.text(alphabet="ab `\n", min_size=1, max_size=6), max_size=3)
)
def test_nothing_that_was_said_is_lost_but_fences_and_white_space(reply: str, quotes: list[str]) -> None:
    [blocks] = marked([reply], verdict(*quotes))
    said = "".join(piece.text for block in blocks for piece in block.pieces)
    assert said.count("a") == reply.count("a") - _in_fence_lines(reply, "a")
    left = iter(reply)
    assert all(character in left for character in said), "in order"


def _in_fence_lines(reply: str, character: str) -> int:
    """What stands behind the backticks that open a block names its language, and is no code."""
    from interviewer.markdown import fence_lines

    lines = reply.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return sum(lines[first].count(character) for first, _, _ in fence_lines(reply))
