"""Runs that wait for their turn."""

from __future__ import annotations

from threading import Event, Thread

import pytest

from interviewer.models import Progress
from interviewer.sandbox import Sandbox
from interviewer.settings import Settings

pytestmark = pytest.mark.sandbox


class Unwanted(Exception):
    pass


def test_a_run_that_is_wanted_no_more_when_its_turn_comes_is_not_begun(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, holds, let_go, begun = Sandbox(Settings(sandbox_runs=1)), Event(), Event(), list[str]()

    def run(code: str, _: object) -> None:
        begun.append(code)
        holds.set()
        assert let_go.wait(10)
        raise Unwanted

    def told(step: Progress) -> None:
        if step.step != "queued":
            raise Unwanted
        let_go.set()

    monkeypatch.setattr("interviewer.sandbox.experiment", run)
    monkeypatch.setattr(own, "_started_pool", lambda: None)
    first = Thread(target=pytest.raises, args=(Unwanted, own.experiment, "first"), daemon=True)
    first.start()
    assert holds.wait(30)
    with pytest.raises(Unwanted):
        own.experiment("second", on_progress=told)
    first.join(10)
    assert begun == ["first"]
