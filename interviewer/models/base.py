"""What every value of the house is: frozen, closed, and plain JSON and back without loss."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

Slug = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=80)]
Sentence = Annotated[str, StringConstraints(strip_whitespace=True, min_length=3)]

Tolerance = Annotated[float, Field(gt=0)]

MAX_SCORE = 5.0


class Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")
