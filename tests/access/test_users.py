from __future__ import annotations

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from interviewer.access import Duty, plain_name
from interviewer.access.passwords import hash_password, matches
from interviewer.access.users import User, Users
from interviewer.errors import UsageError
from tests.surfaces.shell import Done, Shell

SOME_HASH = "$argon2id$v=19$m=65536,t=3,p=4$KLjSwgbJ9hJwHrJI705HBQ$FR8xahARfWDAxew3zO4MxEG/mwh/iVhztO7bFM15gaE"


@pytest.fixture
def users(tmp_path: Path) -> Users:
    return Users(tmp_path / "home" / "users.toml")


def test_what_is_written_is_read_again_and_its_owners_alone(users: Users) -> None:
    ada = User(name="Ada", duty=Duty.ADMIN, password=SOME_HASH)
    users.add(ada)
    users.add(User(name="bob@example.org"))
    again = Users(users.path)
    assert again.all() == [User(name="ada", duty=Duty.ADMIN, password=SOME_HASH), User(name="bob@example.org")]
    assert again.duty("nobody") is Duty.CANDIDATE
    assert stat.S_IMODE(users.path.stat().st_mode) == 0o600


def test_comments_by_hand_stay_and_changes_by_hand_count(users: Users) -> None:
    users.add(User(name="ada", password=SOME_HASH))
    users.path.write_text(users.path.read_text() + '\n# the new one\n[[user]]\nname = "Bob"\nduty = "reviewer"\n')
    assert users.duty("bob") is Duty.REVIEWER
    users.set("bob", duty=Duty.ADMIN)
    assert users.duty("bob") is Duty.ADMIN
    assert "# the new one" in users.path.read_text()
    users.remove("ada")
    assert [user.name for user in users.all()] == ["bob"]


def test_nobody_is_added_twice_and_who_is_not_there_is_not_changed(users: Users) -> None:
    users.add(User(name="ada"))
    for wrong in (
        lambda: users.add(User(name="ADA")),
        lambda: users.remove("bob"),
        lambda: users.set("bob", duty=Duty.ADMIN),
    ):
        with pytest.raises(UsageError, match="Nothing was changed"):
            wrong()


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        ('[[user]]\nname = "ada"\n[[user]]\nname = "Ada"\n', "line 3: ada stands there twice"),
        ('[[user]]\nname = "ada"\n\n[[user]]\nname = "bob"\nduty = "king"\n', "line 4: duty"),
        ('[[user]]\nname = "ada"\npassword = "secret"\n', "line 1: password: .*no argon2id hash"),
        ('[[user]]\nname = "ada"\nroot = true\n', "line 1: root"),
        ('[[user]]\nname = "a b"\n', "line 1: name"),
        ('[[user]]\nname = "ada\n', "line 2"),
        ("user = 3\n", "begins with a line"),
        ("user = [3]\n", "line 1"),
    ],
)
def test_a_mistake_refuses_the_whole_file_names_its_line_and_is_never_overwritten(
    users: Users, broken: str, said: str
) -> None:
    users.path.parent.mkdir()
    users.path.write_text(broken)
    with pytest.raises(UsageError, match=said):
        users.all()
    with pytest.raises(UsageError, match=said):
        users.add(User(name="carl"))
    assert users.path.read_text() == broken


def test_of_many_who_write_at_once_nobody_is_lost(users: Users) -> None:
    names = [f"user{number}" for number in range(12)]
    with ThreadPoolExecutor(12) as people:
        list(people.map(lambda name: Users(users.path).add(User(name=name)), names))
    assert [user.name for user in users.all()] == sorted(names)
    assert not list(users.path.parent.glob(".users.toml.*"))


@pytest.mark.parametrize(
    "name", ["", " ", "a b", "/a", "../x", "<b>", "a\x00b", "a\u202eb", "-x", "@x", "x" * 101, "a\nb", "user;"]
)
def test_such_a_thing_is_no_name(name: str) -> None:
    with pytest.raises(UsageError):
        plain_name(name)


@pytest.mark.parametrize("name", ["o'brien@x.org", "a/b", "auth0|a=b", "corp\\ada", "ada%x.org@relay"])
def test_such_a_name_is_written_and_read_again(users: Users, name: str) -> None:
    users.add(User(name=name, duty=Duty.REVIEWER))
    assert Users(users.path).duty(plain_name(name)) is Duty.REVIEWER


def test_names_that_read_the_same_are_the_same() -> None:
    assert {plain_name(name) for name in ("Straße", "STRASSE", " strasse ", "ｓtrasse")} == {"strasse"}


def test_a_password_is_told_from_another_and_nobodys_fits_none() -> None:
    kept = hash_password("correct horse battery")
    assert matches("correct horse battery", kept)
    assert not matches("correct horse batteries", kept)
    assert not matches("nobody has this password", None)
    with pytest.raises(UsageError, match="10 to 1000"):
        hash_password("short")


def test_the_command_line_adds_lists_changes_and_removes(tmp_path: Path) -> None:
    shell = Shell(tmp_path)

    def interviewer(*words: str, given: str = "") -> Done:
        return shell("user", *words, given=given)

    assert "added as reviewer" in interviewer("add", "Ada", "--duty", "reviewer", given="correct horse\n").stdout
    again = interviewer("add", "ada", given="correct horse\n")
    assert (again.returncode, again.stdout) == (2, "") and "already" in again.stderr
    assert interviewer("list").stdout == "ada: reviewer\n"
    kept = Users(tmp_path / "users.toml").get("ada")
    assert kept and matches("correct horse", kept.password)
    assert interviewer("password", "ada", given="another horse\n").returncode == 0
    changed = Users(tmp_path / "users.toml").get("ada")
    assert changed and matches("another horse", changed.password)
    assert "admin" in interviewer("duty", "ada", "admin").stdout
    assert interviewer("remove", "ada").returncode == 0
    assert "Nobody yet" in interviewer("list").stdout
