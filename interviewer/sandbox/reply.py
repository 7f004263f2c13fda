"""What the sandbox may say, and nothing else. Every answer is held against this before anybody acts on it."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

Text = Annotated[str, Field(max_length=1000)]
Length = Annotated[int, Field(ge=0, le=2**63 - 1)]
Lengths = Annotated[list[Length], Field(max_length=64)]
Name = Annotated[str, Field(max_length=20)]


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class ResultSpec(_Strict):
    dtype: Name
    shape: Lengths
    stride: Lengths
    device: Name


class StateSpec(_Strict):
    """One entry of a ``state_dict()``."""

    name: Annotated[str, Field(max_length=200)]
    dtype: Name
    shape: Lengths


class Use(_Strict):
    """A forbidden name and the line that it stands on."""

    name: Text
    line: Annotated[int, Field(ge=0)]


class Failure(_Strict):
    """An exception in the candidate's code, or, without a type, a result that cannot be compared."""

    type: Text
    message: Text
    line: Annotated[int, Field(ge=0)] | None
    source: Text

    def __str__(self) -> str:
        what = f"{self.type}: {self.message}" if self.message and self.type else self.type or self.message
        if self.line is None:
            return plain(what)
        return plain(f"{what} (line {self.line}{f': `{self.source}`' if self.source else ''})")


class Reply(_Strict):
    """An answer to the request with the same ``id``."""

    id: int
    failure: Failure | None = None
    forbidden: Use | None = None
    callable: bool | None = None
    several: bool | None = None
    results: Annotated[list[ResultSpec], Field(max_length=32)] | None = None
    state: Annotated[list[StateSpec], Field(max_length=256)] | None = None


def plain(text: str) -> str:
    """Text that a terminal, a page and a database can take: control characters and lone surrogates are replaced."""
    return "".join(c if c.isprintable() or c in "\n\t" else "\N{REPLACEMENT CHARACTER}" for c in text)


def read_reply(header: dict[str, Any]) -> Reply:
    """Raises pydantic's ValidationError where the header says anything else."""
    return Reply.model_validate(header)
