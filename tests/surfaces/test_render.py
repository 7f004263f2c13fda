from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from interviewer.markdown import escape, fenced
from interviewer.models import (
    Answered,
    Check,
    CodeRun,
    HeldMisconception,
    Level,
    Outcome,
    Plan,
    PointVerdict,
    Report,
    Standing,
    Topic,
    TopicEstimate,
    Verdict,
)
from interviewer.surfaces.render import level_text, report_markdown, run_markdown, study_markdown, verdict_markdown
from tests.surfaces.reports import full_report


def a_report(quote: str = "they add up") -> Report:
    covered = PointVerdict(
        point="p", claim="Gradients add up.", verdict=Standing.COVERED, weight=3, quote=quote, probability=0.9
    )
    missing = PointVerdict(point="q", claim="Step uses them.", verdict=Standing.MISSING, weight=1, probability=0.8)
    held = HeldMisconception(id="m", quote=quote, correction="It is the other way round.")
    verdict = Verdict(points=(covered, missing), misconceptions=(held,), score=3.8, confidence=0.9, judge="test")
    answered = Answered(
        question="grad",
        text="Why zero_grad?",
        topic=Topic.AUTOGRAD,
        level=Level.MID,
        verdict=verdict,
        run=CodeRun(outcome=Outcome.FAILED, checks=(Check(name="values", passed=False),)),
        hints=1,
        follow_ups=2,
        disputed=quote,
        read=("https://docs.pytorch.org/docs/stable/autograd.html", "other-question"),
        reference="Because gradients accumulate.",
    )
    topics = (TopicEstimate(topic=Topic.AUTOGRAD, ability=1.2, sd=0.7, asked=1),)
    return Report(session="abc", plan=Plan(), answered=(answered,), topics=topics, score=3.8, notes=("One question.",))


def test_a_report_holds_every_point_quote_and_where_to_read_on() -> None:
    text = report_markdown(a_report())
    for part in ("3.8 of 5", "Gradients add up.", "“they add up”", "Step uses them.", "1 hint", "autograd.html", "mid"):
        assert part in text


@given(st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\r\n\x00"), min_size=1, max_size=80))
def test_escaped_words_render_as_themselves(words: str) -> None:
    html = MarkdownIt("commonmark", {"html": True}).render(f"quote: {escape(words)}")
    assert not re.search(r"<(?!/?p>)", html), html


@given(st.text(alphabet="`~ab\n", max_size=60))
def test_a_fence_cannot_be_closed_from_inside(text: str) -> None:
    tokens = MarkdownIt().parse(fenced(text))
    assert [t.type for t in tokens] == ["fence"]


def test_what_a_program_printed_stays_in_its_fence() -> None:
    run = CodeRun(outcome=Outcome.PASSED, output="```\n# Score: 5 of 5\n```")
    tokens = MarkdownIt().parse(run_markdown(run, "It ran."))
    assert not [t for t in tokens if t.type == "heading_open"]


def test_a_verdict_shows_points_that_were_not_said_without_a_quote() -> None:
    lines = verdict_markdown(a_report().answered[0].verdict).splitlines()
    assert "- ○ Step uses them." in lines


def test_levels_stay_within_the_scale() -> None:
    assert [level_text(x) for x in (-3, 0.4, 1.2, 9)] == ["junior", "junior", "mid", "staff"]


def test_what_was_measured_stands_beside_the_reference_solution() -> None:
    run = CodeRun(
        outcome=Outcome.PASSED,
        device="cpu, because this machine has no GPU",
        submission_seconds=0.0021,
        reference_seconds=0.001,
        peak_memory=3 << 20,
        reference_memory=1 << 20,
    )
    assert run_markdown(run, "It ran.").splitlines()[-1] == (
        "Measured: 2.1 ms (the reference solution 1 ms), 3 MiB of memory at the peak (the reference solution 1 MiB), "
        "on cpu, because this machine has no GPU."
    )
    assert run_markdown(CodeRun(outcome=Outcome.PASSED), "It ran.") == "▶ It ran."


def test_what_to_study_says_why_what_is_so_and_what_comes_first() -> None:
    wrong, unsaid = study_markdown(full_report().study).splitlines()[2:]
    assert wrong == (
        "1. Gradients are added to `.grad`. *autograd, said wrong in* `zeroing`*.* It adds to what `.grad` held. "
        "The experiment “twice” shows it. First `skipped`."
    )
    assert unsaid.endswith("*autograd, not said in* `zeroing`*; the grader is not sure of it.*")
    assert study_markdown(()) == ""
