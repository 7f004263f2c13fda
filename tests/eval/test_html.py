"""The report as a page: whole, safe with hostile replies, and drawn by a real browser."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from playwright.sync_api import Browser, sync_playwright

from eval.html import blocks, figure, page
from interviewer.models import Standing
from tests.eval.samples import COVERED, MISSING, case, run_of, varied_pairs, verdict

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
HOSTILE = (
    "</div></svg><script>document.title='taken'</script><img src=x onerror=\"document.title='taken'\"> {{ 7*7 }} $\\x$"
)


class Read(HTMLParser):
    """The tags of a page with their attributes, and its text."""

    def __init__(self, html: str):
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.fixture(scope="module")
def hostile() -> str:
    """A page of a run in which every text that comes from outside is hostile."""
    labelled = {"adds": COVERED, "clears": MISSING}
    one = case(HOSTILE, 0, asked=HOSTILE, answer=f"Well. {HOSTILE}\n```\n{HOSTILE}\n```", style=HOSTILE)
    said = verdict(5, labelled, quote=HOSTILE)
    lost = case("lost", 1), None
    pairs = varied_pairs()
    figures: dict[str, Any] = run_of([*pairs, lost], HOSTILE)
    bad: dict[str, Any] = run_of([*[(c.model_copy(update={"style": HOSTILE}), v) for c, v in pairs]])
    figures["slices"]["style"] |= bad["slices"]["style"]
    figures["unscored_because"] = {HOSTILE: 1}
    row = {
        **figures["worst"][0],
        "id": one.id,
        "text": one.question,
        "answer": one.answer,
        "style": one.style,
        "points": [
            {**p.model_dump(mode="json"), "id": p.point, "claim": HOSTILE, "person": "missing", "by_run": False}
            for p in said.points
        ],
        "misconceptions": [HOSTILE],
    }
    figures["worst"] = [row, *figures["worst"]]
    return page(figures)


def test_words_from_outside_stay_words(hostile: str) -> None:
    read = Read(hostile)
    assert not [tag for tag, _ in read.tags if tag in ("script", "img", "iframe", "object", "link", "base")]
    assert not [attrs for _, attrs in read.tags if any(name.startswith("on") for name in attrs)]
    assert read.text.count(HOSTILE) >= 7, "id, question, reply, code, style, quote, claim"
    assert "49" not in re.findall(r"onerror=\S+ (\S+)", read.text)


def test_nothing_is_fetched(hostile: str) -> None:
    for tag, attrs in Read(hostile).tags:
        for name in ("src", "href", "xlink:href", "srcset", "action", "data"):
            value = attrs.get(name)
            assert value is None or value.startswith("#"), (tag, name, value)
    styles = "".join(re.findall(r"<style>(.*?)</style>", hostile, re.DOTALL))
    assert "@import" not in styles and "url(" not in styles
    assert set(re.findall(r"url\((.)", hostile)) <= {"#"}


def test_names_that_a_plot_refers_to_are_there_once(hostile: str) -> None:
    names = [attrs["id"] for _, attrs in Read(hostile).tags if "id" in attrs]
    assert len(names) == len(set(names))
    referred = set(re.findall(r'xlink:href="#([^"]+)"|url\(#([^)]+)\)', hostile))
    assert {a or b for a, b in referred} <= set(names)


def test_plots_take_every_colour_from_the_page(hostile: str) -> None:
    for svg in re.findall(r"<svg.*?</svg>", hostile, re.DOTALL):
        painted = re.findall(r"(?:fill|stroke|color): ([^;\"]+)", svg)
        assert painted and all(paint == "none" or paint.startswith("var(--") for paint in painted)


def test_every_worst_mistake_is_there_in_full() -> None:
    figures: Any = run_of(varied_pairs())
    text = Read(page(figures)).text
    assert figures["worst"]
    for row in figures["worst"]:
        assert row["answer"] in text and row["text"] in text and row["id"] in text
        assert all(p["claim"] in text and p["quote"] in text for p in row["points"])


def test_the_same_figures_give_the_same_page() -> None:
    figures: Any = run_of(varied_pairs(questions=5))
    assert page(figures) == page(figures)


def test_a_run_in_which_nothing_was_scored_has_a_page_that_says_why() -> None:
    text = Read(page(run_of([(case("a", 1), None)]))).text  # type: ignore[arg-type]
    assert "1 of 1 could not be scored" in text and "There is nothing to grade against." in text


def test_a_single_reply_has_a_page() -> None:
    assert "a single reply" in page(run_of([(case("a", 1, answer="a single reply"), verdict(2))]))  # type: ignore[arg-type]


def test_a_figure_that_is_not_there_is_a_dash() -> None:
    assert (figure(None), figure(-0.25, 2)) == ("–", "−0.25")


texts = st.text(st.sampled_from("ab .`~\n\t"), max_size=60)


@settings(deadline=None, max_examples=200)
@given(texts, st.lists(st.tuples(texts, st.sampled_from(list(Standing))), max_size=4))
def test_the_pieces_of_a_reply_are_the_reply(answer: str, quotes: list[tuple[str, Standing]]) -> None:
    found = blocks(answer, [{"quote": quote, "verdict": standing.value} for quote, standing in quotes])
    together = "".join(words for _, pieces in found for words, _ in pieces)
    assert re.sub(r"\s", "", together) == re.sub(r"\s", "", answer)


def test_evidence_is_marked_where_it_stands_and_code_is_kept_apart() -> None:
    answer = "They add up.\n```python\nx.grad\n```\nClear them."
    points = [{"quote": "add up", "verdict": "covered"}, {"quote": "Clear them.", "verdict": "partial"}]
    assert blocks(answer, points) == [
        (False, [("They ", ""), ("add up", "covered"), (".\n", "")]),
        (True, [("```python\nx.grad\n```", "")]),
        (False, [("\n", ""), ("Clear them.", "partial")]),
    ]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("there is no Chromium on this machine")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield chromium
        chromium.close()


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_phone_nothing_is_wider_than_the_screen_and_no_script_runs(
    browser: Browser, tmp_path: Path, hostile: str, scheme: Any
) -> None:
    (tmp_path / "report.html").write_text(hostile, encoding="utf-8")
    phone = browser.new_page(viewport={"width": 360, "height": 700}, color_scheme=scheme)
    complaints: list[str] = []
    phone.on("console", lambda message: complaints.append(message.text))
    phone.goto((tmp_path / "report.html").as_uri())
    assert phone.evaluate("document.documentElement.scrollWidth") <= 360
    assert phone.title().startswith("Grading of") and not complaints
    dark = phone.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (dark == "rgb(255, 255, 255)") is (scheme == "light")
    plots = phone.locator("svg").all()
    assert len(plots) == 6 and all((box := plot.bounding_box()) and box["width"] > 250 for plot in plots)
    phone.close()
