"""Random questions and answers for documents that are written in a shape and read back."""

from __future__ import annotations

from collections.abc import Iterable

from hypothesis import strategies as st

from interviewer.bank.documents import Document

_WORDS = (
    "table row index lock page log shard replica node disk cache queue token batch schema merge quorum lease".split()
)
_OPENINGS = "What How Why Explain Describe Compare Define".split()

words = st.sampled_from(_WORDS)
questions = st.builds(
    lambda opening, middle, end: f"{opening} {' '.join(middle)}{end}",
    st.sampled_from(_OPENINGS),
    st.lists(words, min_size=2, max_size=7),
    st.sampled_from(["?", "", "."]),
)
sentences = st.builds(
    lambda first, rest: f"{first.capitalize()} {' '.join(rest)}.", words, st.lists(words, min_size=4, max_size=9)
)
paragraphs = st.lists(sentences, min_size=1, max_size=3).map(" ".join)
titles = st.builds(lambda first, second: f"{first} {second}".title(), words, words)


def asked(document: Document) -> list[str]:
    return [question.question for question in document.questions]


def answers(document: Document) -> list[str]:
    return [question.answer for question in document.questions]


def sections(document: Document) -> list[str | None]:
    return [question.section for question in document.questions]


def flat(text: str) -> str:
    return " ".join(text.split())


def everything(document: Document) -> str:
    return " ".join(_parts(document))


def _parts(document: Document) -> Iterable[str]:
    for question in document.questions:
        yield question.question
        yield question.answer
        if question.choice:
            yield from (question.choice.question, *question.choice.options, question.choice.explanation)
