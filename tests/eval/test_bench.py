"""What the bench drives the page with sees what a browser would."""

from __future__ import annotations

from pathlib import Path

import pytest

from eval.bench.browser import Browser
from eval.bench.page import served


def test_an_interview_is_begun_and_answered_as_by_a_browser_and_another_page_sees_none_of_it(tmp_path: Path) -> None:
    with served(tmp_path / "home") as address:
        browser, other = Browser(address), Browser(address)
        try:
            browser.fire("begin", "click", with_code=False)
            greeted = browser.value("chat")
            browser.fire("answer", "submit", answer="repeat")
            said = browser.value("chat")
            assert [each["role"] for each in said] == ["assistant", "user", "assistant"]
            assert said[:1] == greeted and browser.value("answer") == ""
            assert not other.value("chat")
        finally:
            browser.close()
            other.close()


def test_a_page_that_does_not_start_is_said_not_to(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("eval.bench.page._APP", tmp_path / "nothing.py")
    with pytest.raises(RuntimeError, match="did not start"), served(tmp_path):
        pass
