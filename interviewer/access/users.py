"""Who may sign in, in a file that an administrator can read: users.toml.

Promises: a change is written whole or not at all, also when two write at once; the file is its owner's alone to read; a
file with a mistake is refused whole, with the line; what is changed by hand counts from the next request on.
"""

from __future__ import annotations

import os
import re
import tempfile
import tomllib
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import Any

import tomlkit
from filelock import FileLock
from pydantic import ConfigDict, ValidationError, field_validator

from interviewer.access.names import plain_name
from interviewer.access.passwords import is_hash
from interviewer.access.person import Duty
from interviewer.errors import UsageError
from interviewer.models import Value

_SECONDS_FOR_OTHERS = 10
_HEAD = """# Who may sign in. `interviewer user` writes this file; it may also be edited by hand.
# Somebody without a password signs in elsewhere (a proxy, OpenID Connect) and has their duty from here.

"""


class User(Value):
    """``password`` is a hash; None where somebody proves elsewhere who they are."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    duty: Duty = Duty.CANDIDATE
    password: str | None = None

    @field_validator("name")
    @classmethod
    def _is_plain(cls, name: str) -> str:
        try:
            return plain_name(name)
        except UsageError as error:
            raise ValueError(str(error)) from error

    @field_validator("password")
    @classmethod
    def _is_hash(cls, password: str | None) -> str | None:
        if password is not None and not is_hash(password):
            raise ValueError("this is no argon2id hash; `interviewer user password NAME` sets one")
        return password


class Users:
    def __init__(self, path: Path):
        self.path = path
        self._lock = Lock()
        self._stamp: tuple[int, ...] | None = None
        self._users: dict[str, User] = {}

    def all(self) -> list[User]:
        """By name. Raises UsageError where the file has a mistake."""
        return sorted(self._read().values(), key=lambda user: user.name)

    def get(self, name: str) -> User | None:
        """The user of that plain name. Raises UsageError where the file has a mistake."""
        return self._read().get(name)

    def duty(self, name: str) -> Duty:
        """A candidate's where the file doesn't say."""
        user = self.get(name)
        return user.duty if user else Duty.CANDIDATE

    def add(self, user: User) -> None:
        """Raises UsageError where there is one of that name."""

        def add(entries: Any) -> None:
            if user.name in self._read():
                raise UsageError(f"There is a user {user.name} already. Nothing was changed.")
            entry = tomlkit.table()
            for key, value in user.model_dump(mode="json", exclude_none=True).items():
                entry.add(key, value)
            entries.append(entry)

        self._change(add)

    def remove(self, name: str) -> None:
        """Whoever is signed in under that name is so no more. Raises UsageError where there is none."""
        self._change(lambda entries: entries.remove(self._entry(entries, name)))

    def set(self, name: str, *, password: str | None = None, duty: Duty | None = None) -> None:
        """Changes what is given, the hash of a password or a duty. Raises UsageError where there is no such user."""

        def change(entries: Any) -> None:
            entry = self._entry(entries, name)
            if password is not None:
                entry["password"] = password
            if duty is not None:
                entry["duty"] = duty.value

        self._change(change)

    def _entry(self, entries: Any, name: str) -> Any:
        for entry in entries:
            if plain_name(entry["name"]) == name:
                return entry
        raise UsageError(f"There is no user {name}. Nothing was changed. `interviewer user list` shows who there is.")

    def _change(self, change: Callable[[Any], None]) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with FileLock(self.path.with_suffix(".lock"), timeout=_SECONDS_FOR_OTHERS):
                self._read()  # a file with a mistake is left as it is
                text = self.path.read_text(encoding="utf-8") if self.path.exists() else _HEAD
                document = tomlkit.parse(text)
                if "user" not in document:
                    document.append("user", tomlkit.aot())
                change(document["user"])
                _write(self.path, tomlkit.dumps(document))
        except OSError as error:
            raise UsageError(
                f"{self.path} can't be written: {error.strerror or error}. Nothing was changed."
            ) from error

    def _read(self) -> dict[str, User]:
        with self._lock:
            try:
                found = self.path.stat()
            except (FileNotFoundError, NotADirectoryError):
                self._stamp, self._users = None, {}
                return {}
            stamp = (found.st_mtime_ns, found.st_size, found.st_ino)
            if stamp != self._stamp:
                self._users = _parse(self.path)
                self._stamp = stamp
            return self._users


def _parse(path: Path) -> dict[str, User]:
    try:
        text = path.read_text(encoding="utf-8")
        entries = tomllib.loads(text).get("user", [])
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise _broken(path, str(error)) from error
    if not isinstance(entries, list):
        raise _broken(path, "every user begins with a line [[user]]")
    users: dict[str, User] = {}
    for number, entry in enumerate(entries):
        try:
            user = User.model_validate(entry)
        except ValidationError as error:
            first = error.errors()[0]
            at = ".".join(map(str, first["loc"]))
            raise _broken(path, f"line {_line(text, number)}: {at}: {first['msg']}") from error
        if user.name in users:
            raise _broken(path, f"line {_line(text, number)}: {user.name} stands there twice")
        users[user.name] = user
    return users


def _broken(path: Path, reason: str) -> UsageError:
    return UsageError(f"{path} can't be used: {reason}. Nobody can sign in until it is mended; it was left as it is.")


def _line(text: str, number: int) -> int:
    """Where the entry of that number, from 0, begins; 1 where it is written in another way."""
    begin = [line for line, words in enumerate(text.splitlines(), 1) if re.match(r"\s*\[\[\s*user\s*\]\]", words)]
    return begin[number] if number < len(begin) else 1


def _write(path: Path, text: str) -> None:
    """Puts a new file in the place of the old one; its owner's alone to read, as temporary files are."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
