"""A workspace of Slack's stand-in, and the app that serves it, each at an address of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from interviewer.interview.session import Interviews
from interviewer.interview.state import Judge
from interviewer.models import CodeRun, OnProgress, Outcome, Plan, Task
from interviewer.settings import Settings
from interviewer.surfaces.slack.app import SlackApp
from interviewer.surfaces.slack.desk import Desk
from interviewer.surfaces.slack.http import asgi
from tests.interview.reviewing import SmallBank, ToldJudge
from tests.surfaces.slack.person import SECRET, Person
from tests.surfaces.slack.standin import Slack, running


class OfTwo(Interviews):
    """Whatever is wished for, an interview asks the questions of the small bank."""

    def begin(self, plan: Plan | None = None, user: str = "local") -> Any:
        return super().begin((plan or Plan()).model_copy(update={"only": ("zeroing", "stepping")}), user)


class Echo:
    """A sandbox that runs nothing and prints the code that it was given."""

    def judge(self, task: Task, code: str, on_progress: OnProgress = lambda _: None) -> CodeRun:
        return self.experiment(code)

    def experiment(self, code: str, seconds: float = 10, on_progress: OnProgress = lambda _: None) -> CodeRun:
        return CodeRun(outcome=Outcome.PASSED, output=code)


@dataclass
class Served:
    """The app of one process. ``address`` is where it takes Slack's requests."""

    slack: Slack
    app: SlackApp
    interviews: Interviews
    address: str

    def person(self, user: str = "UANN", team: str = "T1") -> Person:
        return Person(self.address, self.slack, user, team)


Serve = Callable[..., Served]


@pytest.fixture
def slack() -> Iterator[Slack]:
    slack = Slack()
    with running(slack.app()) as address:
        slack.address = address
        yield slack


@pytest.fixture
def slack_settings(tmp_path: Path, slack: Slack) -> Settings:
    return Settings(
        home=tmp_path / "home",
        slack_signing_secret=SecretStr(SECRET),
        slack_bot_token=SecretStr("xoxb-one"),
        slack_api_url=f"{slack.address}/api/",
        slack_files_url=f"{slack.address}/files/",
    )


@pytest.fixture
def several_settings(slack_settings: Settings) -> Settings:
    changed: dict[str, Any] = {
        "slack_bot_token": None,
        "slack_client_id": "111.222",
        "slack_client_secret": SecretStr("client-secret"),
    }
    return slack_settings.model_copy(update=changed)


@pytest.fixture
def serve(slack: Slack, slack_settings: Settings) -> Iterator[Serve]:
    """Starts the app on the home of this test; every further one is another process on it."""
    with ExitStack() as until_the_end:

        def start(judge: Judge | None = None, settings: Settings = slack_settings) -> Served:
            bank = SmallBank()
            interviews = OfTwo(settings, bank=bank, judge=judge or ToldJudge(), sandbox=Echo())
            desk = Desk(interviews, settings.slack_files_url, settings.page_url)
            app = SlackApp(settings, desk, interviews.store, interviews.store.inbox(settings.locks))
            address = until_the_end.enter_context(running(asgi(app.bolt)))
            until_the_end.callback(app.close)
            return Served(slack, app, interviews, address)

        yield start


@pytest.fixture
def served(serve: Serve) -> Served:
    return serve()


@pytest.fixture
def ann(served: Served) -> Person:
    return served.person()
