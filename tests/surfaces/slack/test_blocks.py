"""Markdown as blocks: what it says is all there, in its place, within Slack's limits, and words stay words."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviewer.interview.plan import parse_plan, wish_in
from interviewer.markdown import escape, fenced
from interviewer.models import Part, PartKind, Role, Turn
from interviewer.store import Practised
from interviewer.surfaces.slack.blocks import buttons, messages, note, spoken, standings_message, turn_blocks, working
from interviewer.surfaces.slack.rich import blocks_of
from interviewer.surfaces.slack.wishes import PROMPTS, Request, plan_of_command, request_in
from tests.surfaces.slack.bounds import links, refusal, words

DOCUMENT = """# Report

> A note

Words **bold** and *so* `x_y` and [docs](https://pytorch.org) [no](javascript:alert) <https://a.b>

| Topic | Level |
|---|---|
| data | mid |

- ✓ one
- ✗ two

  ```text
  why
  ```
- three
  - inner

3. third
4. fourth

> Quoted
>
> ```python
> x = 1
> ```
"""


def elements(blocks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [e for block in blocks if block["type"] == "rich_text" for e in block["elements"]]


def test_a_document_comes_whole_and_in_order() -> None:
    blocks = blocks_of(DOCUMENT)
    assert blocks[0] == {"type": "header", "text": {"type": "plain_text", "text": "Report", "emoji": False}}
    kinds = [e["type"].removeprefix("rich_text_") for e in elements(blocks)]
    assert kinds == [
        "quote", "section", "preformatted", "list", "preformatted", "list", "list", "list", "quote", "preformatted",
    ]  # fmt: skip
    assert elements(blocks)[2]["elements"][0]["text"] == "Topic  Level\n-----  -----\ndata   mid"
    assert elements(blocks)[7]["offset"] == 2 and elements(blocks)[6]["indent"] == 1
    assert links(blocks) == ["https://pytorch.org", "https://a.b"]
    assert not refusal("chat.postMessage", {"channel": "D", "text": "x", "blocks": blocks})


def test_formatting_is_slacks_own() -> None:
    [section] = elements(blocks_of("**bold** *so* `x_y` plain ***both***"))
    styles = {e["text"]: e.get("style") for e in section["elements"]}
    assert styles["bold"] == {"bold": True} and styles["so"] == {"italic": True} and styles["x_y"] == {"code": True}
    assert styles["both"] == {"bold": True, "italic": True} and styles[" plain "] is None


def test_paragraphs_are_parted() -> None:
    [section] = elements(blocks_of("one\n\ntwo"))
    assert [e["text"] for e in section["elements"]] == ["one", "\n\n", "two"]


@given(st.text(max_size=300))
def test_quoted_words_come_out_as_they_went_in_and_are_never_a_link(said: str) -> None:
    line = " ".join(said.split())
    blocks = blocks_of(f"You wrote “{escape(line)}”.")
    shown = words([e["elements"] for e in elements(blocks)]).replace("\n", "") if line else ""
    assert not links(blocks)
    if line.isascii():
        assert "".join(line.split()) in "".join(shown.split())


@given(st.text(alphabet="`<>&*_~!@#|[]() \nabc", max_size=200))
def test_whatever_is_shown_is_a_payload_that_slack_takes(said: str) -> None:
    for markdown in (said, fenced(said), escape(said), f"- {said}", f"> {said}", f"# {said}"):
        for message in (note(markdown), working("grading…", markdown)):
            if message.text and message.blocks:
                assert not refusal(
                    "chat.update", {"channel": "D", "ts": "1", "text": message.text, "blocks": message.blocks}
                )


def test_long_things_are_parted_and_nothing_is_lost() -> None:
    output = "\n".join(f"line {n} " + "x" * 60 for n in range(500))
    items = "\n".join(f"- item {n} " + "y" * 90 for n in range(200))
    turn = Turn(
        seq=4,
        role=Role.INTERVIEWER,
        parts=(
            Part(kind=PartKind.SAY, text="word " * 3000),
            Part(kind=PartKind.SAY, text=fenced(output)),
            Part(kind=PartKind.QUESTION, text=items),
            Part(kind=PartKind.SAY, text="\n\n---\n\n".join(["p"] * 80)),
        ),
    )
    under_it = buttons("s", 4, ended=False, exam=False, page=True)
    pages = messages(spoken(turn), [*turn_blocks(turn), under_it])
    for page in pages:
        assert not refusal("chat.postMessage", {"channel": "D", "text": page.text, "blocks": page.blocks})
    shown = words([page.blocks for page in pages])
    assert shown.count("word") == 3000
    assert all(f"line {n} " in shown for n in range(500)) and all(f"item {n} " in shown for n in range(200))
    assert [b["type"] for page in pages for b in page.blocks].count("actions") == 1


def test_a_heading_that_is_too_long_for_a_header_is_bold() -> None:
    blocks = blocks_of("# " + "long " * 60)
    assert blocks[0]["type"] == "rich_text" and elements(blocks)[0]["elements"][0]["style"] == {"bold": True}


def test_an_exam_offers_neither_hints_nor_disputes() -> None:
    labels = [e["text"]["text"] for e in buttons("s", 2, ended=False, exam=True, page=False)["elements"]]
    assert labels == ["Skip", "End"]


def test_standings_are_bounded_and_names_are_words() -> None:
    many = [Practised(f"<!channel> {'n' * 200} {n}", n, "2026-11-01T10:00:00") for n in range(400)]
    message = standings_message(many)
    assert not refusal("response_url", {"text": message.text, "blocks": message.blocks})


def test_notifications_say_what_is_asked() -> None:
    turn = Turn(
        seq=0,
        role=Role.INTERVIEWER,
        parts=(Part(kind=PartKind.SAY, text="Hello."), Part(kind=PartKind.QUESTION, text="What is `a < b`?")),
    )
    assert messages(spoken(turn), turn_blocks(turn))[0].text == "What is a &lt; b?"
    assert messages("x", [])[:1] == []


# --- wishes ---------------------------------------------------------------------------------------


def test_every_suggestion_is_understood() -> None:
    assert all(parse_plan(says) is not None for _, says in PROMPTS)
    assert wish_in(PROMPTS[-1][1])


@pytest.mark.parametrize(
    ("text", "level", "topics", "minutes"),
    [
        ("", "mid", (), 30),
        ("senior", "senior", (), 30),
        ("autograd", "mid", ("autograd",), 30),
        ("senior autograd data 20", "senior", ("autograd", "data"), 20),
        ("20 junior", "junior", (), 20),
        ("staff distributed 45 minutes", "staff", ("distributed",), 45),
        ("45m staff", "staff", (), 45),
        ("3 questions on training", "mid", ("training",), 30),
    ],
)
def test_level_topics_and_minutes_are_read(text: str, level: str, topics: tuple[str, ...], minutes: int) -> None:
    plan = plan_of_command(text)
    assert plan is not None
    assert (plan.level, tuple(t.value for t in plan.topics), plan.minutes) == (level, topics, minutes)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("standings", Request.STANDINGS), ("Standings  JOIN", Request.JOIN), ("standings leave", Request.LEAVE),
        ("forget me", Request.FORGET), ("help", Request.HELP), ("me about the moon", Request.HELP), ("exam 20", Request.BEGIN),
        ("what I'm worst at", Request.BEGIN),
    ],
)  # fmt: skip
def test_requests_are_told_apart(text: str, wanted: Request) -> None:
    assert request_in(text) is wanted
