from __future__ import annotations

import re
import warnings
from functools import cache

import pypdfium2
import pytest

from interviewer.models import Report
from interviewer.surfaces.quoted import marks_of
from interviewer.surfaces.report_pdf import report_pdf
from tests.surfaces.reports import CODE, EXPERIMENT, NASTY, SCRIPTS, answer, full_report, point


def text_of(content: bytes) -> str:
    """All words of the document, without white space: where lines and pages break is not what is asked."""
    document = pypdfium2.PdfDocument(content)
    pages = [document[n].get_textpage().get_text_range() for n in range(len(document))]
    return squeezed("".join(re.sub(r"Interview report · session \S+ \d+\s*$", "", page) for page in pages))


def squeezed(text: str) -> str:
    return re.sub(r"\s|\ufffe|\u00ad", "", text)


@cache
def full() -> bytes:
    return report_pdf(full_report())


def test_every_quote_point_and_reply_can_be_found_in_scripts_that_run_from_the_left() -> None:
    text = text_of(full())
    for answered in full_report().answered:
        for mark in marks_of(answered.verdict):
            assert squeezed(mark.quote) in text
        for verdict in answered.verdict.points:
            assert squeezed(verdict.claim.replace("`", "")) in text
    assert squeezed(SCRIPTS) in text


def test_all_that_the_report_says_is_in_it() -> None:
    text = text_of(full())
    said = (
        "Report·2.5of5", "Fewerthanfourquestions", "Studynext", "Theexperiment“twice”showsit.", "Firstskipped.",
        "thegraderisnotsureofit", "1hint", "howsure:80%", "◐halfsaid", "Itaddstowhat.gradheld.", "1of2checkspassed",
        "Disputed:", "Correctedbyareviewer:", "Agoodanswer", "Gradientsaccumulate", "loss.backward()", "Since0.4tensorsdoitthemselves.",
        "https://docs.pytorch.org/docs/stable/autograd.html", "other-question", "skipped", "Sessionabc123",
    )  # fmt: skip
    assert [words for words in said if words not in text] == []
    assert squeezed(EXPERIMENT) in text and squeezed(CODE) in text


def test_nothing_in_anybodys_words_is_a_command() -> None:
    assert text_of(full()).count(squeezed(NASTY)) >= 3
    document = pypdfium2.PdfDocument(full())
    assert b"/JavaScript" not in full() and b"/JS" not in full()
    assert len(document) < 6


def test_the_same_report_is_the_same_bytes() -> None:
    assert report_pdf(full_report()) == full()


def test_no_glyph_is_missing_and_frames_are_explained_where_there_are_any() -> None:
    assert "Acharacterinaframe" in text_of(full())
    plain = Report.model_validate({**full_report().model_dump(), "answered": ()})
    assert "Acharacterinaframe" not in text_of(report_pdf(plain))


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "\x00\x07\ud800 \ufffe",
        "x" * 5_000,
        "```\n" + "y" * 3_000 + "\n```",
        "a\n\n\n\nb\r\rc",
        "\t\tindented",
        "> ".join("q" * 80),
    ],
    ids=["nothing", "controls", "a long word", "a long line", "gaps", "tabs", "deep quotes"],
)
def test_whatever_was_said_can_be_set(reply: str) -> None:
    answered = answer("odd", (point("p", "missing"),), (reply,))
    report = full_report().model_copy(update={"answered": (answered,), "topics": ()})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(pypdfium2.PdfDocument(report_pdf(report))) >= 1


def test_a_long_report_breaks_into_pages_that_keep_every_question() -> None:
    many = tuple(
        answer(f"q{n}", (point("p", "covered", f"words {n}"),), (f"words {n} " + "and so on. " * 60,))
        for n in range(12)
    )
    content = report_pdf(full_report().model_copy(update={"answered": many}))
    assert len(pypdfium2.PdfDocument(content)) > 4
    assert all(f"“words{n}”" in text_of(content) for n in range(12))
