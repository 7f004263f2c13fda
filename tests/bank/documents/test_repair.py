"""Glued words are taken apart on evidence, and no letter ever changes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviewer.bank.documents.repair import join_spans
from interviewer.bank.documents.vocabulary import Vocabulary

PAGE = "Use pool.Lock, pool.acquire() and set_limit. The limit holds. A Pool.of(x), too; see pool.Lock. They attribute."


def letters(text: str) -> str:
    return "".join(c for c in text if c.isalnum())


@pytest.mark.parametrize(
    ("lines", "shown"),
    [
        (["Take a", "pool.Lockis free"], "Take a `pool.Lock` is free"),
        (["Take a", "pool.Lockholds on"], "Take a `pool.Lock` holds on"),
        (["Call", "pool.acquire()before"], "Call `pool.acquire()` before"),
        (["Call (", "pool.acquire()) first"], "Call (`pool.acquire()`) first"),
        (["It goes on withset_limit here"], "It goes on with set_limit here"),
        (["Between", "pool.Lockandpool.Gate"], "Between `pool.Lock` and pool.Gate"),
        (["Give", "None(no value) back"], "Give None (no value) back"),
    ],
)
def test_a_seam_that_the_document_shows_is_opened(lines: list[str], shown: str) -> None:
    assert join_spans(lines, Vocabulary.of(PAGE + "\n" + "\n".join(lines))) == shown


@pytest.mark.parametrize("line", ["within the pool", "login first", "pool.Lockfree code", "poolside", "forEach item"])
def test_a_word_without_such_evidence_is_left_whole(line: str) -> None:
    assert join_spans(["See", line], Vocabulary.of(f"{PAGE} Each log. With a side.\n{line}")) == f"See {line}"


@given(st.lists(st.text("aZ_.()` and withLock09-", min_size=1, max_size=30), max_size=6))
def test_no_letter_or_digit_is_changed_added_or_dropped(lines: list[str]) -> None:
    text = "\n".join([PAGE, *lines])
    assert letters(join_spans(lines, Vocabulary.of(text))) == letters("".join(lines))
