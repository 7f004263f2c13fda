from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from interviewer.errors import UsageError
from interviewer.settings import load_settings
from interviewer.store import Store

OPEN = "import sys; from pathlib import Path; from interviewer.store import Store; Store(Path(sys.argv[1])).begin('ann', None)"


def test_processes_that_start_together_on_a_new_home_all_get_their_database(tmp_path: Path) -> None:
    path = tmp_path / "new" / "db.sqlite3"
    started = [subprocess.Popen([sys.executable, "-c", OPEN, str(path)], stderr=subprocess.PIPE) for _ in range(4)]
    assert [process.wait(60) for process in started] == [0] * 4
    assert len(Store(path).sessions()) == 4


def test_a_home_with_odd_letters_is_where_it_says(tmp_path: Path) -> None:
    home = tmp_path / "what? #1 & more"
    Store(home / "db.sqlite3").begin("ann", None)
    assert {p.name for p in tmp_path.iterdir()} == {home.name}


def test_a_file_that_is_no_database_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "db.sqlite3").write_text("my diary, not a database at all " * 50)
    with pytest.raises(UsageError, match="left as it is"):
        Store(tmp_path / "db.sqlite3")
    assert (tmp_path / "db.sqlite3").read_text().startswith("my diary")


def test_a_place_that_cannot_be_written_to_is_said_to_be_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="INTERVIEWER_HOME"):
        Store(tmp_path / "file" / "db.sqlite3")


def test_settings_that_cannot_be_understood_are_all_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INTERVIEWER_PORT", "abc")
    monkeypatch.setenv("INTERVIEWER_SANDBOX_MEMORY_MB", "1")
    with pytest.raises(UsageError) as caught:
        load_settings()
    assert "INTERVIEWER_PORT" in str(caught.value) and "INTERVIEWER_SANDBOX_MEMORY_MB" in str(caught.value)
