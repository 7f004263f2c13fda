"""What the tests share: one embedding model a process, and a house of its own for each test that wants one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from interviewer.bank.bank import Bank
from interviewer.embedding import Embedder
from interviewer.grading.judge import EmbeddedJudge
from interviewer.interview.session import Interviews
from interviewer.models import Question
from interviewer.sandbox import Sandbox
from interviewer.settings import Settings


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long files first."""
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


@pytest.fixture(scope="session")
def embedder() -> Embedder:
    return Embedder()


@pytest.fixture(scope="session")
def judge() -> EmbeddedJudge:
    return EmbeddedJudge()


@pytest.fixture(scope="session")
def bank(tmp_path_factory: pytest.TempPathFactory, embedder: Embedder) -> Bank:
    """The bundled questions alone."""
    return Bank(Settings(home=tmp_path_factory.mktemp("bank")), embedder)


@pytest.fixture(scope="session")
def question(bank: Bank) -> Callable[[str], Question]:
    return bank.get


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(home=tmp_path / "home")


@pytest.fixture
def interviews(settings: Settings, bank: Bank, judge: EmbeddedJudge) -> Interviews:
    return Interviews(settings, bank=bank, judge=judge, sandbox=Sandbox(settings))
