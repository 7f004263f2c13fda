"""A whole practice and a whole exam, code included, as somebody takes them in a browser."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from browsing import (
    PATIENCE,
    afresh,
    answer_box,
    answers,
    ask,
    editor,
    faults,
    finish,
    in_both_schemes,
    look,
    picture,
    ready,
    reporting,
    say,
    talk,
    wait_for_turn,
    write_code,
)
from playwright.sync_api import BrowserContext, Page, expect
from served import Server

from interviewer.house import House
from interviewer.models import Plan

pytestmark = [pytest.mark.browser, pytest.mark.models, pytest.mark.sandbox, pytest.mark.long]

Arrives = Callable[..., BrowserContext]

STEPS = (
    "The forward pass computes the loss from the batch. loss.backward() adds the gradient of the loss to the .grad of every "
    "parameter, and optimizer.step() moves the weights. zero_grad() resets the weights to zero before the next iteration."
)
WORDS = (
    "I subtract each row's maximum first, so the largest exponent is 0 and exp() cannot overflow in float32. "
    "The shift cancels between numerator and denominator, so the loss stays the same."
)
OVERFLOWING = """\
import torch


def cross_entropy(logits, target):
    peak = logits.max(dim=1, keepdim=True).values
    scaled = (logits - peak).exp()
    softmax = scaled / scaled.sum(dim=1, keepdim=True)
    return -softmax.gather(1, target[:, None]).log().mean()


print("three rows:", cross_entropy(torch.zeros(3, 4), torch.tensor([0, 1, 2])))
"""
ENDLESS = "while True:\n    pass\n"


@pytest.fixture(autouse=True)
def _sandbox(house: House) -> None:
    if not house.sandbox.isolation().available:
        pytest.skip("there is no sandbox on this machine")


def run(tab: Page, told: str) -> None:
    tab.get_by_role("button", name="Run", exact=True).click()
    expect(tab.locator("#result")).to_contain_text(told, timeout=PATIENCE)


def test_a_practice_with_code_from_its_first_answer_to_a_disputed_grade(
    server: Server, house: House, person: Arrives
) -> None:
    task = house.bank.get("stable-cross-entropy").task
    assert task is not None
    session = house.interviews.begin(Plan(only=("training-loop-steps", "stable-cross-entropy"))).id
    tab = look(person(viewport={"width": 1280, "height": 860}), f"{server.address}/?session={session}")
    say(tab, STEPS)
    while "Question 1" in tab.locator("#status").inner_text():
        ask(tab, "Skip")
    mine = talk(tab).locator(".message.user").first
    expect(mine.locator("mark").first).to_be_visible()
    expect(talk(tab).locator(".beside").first).to_contain_text("It printed")
    tab.wait_for_timeout(400)  # the page has looked at the newest answer
    mine.scroll_into_view_if_needed()
    picture(tab, "marks")

    expect(editor(tab)).to_contain_text(f"def {task.entry}")
    assert in_both_schemes(tab, "question", ready) == []
    turns = answers(tab).count()
    write_code(tab, ENDLESS)
    tab.keyboard.press("ControlOrMeta+Enter")
    tab.get_by_role("button", name="Stop").click()
    expect(tab.locator("#result")).to_contain_text("Stopped. Nothing of that run was kept", timeout=PATIENCE)
    write_code(tab, OVERFLOWING)
    run(tab, "First check, values: passed.")
    expect(tab.locator("#result")).to_contain_text("three rows: tensor(1.3863)")
    expect(tab.locator("#result")).not_to_contain_text("stay finite")
    assert answers(tab).count() == turns
    assert faults(tab) == []
    picture(tab, "run")

    answer_box(tab).fill(WORDS)
    ask(tab, "Submit")
    expect(answers(tab).last).to_contain_text("confident mistakes stay finite")
    expect(tab.locator("#result")).not_to_contain_text("First check")
    picture(tab, "page")
    tab.get_by_label("Earlier code").click()
    expect(tab.get_by_role("option")).to_contain_text(
        ["Put back", "2. submitted, 6 of 7 checks passed", "1. ran, first check passed"]
    )
    tab.keyboard.press("Escape")
    tab.get_by_role("button", name="Reset").click()
    expect(editor(tab)).to_contain_text("raise NotImplementedError")
    write_code(tab, "# half of a thought")
    tab.wait_for_timeout(400)  # the browser has kept it
    server.kill()
    tab = afresh(tab)  # an open page reloads itself, which would cut off a visit of ours
    server.start()
    tab.goto(f"{server.address}/?session={session}")
    ready(tab)
    expect(editor(tab)).to_have_text("# half of a thought")
    tab.get_by_label("Earlier code").click()
    tab.get_by_role("option", name="submitted, 6 of 7").click()
    expect(editor(tab)).to_contain_text("three rows")

    finish(tab)
    expect(tab.locator("#status")).to_contain_text("Finished · 2 questions")
    expect(tab.locator("#report mark").first).to_be_visible()
    expect(tab.locator("#report .levels")).to_be_visible()
    assert in_both_schemes(tab, "report", reporting) == []
    for name, path in {
        "PDF": "report.pdf",
        "Markdown": "report.md",
        "JSON": "report.json",
        "HTML": "report.html",
    }.items():
        expect(tab.get_by_role("link", name=name, exact=True)).to_have_attribute("href", f"/sessions/{session}/{path}")
    expect(tab.get_by_role("link", name="Replay")).to_have_attribute("href", f"/sessions/{session}/replay")
    tab.get_by_label("What the grade misses").fill("I said how the shift cancels.")
    tab.get_by_role("button", name="Dispute the grade").click()
    expect(tab.locator("#report")).to_contain_text("I said how the shift cancels", timeout=PATIENCE)
    expect(tab.get_by_label("What the grade misses")).to_have_value("")


def test_an_exam_with_code_over_a_reload_and_a_restart_tells_nothing_before_its_report(
    server: Server, house: House, person: Arrives
) -> None:
    task = house.bank.get("stable-cross-entropy").task
    assert task is not None
    plan = Plan(only=("training-loop-steps", "stable-cross-entropy"), feedback="end")
    session = house.interviews.begin(plan).id
    tab = look(person(viewport={"width": 1280, "height": 860}), f"{server.address}/?session={session}")
    expect(tab.get_by_role("button", name="Hint")).to_have_count(0)
    say(tab, STEPS)
    tab.reload()
    wait_for_turn(tab, 2)
    while "Question 1" in tab.locator("#status").inner_text():
        ask(tab, "Skip")
    write_code(tab, OVERFLOWING)
    run(tab, "three rows: tensor(1.3863)")
    expect(tab.locator("#result")).not_to_contain_text("check")
    answer_box(tab).fill(WORDS)
    ask(tab, "Submit")
    expect(answers(tab).last).to_contain_text("how its checks went stands in the report")
    assert faults(tab) == []
    picture(tab, "exam")

    server.kill()
    tab = afresh(tab)  # an open page reloads itself, which would cut off a visit of ours
    server.start()
    tab.goto(server.address)
    ready(tab)
    expect(talk(tab)).to_contain_text("The shift cancels")
    expect(editor(tab)).to_contain_text("three rows")
    expect(talk(tab).locator("mark")).to_have_count(0)
    finish(tab)
    expect(tab.locator("#report")).to_contain_text("6 of 7 checks passed")
    expect(tab.locator("#report mark").first).to_be_visible()
    tab.get_by_role("tab", name="Interview").click()
    expect(talk(tab).locator("mark")).to_have_count(0)
