"""Twenty people at the page at once: how long each waits from sending an answer to seeing all of what it is answered with.

The page is a server of its own, on an empty home, with the embedded judge and no language model; the people speak to it as
their browsers would. They come within half a minute, and think between two answers as long as people who type quickly, 10 seconds in the mean; their answers are
replies of ``dev``, by chance, so they rarely fit the question, and are read for it all the same. Nobody sends code. Beside them, in the
same run, one person alone. What is drawn is not measured, and the people's own work is done on the same processors.
"""

from __future__ import annotations

import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from eval.bench.browser import Browser
from eval.cases import our_cases

PEOPLE = 20
ANSWERS = 6  # of each
ALONE = 24  # answers of one person
THINKING = 10.0  # seconds in the mean; alone nobody is kept waiting, so a tenth of that does
COMING = 30.0  # seconds within which all are there
_APP = Path(__file__).resolve().parents[2] / "app.py"


def page_figures(people: int = PEOPLE, answers: int = ANSWERS, alone: int = ALONE) -> dict[str, Any]:
    """In seconds. The ratio is of the medians."""
    replies = [case.answer for case in our_cases("dev")]
    with tempfile.TemporaryDirectory() as home, served(Path(home)) as address:
        _answers(address, replies, seed=-1, count=4, thinking=0, coming=0)  # loads the models
        single = _answers(address, replies, seed=0, count=alone, thinking=THINKING / 10, coming=0)
        with ThreadPoolExecutor(people) as threads:
            each = threads.map(
                lambda seed: _answers(address, replies, seed, answers, THINKING, COMING), range(1, people + 1)
            )
            waits = [wait for waits in each for wait in waits]
    return {
        "page_people": people,
        "page_answers": len(waits),
        "page_s": statistics.median(waits),
        "page_p95_s": statistics.quantiles(waits, n=20)[-1],
        "page_longest_s": max(waits),
        "page_alone_s": statistics.median(single),
        "page_alone_p95_s": statistics.quantiles(single, n=20)[-1],
        "page_over_alone": statistics.median(waits) / statistics.median(single),
    }


@contextmanager
def served(home: Path) -> Iterator[str]:
    """The page as a process, at the address that comes back, until this ends."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("INTERVIEWER_")}
    env |= {"INTERVIEWER_HOME": str(home), "INTERVIEWER_PORT": "0"}
    process = subprocess.Popen([sys.executable, str(_APP)], env=env, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        line = process.stdout.readline()
        found = re.search(r"http://\S+", line)
        if found is None:
            raise RuntimeError(f"the page did not start: {line}")
        yield found[0]
    finally:
        process.terminate()
        process.wait(30)


def _answers(address: str, replies: list[str], seed: int, count: int, thinking: float, coming: float) -> list[float]:
    """The waits of one person."""
    chance = random.Random(seed)
    time.sleep(chance.uniform(0, coming))
    browser, waits = Browser(address), []
    try:
        browser.fire("begin", "click", with_code=False)
        for _ in range(count):
            time.sleep(chance.expovariate(1 / thinking) if thinking else 0)
            said = len(browser.value("chat"))
            began = time.perf_counter()
            browser.fire("answer", "submit", answer=chance.choice(replies))
            waits.append(time.perf_counter() - began)
            if len(browser.value("chat")) < said + 2:
                raise RuntimeError("an answer was sent that nothing was said to")
    finally:
        browser.close()
    return waits
