"""The page in a real Chromium, over a real server with a home of its own."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect, sync_playwright
from served import Server

from interviewer.house import House, assemble
from interviewer.models import Plan
from interviewer.settings import Settings

pytestmark = [pytest.mark.browser, pytest.mark.models]

PATIENCE = 90_000  # milliseconds: the first answer waits for the models
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("there is no Chromium on this machine")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")
def server(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("web") / "home")
    running.start()
    yield running
    running.kill()


@pytest.fixture(scope="module")
def house(server: Server) -> House:
    """Another process on the same home, as the terminal is one."""
    return assemble(Settings(home=server.home))


@pytest.fixture
def person(browser: Browser) -> Iterator[Callable[..., BrowserContext]]:
    """Another browser with an empty memory for each call."""
    contexts: list[BrowserContext] = []

    def arrive(**options: object) -> BrowserContext:
        contexts.append(browser.new_context(**options))  # type: ignore[arg-type]
        contexts[-1].set_default_timeout(PATIENCE)
        return contexts[-1]

    yield arrive
    for context in contexts:
        context.close()


def afresh(tab: Page) -> Page:
    """An empty tab of the same browser in place of this one."""
    context = tab.context
    tab.close()
    return context.new_page()


def look(context: BrowserContext, address: str) -> Page:
    """A tab on the page, ready for an answer."""
    tab = context.new_page()
    tab.goto(address)
    expect(talk(tab).get_by_text("Question.").first).to_be_visible(timeout=PATIENCE)
    expect(tab.get_by_label("Your answer")).to_be_enabled(timeout=PATIENCE)
    return tab


def talk(tab: Page) -> Locator:
    return tab.get_by_role("log")


def answers(tab: Page) -> Locator:
    return talk(tab).locator(".message.bot")


def say(tab: Page, text: str) -> None:
    before = answers(tab).count()
    tab.get_by_label("Your answer").fill(text)
    tab.get_by_label("Your answer").press("Enter")
    wait_for_turn(tab, before + 1)


def ask(tab: Page, request: str) -> None:
    before = answers(tab).count()
    tab.get_by_role("button", name=request, exact=True).click()
    wait_for_turn(tab, before + 1)


def wait_for_turn(tab: Page, turns: int = 1) -> None:
    """Until the interviewer has spoken so many times and it is the candidate's turn."""
    expect(answers(tab)).to_have_count(turns, timeout=PATIENCE)
    expect(tab.get_by_label("Your answer")).to_be_enabled(timeout=PATIENCE)


def session_of(tab: Page) -> str:
    expect(tab).to_have_url(re.compile(r"\?session=[0-9a-f]+$"), timeout=PATIENCE)
    return tab.url.rsplit("=", 1)[1]


def test_the_bare_address_greets_and_asks_at_once(server: Server, person: Callable[..., BrowserContext]) -> None:
    tab = look(person(), server.address)
    expect(talk(tab)).to_contain_text("I am your interviewer")
    expect(tab.locator("#status")).to_have_text("Question 1 · 0 of 30 min · mid level")


def test_an_answer_is_answered_and_both_survive_a_reload(server: Server, person: Callable[..., BrowserContext]) -> None:
    tab = look(person(), server.address)
    say(tab, "Every parameter keeps its gradient in the attribute named grad.")
    said = talk(tab).inner_text()
    assert "keeps its gradient" in said
    tab.goto(server.address)
    wait_for_turn(tab, 2)
    assert talk(tab).inner_text() == said


def test_two_browsers_have_two_interviews(server: Server, person: Callable[..., BrowserContext]) -> None:
    one, other = look(person(), server.address), look(person(), server.address)
    assert session_of(one) != session_of(other)


def test_a_second_tab_shows_the_same_interview_and_may_not_answer_an_older_question(
    server: Server, person: Callable[..., BrowserContext]
) -> None:
    browser = person()
    tab, stale = look(browser, server.address), look(browser, server.address)
    assert session_of(tab) == session_of(stale)
    ask(tab, "Hint")
    stale.get_by_label("Your answer").fill("This answers what I saw before the hint.")
    stale.get_by_role("button", name="Send", exact=True).click()
    expect(stale.locator("#notice")).to_contain_text("went on in another window", timeout=PATIENCE)
    expect(stale.get_by_label("Your answer")).to_have_value("This answers what I saw before the hint.")
    assert talk(stale).inner_text() == talk(tab).inner_text()


def test_an_unknown_session_is_said_to_be_unknown_and_a_new_one_begins(
    server: Server, person: Callable[..., BrowserContext]
) -> None:
    tab = look(person(), f"{server.address}/?session=nosuchthing")
    expect(tab.locator("#notice")).to_contain_text("is not kept here")
    assert session_of(tab) != "nosuchthing"


def test_the_panel_begins_another_interview(server: Server, person: Callable[..., BrowserContext]) -> None:
    tab = look(person(), server.address)
    first = session_of(tab)
    tab.get_by_role("tab", name="New interview").click()
    tab.get_by_role("radio", name="senior").check()
    tab.get_by_role("checkbox", name="autograd").check()
    tab.get_by_label("With questions that want code").uncheck()
    tab.get_by_role("button", name="New interview").click()
    expect(tab.locator("#status")).to_contain_text("senior level", timeout=PATIENCE)
    expect(talk(tab)).to_contain_text("senior level on autograd, without code")
    expect(tab).not_to_have_url(re.compile(first))


def test_html_in_an_answer_is_inert_also_as_evidence(
    server: Server, house: House, person: Callable[..., BrowserContext]
) -> None:
    session = house.interviews.begin(Plan(only=("training-loop-steps",))).id
    tab = look(person(), f"{server.address}/?session={session}")
    say(
        tab,
        "optimizer.step() changes the parameters <img src=x onerror='window.hit=1'> using their gradients, and "
        "<script>window.hit=2</script> zero_grad() clears <svg onload='window.hit=3'> the old gradients.\n\n"
        "<iframe src='javascript:parent.hit=4'></iframe><details open ontoggle='window.hit=5'>x</details>",
    )
    ask(tab, "End")
    tab.get_by_role("tab", name="Report").click()
    expect(tab.locator("#report")).to_contain_text("optimizer.step() changes the parameters")
    assert tab.evaluate("window.hit") is None
    assert tab.locator("#chat, #report").locator("script, iframe, [onerror], [onload], [ontoggle]").count() == 0


def test_nothing_is_asked_of_another_host(server: Server, person: Callable[..., BrowserContext]) -> None:
    browser = person()
    asked: list[str] = []
    refused: list[tuple[str, str | None]] = []
    browser.on("request", lambda request: asked.append(request.url))
    browser.on("requestfailed", lambda request: refused.append((request.url, request.failure)))
    tab = look(browser, server.address)
    ask(tab, "Repeat")
    tab.get_by_role("tab", name="New interview").click()
    tab.wait_for_load_state("networkidle")
    others = [url for url in asked if not url.startswith((server.address, "data:", "blob:"))]
    assert others == []
    tab.get_by_role("tab", name="Interview", exact=True).click()
    say(tab, "![a picture](http://127.0.0.2:9/picture.png) says it all about gradients")
    assert ("http://127.0.0.2:9/picture.png", "csp") in refused


def test_after_a_kill_the_owed_answer_comes_and_an_open_page_goes_on(
    server: Server, person: Callable[..., BrowserContext]
) -> None:
    tab, left_open = look(person(), server.address), look(person(), server.address)
    ask(tab, "Hint")
    tab.get_by_label("Your answer").fill("Gradients are accumulated until somebody clears them.")
    tab.get_by_label("Your answer").press("Enter")
    expect(talk(tab)).to_contain_text("Gradients are accumulated")
    server.kill()
    tab = afresh(tab)  # an open page reloads itself, which would cut off a visit of ours
    server.start()
    tab.goto(server.address)
    wait_for_turn(tab, 3)
    expect(talk(tab).locator(".message.user")).to_have_text(["hint", re.compile("Gradients are accumulated")])
    say(tab, "And zero_grad() is what clears them.")
    ask(left_open, "Hint")
    expect(talk(left_open).locator(".message.user")).to_have_text(["hint"])


@pytest.mark.sandbox
def test_a_whole_interview_with_code_ends_in_a_report_to_take_away(
    server: Server, house: House, person: Callable[..., BrowserContext]
) -> None:
    if not house.sandbox.isolation().available:
        pytest.skip("there is no sandbox on this machine")
    asked = ("view-vs-reshape", "stable-cross-entropy", "training-loop-steps")
    task = house.bank.get("stable-cross-entropy").task
    assert task is not None
    session = house.interviews.begin(Plan(only=asked)).id
    tab = look(person(accept_downloads=True), f"{server.address}/?session={session}")
    ask(tab, "Skip")
    expect(tab.locator("#status")).to_contain_text("Question 2 of 3")

    editor = tab.locator("#editor .cm-content")
    expect(editor).to_contain_text(f"def {task.entry}")
    editor.click()
    tab.keyboard.press("ControlOrMeta+A")
    tab.keyboard.insert_text(task.solution)
    ask(tab, "Send code")
    expect(answers(tab).last).to_contain_text(f"all {len(task.checks)} checks passed")

    ask(tab, "Skip")
    expect(tab.locator("#status")).to_contain_text("Question 3 of 3")
    expect(tab.locator("#editor")).to_have_count(0)
    say(tab, "zero_grad, forward, loss, backward, step.")
    ask(tab, "End")
    expect(tab.locator("#status")).to_contain_text("Finished · 3 questions")
    expect(answers(tab).last).to_contain_text("Report")
    tab.get_by_role("tab", name="Report").click()
    expect(tab.locator("#report")).to_contain_text(f"Session {session}")
    with tab.expect_download() as download:
        tab.get_by_text("Download as Markdown").click()
    assert f"Session {session}" in Path(download.value.path()).read_text(encoding="utf-8")


def test_an_interrupt_stops_the_server_in_order(browser: Browser, tmp_path: Path) -> None:
    server = Server(tmp_path / "home")
    server.start()
    page = browser.new_page()
    page.goto(server.address)
    assert server.interrupt() == (0, "")
    page.close()


def test_the_page_fits_a_phone_and_every_box_has_a_name(
    server: Server, house: House, person: Callable[..., BrowserContext]
) -> None:
    session = house.interviews.begin(Plan(only=("stable-cross-entropy",))).id
    phone = person(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True, color_scheme="dark")
    tab = look(phone, f"{server.address}/?session={session}")
    for name in ("Interview", "New interview"):
        tab.get_by_role("tab", name=name, exact=True).click()
        assert tab.evaluate("document.documentElement.scrollWidth") == 390
        for box in tab.locator("input:visible, textarea:visible, [contenteditable=true]:visible").all():
            assert box.evaluate(NAME_OF_BOX), box.evaluate("box => box.outerHTML")


NAME_OF_BOX = """box => box.getAttribute('aria-label') || [...(box.labels ?? [])].some(label => label.innerText.trim())
  || document.getElementById(box.getAttribute('aria-labelledby'))?.innerText"""
