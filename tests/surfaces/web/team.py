"""The page as a team has it: a real server on loopback, and people who reach it by HTTP alone."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Thread

import httpx
import uvicorn

from interviewer.access import Duty
from interviewer.access.passwords import hash_password
from interviewer.access.users import User, Users
from interviewer.house import House, assemble
from interviewer.settings import Settings
from interviewer.surfaces.web.site import build_site

PASSWORD = "correct horse battery"


@dataclass
class Site:
    house: House
    address: str

    def browser(self, **headers: str) -> httpx.Client:
        """Somebody's browser, on a page of ours."""
        usual = {"accept": "text/html", "origin": self.address}
        return httpx.Client(base_url=self.address, headers=usual | headers, timeout=30)

    def signed_in(self, name: str) -> httpx.Client:
        browser = self.browser()
        answer = browser.post("/sign-in", data={"name": name, "password": PASSWORD})
        assert answer.status_code == 303, answer.text
        return browser


class _Cold(House):
    """Loads no models: nothing here waits for a grade."""

    def warm(self) -> None:
        pass


class Server:
    """Serves until it is left."""

    def __init__(self, settings: Settings):
        self._listener = socket.create_server(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self.site = Site(_Cold(**vars(assemble(settings))), address)
        config = uvicorn.Config(build_site(self.site.house), log_level="critical", proxy_headers=False)
        self._server = uvicorn.Server(config)
        self._thread = Thread(target=self._server.run, kwargs={"sockets": [self._listener]}, daemon=True)

    def __enter__(self) -> Site:
        self._thread.start()
        while not self._server.started:
            time.sleep(0.02)
        return self.site

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = self._server.force_exit = True
        self._thread.join(timeout=10)


@contextmanager
def serving(home: Path, duties: Mapping[str, Duty]) -> Iterator[Site]:
    """A page on which the people named sign in with PASSWORD."""
    settings = Settings(home=home / "home", sign_in="users")
    for name, duty in duties.items():
        add_user(settings, name, duty)
    with Server(settings) as site:
        yield site


def add_user(settings: Settings, name: str, duty: Duty = Duty.CANDIDATE, password: str | None = PASSWORD) -> None:
    Users(settings.users).add(User(name=name, duty=duty, password=password and hash_password(password)))
