"""The footprint shows what a run has left behind, and no more than that."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from interviewer.sandbox import Sandbox
from interviewer.sandbox.attacks.footprint import Footprint, until

WAIT = 10


@pytest.mark.sandbox
def test_processes_that_are_left_show_in_the_footprint_until_they_are_gone(sandbox_for_two: Sandbox) -> None:
    assert sandbox_for_two.experiment("print(1)").output == "1\n"
    before = Footprint.at_rest(sandbox_for_two)
    with ThreadPoolExecutor(1) as thread:
        running = thread.submit(sandbox_for_two.experiment, "import time\ntime.sleep(3)")
        time.sleep(0.5)
        assert "processes are left" in before.more_in(Footprint.of(sandbox_for_two))
        running.result()
    assert until(lambda: before.more_in(Footprint.of(sandbox_for_two)), WAIT) == ""
