"""The page in a real Chromium, over a real server with a home of its own."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from browsing import (
    PATIENCE,
    afresh,
    answer_box,
    arrive,
    ask,
    begin,
    begin_button,
    choosing,
    editor,
    faults,
    finish,
    in_both_schemes,
    look,
    picture,
    ready,
    say,
    session_of,
    talk,
    wait_for_turn,
    write_code,
)
from playwright.sync_api import Browser, BrowserContext, expect
from served import Server

from interviewer.house import House
from interviewer.models import Plan

pytestmark = [pytest.mark.browser, pytest.mark.models]

Arrives = Callable[..., BrowserContext]


def test_opening_the_page_begins_nothing_and_one_key_press_begins(
    server: Server, house: House, person: Arrives
) -> None:
    before = len(house.interviews.store.sessions())
    tab = arrive(person(), server.address)
    assert in_both_schemes(tab, "start", choosing) == []
    assert len(house.interviews.store.sessions()) == before
    tab.keyboard.press("Enter")
    ready(tab)
    expect(talk(tab)).to_contain_text("I am your interviewer")
    expect(tab.locator("#status")).to_have_text("Question 1 · 0 of 30 min · mid level")
    assert len(house.interviews.store.sessions()) == before + 1


def test_a_role_ticks_its_topics_and_what_was_chosen_is_remembered(server: Server, person: Arrives) -> None:
    browser = person()
    tab = arrive(browser, server.address)
    tab.get_by_role("button", name="What I am worst at").click()
    expect(tab.locator("#notice")).to_contain_text("has been graded yet")
    tab.get_by_role("radio", name="Training infrastructure").check()
    expect(tab.get_by_role("checkbox", name="distributed")).to_be_checked()
    expect(tab.get_by_role("checkbox", name="tensors")).not_to_be_checked()
    tab.get_by_role("checkbox", name="distributed").uncheck()
    tab.get_by_role("radio", name="senior").check()
    tab.get_by_role("radio", name="15 min").check()
    tab.get_by_label("With coding tasks").uncheck()
    begin_button(tab).click()
    ready(tab)
    expect(tab.locator("#notice")).to_have_count(0)
    expect(talk(tab)).to_contain_text(
        "15 minutes at senior level on data, training, checkpoints, debugging, performance, without code"
    )
    first = session_of(tab)
    tab.get_by_role("link", name="New interview").click()
    expect(tab.get_by_role("radio", name="senior")).to_be_checked()
    expect(tab.get_by_role("checkbox", name="performance")).to_be_checked()
    expect(tab.get_by_label("With coding tasks")).not_to_be_checked()
    tab.go_back()
    ready(tab)
    assert session_of(tab) == first


def test_an_answer_is_answered_and_both_survive_a_reload(server: Server, person: Arrives) -> None:
    tab = begin(person(), server.address)
    say(tab, "Every parameter keeps its gradient in the attribute named grad.")
    said = talk(tab).inner_text()
    assert "keeps its gradient" in said
    answer_box(tab).press_sequentially("And what I")
    tab.goto(server.address)
    wait_for_turn(tab, 2)
    assert talk(tab).inner_text() == said
    expect(answer_box(tab)).to_have_value("And what I")


def test_a_second_tab_shows_the_same_interview_and_may_not_answer_an_older_question(
    server: Server, person: Arrives
) -> None:
    browser = person()
    tab = begin(browser, server.address)
    stale = look(browser, server.address)
    assert session_of(tab) == session_of(stale)
    ask(tab, "Hint")
    answer_box(stale).fill("This answers what I saw before the hint.")
    stale.get_by_role("button", name="Send", exact=True).click()
    expect(stale.locator("#notice")).to_contain_text("went on in another window", timeout=PATIENCE)
    expect(answer_box(stale)).to_have_value("This answers what I saw before the hint.")
    assert talk(stale).inner_text() == talk(tab).inner_text()
    other = begin(person(), server.address)
    assert session_of(other) != session_of(tab)


def test_an_unknown_session_is_said_to_be_unknown_and_none_begins(
    server: Server, house: House, person: Arrives
) -> None:
    before = len(house.interviews.store.sessions())
    tab = arrive(person(), f"{server.address}/?session=nosuchthing")
    expect(tab.locator("#notice")).to_contain_text("is not kept here")
    assert len(house.interviews.store.sessions()) == before


def test_html_in_an_answer_is_inert_also_where_it_counted(server: Server, house: House, person: Arrives) -> None:
    session = house.interviews.begin(Plan(only=("training-loop-steps",))).id
    tab = look(person(), f"{server.address}/?session={session}")
    say(
        tab,
        "optimizer.step() changes the parameters <img src=x onerror='window.hit=1'> using their gradients, and "
        "<script>window.hit=2</script> zero_grad() clears <svg onload='window.hit=3'> the old gradients.\n\n"
        "<iframe src='javascript:parent.hit=4'></iframe><details open ontoggle='window.hit=5'>x</details>",
    )
    finish(tab)
    expect(tab.locator("#report")).to_contain_text("optimizer.step() changes the parameters")
    tab.get_by_role("tab", name="Interview").click()
    expect(talk(tab).locator(".message.user").first).to_contain_text("changes the parameters")
    assert tab.evaluate("window.hit") is None
    assert tab.locator("#chat, #report").locator("script, iframe, [onerror], [onload], [ontoggle]").count() == 0


def test_the_time_goes_on_without_asking_the_server(server: Server, person: Arrives) -> None:
    tab = begin(person(), server.address)
    tab.wait_for_timeout(6_000)  # the clock has ticked
    asked: list[str] = []
    tab.on("request", lambda request: asked.append(request.url))
    tab.evaluate("Date.now = ((now) => () => now() + 31 * 60_000)(Date.now)")
    expect(tab.locator("#status")).to_contain_text("31 min, 1 more than planned · mid level", timeout=10_000)
    assert asked == []


def test_nothing_is_asked_of_another_host(server: Server, person: Arrives) -> None:
    browser = person()
    asked: list[str] = []
    refused: list[tuple[str, str | None]] = []
    browser.on("request", lambda request: asked.append(request.url))
    browser.on("requestfailed", lambda request: refused.append((request.url, request.failure)))
    tab = begin(browser, server.address)
    ask(tab, "Repeat")
    tab.wait_for_load_state("networkidle")
    assert [url for url in asked if not url.startswith((server.address, "data:", "blob:"))] == []
    say(tab, "![a picture](http://127.0.0.2:9/picture.png) says it all about gradients")
    assert ("http://127.0.0.2:9/picture.png", "csp") in refused


def test_after_a_kill_the_owed_answer_comes_and_an_open_page_goes_on(server: Server, person: Arrives) -> None:
    tab, left_open = begin(person(), server.address), begin(person(), server.address)
    ask(tab, "Hint")
    answer_box(tab).fill("Gradients are accumulated until somebody clears them.")
    answer_box(tab).press("Enter")
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


def test_an_exam_is_chosen_taken_and_ended_by_keyboard_alone(server: Server, person: Arrives) -> None:
    tab = arrive(person(), server.address)
    tab.keyboard.press("Shift+Tab")
    expect(tab.get_by_label("With coding tasks")).to_be_focused()
    tab.keyboard.press("Shift+Tab")
    tab.keyboard.press("ArrowDown")
    expect(tab.get_by_role("radio", name="Exam: feedback in the report, at the end")).to_be_checked()
    tab.keyboard.press("Tab")
    tab.keyboard.press("Tab")
    tab.keyboard.press("Enter")
    ready(tab)
    expect(tab.locator("#status")).to_contain_text("exam")
    expect(tab.get_by_role("button", name="Hint")).to_have_count(0)
    expect(answer_box(tab)).to_be_focused()
    tab.keyboard.type("I would have to guess.")
    tab.keyboard.press("Enter")
    wait_for_turn(tab, 2)
    expect(answer_box(tab)).to_be_focused()
    while tab.evaluate("document.activeElement.id") != "end":
        tab.keyboard.press("Tab")
    tab.keyboard.press("Enter")
    expect(tab.get_by_role("button", name="Go on")).to_be_focused()
    tab.keyboard.press("Shift+Tab")
    tab.keyboard.press("Enter")
    expect(tab.locator("#report h1")).to_be_focused(timeout=PATIENCE)


@pytest.mark.sandbox
def test_a_phone_shows_everything_at_its_width_and_every_box_has_a_name(
    server: Server, house: House, person: Arrives
) -> None:
    session = house.interviews.begin(Plan(only=("stable-cross-entropy",))).id
    phone = person(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True, color_scheme="dark")
    tab = arrive(phone, server.address)
    picture(tab, "phone-start")
    tab.goto(f"{server.address}/?session={session}")
    ready(tab)
    picture(tab, "phone-talk")
    assert tab.evaluate("document.documentElement.scrollWidth") == 390
    for box in tab.locator("input:visible, textarea:visible, [contenteditable=true]:visible").all():
        assert box.evaluate(NAME_OF_BOX), box.evaluate("box => box.outerHTML")
    assert faults(tab) == []
    write_code(tab, "print(1)")
    tab.get_by_role("button", name="Run", exact=True).click()
    expect(tab.locator("#result")).to_contain_text("does not define a function", timeout=PATIENCE)
    picture(tab, "phone-code")
    tab.get_by_role("button", name="Skip").click()
    expect(tab.locator("#report h1")).to_be_visible(timeout=PATIENCE)
    assert tab.evaluate("document.documentElement.scrollWidth") == 390
    picture(tab, "phone-report")


def test_what_scrolls_is_within_reach_of_the_keyboard_from_the_moment_it_is_shown(
    server: Server, house: House, person: Arrives
) -> None:
    session = house.interviews.begin(Plan(only=("stable-cross-entropy",))).id
    visitor = person()
    visitor.add_init_script("""(() => {
        window.outOfReach = 0;
        const look = () => {
            window.outOfReach += document.querySelectorAll('#room pre:not([tabindex]), .cm-content:not([tabindex])').length;
            requestAnimationFrame(look);
        };
        look();
    })()""")
    tab = look(visitor, f"{server.address}/?session={session}")
    expect(editor(tab)).to_be_visible()
    assert tab.evaluate("window.outOfReach") == 0


def test_an_interrupt_stops_the_server_in_order(browser: Browser, tmp_path: Path) -> None:
    server = Server(tmp_path / "home")
    server.start()
    page = browser.new_page()
    page.goto(server.address)
    assert server.interrupt() == (0, "")
    page.close()


NAME_OF_BOX = """box => box.getAttribute('aria-label') || [...(box.labels ?? [])].some(label => label.innerText.trim())
  || document.getElementById(box.getAttribute('aria-labelledby'))?.innerText"""
