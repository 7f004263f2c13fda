"""Takes docs/page.png anew: a moment of a real interview, with real grading and a real run of code.

    .venv/bin/python docs/screenshot.py

Needs Chromium, the sandbox and a font with the marks that a verdict uses. Keeps nothing but the picture.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

from interviewer.house import assemble
from interviewer.models import Plan
from interviewer.settings import Settings

ROOT = Path(__file__).resolve().parents[1]
PATIENCE = 120_000  # milliseconds
PLAN = Plan(only=("training-loop-steps", "stable-cross-entropy", "nan-loss"))
WORDS = (
    "I subtract each row's maximum first, so the largest exponent is 0 and exp() cannot overflow in float32. "
    "The shift cancels between numerator and denominator, so the loss stays the same."
)
CODE = """\
def cross_entropy(logits, target):
    peak = logits.max(dim=1, keepdim=True).values
    scaled = (logits - peak).exp()
    softmax = scaled / scaled.sum(dim=1, keepdim=True)
    return -softmax.gather(1, target[:, None]).log().mean()
"""


def main() -> None:
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if chromium is None:
        sys.exit("There is no Chromium on this machine, so docs/page.png was left as it was.")
    with tempfile.TemporaryDirectory() as home, _server(Path(home)) as address, sync_playwright() as playwright:
        session = assemble(Settings(home=Path(home))).interviews.begin(PLAN)
        session.reply("skip")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 1280, "height": 900}, color_scheme="light")
        page.goto(f"{address}/?session={session.id}")
        _answer(page)
        page.screenshot(path=ROOT / "docs" / "page.png")
        browser.close()


def _answer(page: Page) -> None:
    editor = page.locator("#editor .cm-content")
    expect(editor).to_contain_text("def cross_entropy", timeout=PATIENCE)
    editor.click()
    page.keyboard.press("ControlOrMeta+A")
    page.keyboard.insert_text(CODE)
    page.get_by_label("Your answer").fill(WORDS)
    page.get_by_role("button", name="Send code").click()
    expect(page.get_by_role("log")).to_contain_text("I ran your code", timeout=PATIENCE)
    expect(page.get_by_label("Your answer")).to_be_enabled(timeout=PATIENCE)
    page.mouse.move(0, 0)
    page.wait_for_timeout(1500)  # for the scrolling to come to rest


@contextmanager
def _server(home: Path) -> Iterator[str]:
    env = {**os.environ, "INTERVIEWER_HOME": str(home), "INTERVIEWER_PORT": "0", "DISPLAY": "", "WAYLAND_DISPLAY": ""}
    process = subprocess.Popen([sys.executable, "app.py"], cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        found = re.search(r"http://\S+", process.stdout.readline())
        if found is None:
            sys.exit("The page did not start; docs/page.png was left as it was.")
        yield found[0]
    finally:
        process.kill()
        process.wait()


if __name__ == "__main__":
    main()
