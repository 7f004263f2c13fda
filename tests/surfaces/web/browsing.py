"""What the browser tests do on the page, in a person's terms."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, Locator, Page, expect

PATIENCE = 90_000  # milliseconds: the first answer waits for the models
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
PICTURES = os.environ.get("INTERVIEWER_PICTURES", "")


def afresh(tab: Page) -> Page:
    """An empty tab of the same browser in place of this one."""
    context = tab.context
    tab.close()
    return context.new_page()


def arrive(context: BrowserContext, address: str) -> Page:
    """A tab on the choice of an interview, ready to begin."""
    tab = context.new_page()
    tab.goto(address)
    choosing(tab)
    return tab


def begin(context: BrowserContext, address: str) -> Page:
    """A tab on a new interview, ready for an answer."""
    tab = arrive(context, address)
    tab.keyboard.press("Enter")
    return ready(tab)


def look(context: BrowserContext, address: str) -> Page:
    """A tab on an interview, ready for an answer."""
    tab = context.new_page()
    tab.goto(address)
    return ready(tab)


def ready(tab: Page) -> Page:
    expect(talk(tab).get_by_text("Question.").first).to_be_visible(timeout=PATIENCE)
    expect(answer_box(tab)).to_be_enabled(timeout=PATIENCE)
    return tab


def choosing(tab: Page) -> None:
    expect(begin_button(tab)).to_be_focused(timeout=PATIENCE)


def reporting(tab: Page) -> None:
    expect(tab.locator("#report h1")).to_be_visible(timeout=PATIENCE)


def begin_button(tab: Page) -> Locator:
    return tab.get_by_role("button", name="Begin", exact=True)


def answer_box(tab: Page) -> Locator:
    return tab.get_by_label("Your answer", exact=True)


def editor(tab: Page) -> Locator:
    return tab.locator("#editor .cm-content")


def talk(tab: Page) -> Locator:
    return tab.get_by_role("log")


def answers(tab: Page) -> Locator:
    return talk(tab).locator(".message.bot")


def say(tab: Page, text: str) -> None:
    before = answers(tab).count()
    answer_box(tab).fill(text)
    answer_box(tab).press("Enter")
    wait_for_turn(tab, before + 1)


def ask(tab: Page, request: str) -> None:
    before = answers(tab).count()
    tab.get_by_role("button", name=request, exact=True).click()
    wait_for_turn(tab, before + 1)


def finish(tab: Page) -> None:
    """Ends the interview, which opens its report."""
    tab.get_by_role("button", name="End", exact=True).click()
    tab.get_by_role("button", name="End the interview").click()
    reporting(tab)


def write_code(tab: Page, code: str) -> None:
    editor(tab).click()
    tab.keyboard.press("ControlOrMeta+A")
    tab.keyboard.insert_text(code)


def wait_for_turn(tab: Page, turns: int = 1) -> None:
    """Until the interviewer has spoken so many times and it is the candidate's turn."""
    expect(answers(tab)).to_have_count(turns, timeout=PATIENCE)
    expect(answer_box(tab)).to_be_enabled(timeout=PATIENCE)


def session_of(tab: Page) -> str:
    expect(tab).to_have_url(re.compile(r"\?session=[0-9a-f]+$"), timeout=PATIENCE)
    return tab.url.rsplit("=", 1)[1]


def picture(tab: Page, name: str) -> None:
    """For a person to look at, where INTERVIEWER_PICTURES names a folder."""
    if PICTURES:
        tab.mouse.move(0, 0)
        tab.wait_for_timeout(600)  # for what moves to come to rest
        tab.screenshot(path=Path(PICTURES) / f"{name}.png")


def faults(tab: Page) -> list[str]:
    """What axe holds to be serious or critical, once no colour is fading into another."""
    tab.wait_for_function("!document.getAnimations().some(a => a instanceof CSSTransition && a.playState == 'running')")
    found = Axe().run(tab).response["violations"]
    return [
        f"{each['id']}: {node['html'][:150]} {node.get('failureSummary', '')}"
        for each in found
        if each["impact"] in ("serious", "critical")
        for node in each["nodes"]
    ]


def in_both_schemes(tab: Page, name: str, settled: Callable[[Page], object]) -> list[str]:
    """The faults in light and in dark, and a picture of each. ``settled`` waits for the page after a reload."""
    found = []
    for scheme in ("dark", "light"):
        tab.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        tab.reload()  # the editor takes its colours when it is made
        settled(tab)
        picture(tab, f"{name}-{scheme}")
        found += [f"{scheme}: {fault}" for fault in faults(tab)]
    return found
