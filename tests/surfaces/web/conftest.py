"""A browser and a server for the tests of the page that want them, and a team's page by HTTP; one of each for a module."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import httpx
import pytest
from browsing import CHROMIUM, FLAGS, PATIENCE
from playwright.sync_api import Browser, BrowserContext, sync_playwright
from served import Server
from team import Site, serving

from interviewer.access import Duty
from interviewer.house import House, assemble
from interviewer.settings import Settings


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

    def arrives(**options: object) -> BrowserContext:
        contexts.append(browser.new_context(**options))  # type: ignore[arg-type]
        contexts[-1].set_default_timeout(PATIENCE)
        return contexts[-1]

    yield arrives
    for context in contexts:
        context.close()


@pytest.fixture(scope="module")
def team(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Of an admin, ``adm``, and a reviewer, ``rae``."""
    with serving(tmp_path_factory.mktemp("team"), {"adm": Duty.ADMIN, "rae": Duty.REVIEWER}) as site:
        yield site


@pytest.fixture(scope="module")
def admin(team: Site) -> httpx.Client:
    return team.signed_in("adm")
