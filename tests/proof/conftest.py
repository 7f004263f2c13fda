from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from interviewer.sandbox import Sandbox
from interviewer.settings import Settings


@pytest.fixture(scope="module")
def sandbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sandbox]:
    with closing(Sandbox(Settings(home=tmp_path_factory.mktemp("home")))) as found:
        yield found
