from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser

from interviewer.surfaces.report_html import report_html
from tests.surfaces.reports import CODE, NASTY, SCRIPTS, full_report


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def tags(page: str) -> list[tuple[str, dict[str, str | None]]]:
    parser = Tags()
    parser.feed(page)
    return parser.found


def words(page: str) -> str:
    return unescape(re.sub(r"<[^>]+>", "", page[page.index("<body>") :]))


def test_words_of_others_stay_words() -> None:
    found = tags(report_html(full_report()))
    assert not {"script", "img", "iframe", "object", "link"} & {tag for tag, _ in found}
    assert not [name for _, given in found for name in given if name.startswith("on")]
    assert all((given.get("href") or "#").startswith(("https:", "#")) for _, given in found)
    assert NASTY in words(report_html(full_report()))


def test_what_counted_is_marked_in_the_candidates_words_and_says_for_what() -> None:
    page = report_html(full_report())
    marked = {
        unescape(text): (kind, unescape(says))
        for kind, says, text in re.findall(r'<mark class="(\w+)" title="([^"]*)">(.*?)</mark>', page)
    }
    assert marked["zero_grad clears what is there"] == ("covered", "said: The claim about clears: `clears` is so.")
    assert marked["each call of backward overwrites it"][0] == "contradicted"
    assert marked[SCRIPTS][0] == "partial" and marked[NASTY][0] == "covered"


def test_the_picture_the_code_and_what_to_study_are_in_it() -> None:
    page = report_html(full_report())
    assert page.count("<svg") == 1 and "Study next" in page and f"<code>{CODE}</code>" in unescape(page)
    assert "prefers-color-scheme:dark" in page and "@media print" in page


def test_an_empty_report_is_a_page_too() -> None:
    nothing = full_report(score=None).model_copy(update={"answered": (), "topics": (), "study": (), "notes": ()})
    page = report_html(nothing)
    assert "not scored" in page and "<svg" not in page and "Study next" not in page
